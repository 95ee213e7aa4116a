// The bill of materials of what is shipped, as CycloneDX 1.6: the packages inside the bundles and LiteSVM's binaries, with
// the hashes of package-lock.json, and the crates inside the binaries. The same input gives the same bytes.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { sourceSeconds } from './sourceDate.mjs';

/** @typedef {import('./native.mjs').Crate} Crate */
/** A package of npm or a crate. @typedef {ReturnType<typeof entry>['component'] | ReturnType<typeof crateOf>} Component */

const root = path.join(import.meta.dirname, '..');

/** The bill's name inside a package and next to a release. */
export const SBOM = 'sbom.cdx.json';

/**
 * The bill of materials of a package of this checkout, as the text of its file.
 * @param {Pick<Parameters<typeof billOfMaterials>[0], 'folders' | 'crates'>} shipped
 */
export async function materialsText(shipped) {
  const read = async (/** @type {string} */ name) => JSON.parse(await readFile(path.join(root, name), 'utf8'));
  const manifest = await read('package.json');
  const { packages: locked } = await read('package-lock.json');
  const bom = billOfMaterials({ manifest, locked, seconds: sourceSeconds(), ...shipped });
  return `${JSON.stringify(bom, undefined, 2)}\n`;
}

/**
 * An entry of package-lock.json's `packages`.
 * @typedef {{ readonly version?: string, readonly license?: string, readonly integrity?: string,
 *   readonly dependencies?: Readonly<Record<string, string>>,
 *   readonly optionalDependencies?: Readonly<Record<string, string>> }} Locked
 */

/**
 * @param {object} input
 * @param {{ readonly name: string, readonly version: string, readonly license: string }} input.manifest package.json
 * @param {Readonly<Record<string, Locked>>} input.locked `packages` of package-lock.json
 * @param {readonly string[]} input.folders of the packages that are shipped, as they are called there
 * @param {number | undefined} input.seconds when: Unix seconds
 * @param {ReadonlyMap<string, readonly Crate[]>} [input.crates] inside the binaries, by the folders of their packages
 */
export function billOfMaterials({ manifest, locked, folders, seconds, crates = new Map() }) {
  const shipped = new Set(folders);
  const own = purl(manifest.name, manifest.version);
  const packages = [...shipped].sort().map((folder) => entry(folder, locked));
  /** @type {readonly Component[]} */
  const all = [...packages.map(({ component }) => component), ...[...crates.values()].flat().map(crateOf)];
  const components = [...new Map(all.map((component) => [component.purl, component])).values()];
  const edges = [
    ...packages.map(({ folder, component }) => ({
      ref: component.purl,
      dependsOn: [
        ...dependenciesOf(folder, locked, shipped).map((each) => entry(each, locked).component.purl),
        ...(crates.get(folder) ?? []).map((crate) => crateOf(crate).purl),
      ],
    })),
    ...[...crates.values()].flat().map((crate) => ({ ref: crateOf(crate).purl, dependsOn: [] })),
  ];
  const merged = new Map(
    edges.map(({ ref }) => [ref, unique(edges.flatMap((edge) => (edge.ref === ref ? edge.dependsOn : [])))]),
  );
  const bom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      ...(seconds === undefined ? {} : { timestamp: new Date(seconds * 1000).toISOString().replace('.000Z', 'Z') }),
      component: {
        type: 'application',
        'bom-ref': own,
        name: manifest.name,
        version: manifest.version,
        licenses: licensesOf(manifest.license),
        purl: own,
      },
    },
    components,
    dependencies: [
      { ref: own, dependsOn: unique(components.map((component) => component.purl)) },
      ...[...merged].map(([ref, dependsOn]) => ({ ref, dependsOn })),
    ],
  };
  return { ...bom, serialNumber: `urn:uuid:${uuidOf(JSON.stringify(bom))}` };
}

/**
 * @param {string} folder such as `node_modules/@noble/hashes`
 * @param {Readonly<Record<string, Locked>>} locked
 */
function entry(folder, locked) {
  const found = locked[folder];
  const full = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
  if (found?.version === undefined || found.license === undefined || found.integrity === undefined)
    throw new Error(`package-lock.json names no version, licence or hash of ${folder}.`);
  const [group, name] = full.startsWith('@') ? full.split('/') : [undefined, full];
  const reference = purl(full, found.version);
  const component = {
    type: 'library',
    'bom-ref': reference,
    ...(group === undefined ? {} : { group }),
    name: name ?? full,
    version: found.version,
    hashes: [hashOf(found.integrity)],
    licenses: licensesOf(found.license),
    purl: reference,
  };
  return { folder, component };
}

/** @param {Crate} crate */
function crateOf({ name, version, license }) {
  const reference = `pkg:cargo/${name}@${version}`;
  return { type: 'library', 'bom-ref': reference, name, version, licenses: licensesOf(license), purl: reference };
}

/**
 * Those of a package's dependencies that are shipped, found as Node finds them: next to it, then further up.
 * @param {string} folder
 * @param {Readonly<Record<string, Locked>>} locked
 * @param {ReadonlySet<string>} shipped
 */
function dependenciesOf(folder, locked, shipped) {
  const { dependencies = {}, optionalDependencies = {} } = locked[folder] ?? {};
  return Object.keys({ ...dependencies, ...optionalDependencies }).flatMap((name) => {
    for (let place = folder; ; place = place.slice(0, Math.max(0, place.lastIndexOf('/node_modules/')))) {
      const candidate = `${place === '' ? '' : `${place}/`}node_modules/${name}`;
      if (locked[candidate] !== undefined) return shipped.has(candidate) ? [candidate] : [];
      if (place === '') return [];
    }
  });
}

/** @param {string} name @param {string} version */
const purl = (name, version) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

/** @param {string} license an SPDX identifier or expression */
const licensesOf = (license) =>
  /^[\w.+-]+$/.test(license) ? [{ license: { id: license } }] : [{ expression: license }];

/** @param {string} integrity `sha512-BASE64` */
function hashOf(integrity) {
  const [, content] = /^sha512-([A-Za-z0-9+/]{86}==)$/.exec(integrity) ?? [];
  if (content === undefined) throw new Error(`No SHA-512: ${integrity.slice(0, 20)}`);
  return { alg: 'SHA-512', content: Buffer.from(content, 'base64').toString('hex') };
}

/** @param {readonly string[]} texts */
const unique = (texts) => [...new Set(texts)].sort();

/** A UUID of version 8 (RFC 9562): its bits are those of a hash. @param {string} text */
function uuidOf(text) {
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = ((parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
