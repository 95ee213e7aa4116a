// `npm run release`: what it builds and would publish, the bill of materials, and what keeps it from publishing. Programs that
// could publish are replaced by a stub that only records its calls. dist/ is used as it is: other tests run at the same time.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { cratesIn } from '../../scripts/native.mjs';
import { bundledPackages } from '../../scripts/notices.mjs';
import { PLACES, refusals } from '../../scripts/release.mjs';
import { billOfMaterials } from '../../scripts/sbom.mjs';
import { ENGINES } from '../../scripts/vsix.mjs';
import { runProgram, type Ended } from '../support/process/npmPackage';
import { copyCheckout } from '../support/process/otherCheckout';

const root = path.join(__dirname, '..', '..');
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  readonly name: string;
  readonly version: string;
  readonly license: string;
};
const { packages: locked } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, { readonly version: string }>>;
};
const SECONDS = 1_767_225_600;
const HERE = `${process.platform}-${process.arch}`;
const targets = ['universal', ...(ENGINES.has(HERE) ? [HERE] : [])];
const stem = `${manifest.name}-${manifest.version}`;

let folder = '';
/** A folder of programs that record their arguments and do nothing. */
let bin = '';
before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'workbench-release-'));
  bin = path.join(folder, 'bin');
  await mkdir(bin);
});
after(() => rm(folder, { recursive: true, force: true }));

async function replace(name: string, line: string): Promise<void> {
  const file = path.join(bin, name);
  await writeFile(file, `#!/usr/bin/env bash\nprintf '%s\\n' "${name} $*" >> '${bin}/called'\n${line}\n`);
  await chmod(file, 0o755);
}

const called = (): Promise<string> => readFile(path.join(bin, 'called'), 'utf8').catch(() => '');

function release(args: readonly string[], env: Readonly<Record<string, string>> = {}, checkout = root): Promise<Ended> {
  const own = {
    PATH: `${bin}${path.delimiter}${process.env['PATH'] ?? ''}`,
    SOURCE_DATE_EPOCH: String(SECONDS),
    ...env,
  };
  return runProgram(checkout, process.execPath, [path.join('scripts', 'release.mjs'), ...args], { env: own });
}

describe('a dry run', () => {
  let out = '';
  let ended: Ended;
  before(async () => {
    out = path.join(folder, 'release');
    await replace('npx', 'exit 1');
    ended = await release(['--dry-run', '--built', '--targets', targets.join(','), '--out', out]);
    assert.equal(ended.code, 0, ended.stderr);
  });

  test('builds every package, the bill of materials and the checksums, and nothing else', async () => {
    assert.deepEqual(
      (await readdir(out)).sort(),
      [
        ...['SHA256SUMS', 'sbom.cdx.json', `${stem}.tgz`, `${stem}.vsix`],
        ...targets.slice(1).map((target) => `${stem}-${target}.vsix`),
      ].sort(),
    );
  });

  test('lists the checksum of each file, as sha256sum checks it', async () => {
    const lines = (await readFile(path.join(out, 'SHA256SUMS'), 'utf8')).trimEnd().split('\n');
    assert.equal(lines.length, targets.length + 2);
    for (const line of lines) {
      const [sum = '', name = ''] = line.split('  ');
      assert.equal(
        sum,
        createHash('sha256')
          .update(await readFile(path.join(out, name)))
          .digest('hex'),
        name,
      );
    }
  });

  test('says what would go where, and publishes nothing', async () => {
    for (const { name, token } of PLACES)
      assert.match(ended.stdout, new RegExp(`^Would publish to ${name} \\(${token}\\):$`, 'm'));
    assert.match(ended.stdout, /^ {2}npm publish .*\.tgz .*--provenance/m);
    assert.equal(ended.stdout.match(/^ {2}npx .*\.vsix$/gm)?.length, 2);
    assert.match(ended.stdout, /Dry run: nothing was published\.\n$/);
    assert.equal(await called(), '');
  });

  test('of the same commit gives the same bytes again, built in another folder by somebody else', async () => {
    const [elsewhere, again] = [path.join(folder, 'elsewhere'), path.join(folder, 'again')];
    await copyCheckout(elsewhere);
    const { code, stderr } = await release(
      ['--dry-run', '--targets', targets.join(','), '--out', again],
      {},
      elsewhere,
    );
    assert.equal(code, 0, stderr);
    assert.deepEqual((await readdir(again)).sort(), (await readdir(out)).sort());
    for (const name of await readdir(out))
      assert.ok((await readFile(path.join(out, name))).equals(await readFile(path.join(again, name))), name);
  });

  test('what it has built is published only as it was built', async () => {
    const spoilt = path.join(folder, 'spoilt');
    await mkdir(spoilt);
    for (const name of await readdir(out))
      await writeFile(path.join(spoilt, name), await readFile(path.join(out, name)));
    await writeFile(path.join(spoilt, `${stem}.vsix`), 'something else');
    await replace('npm', 'exit 0');
    await replace('git', `case "$1" in tag) echo v${manifest.version} ;; esac`);
    const tokens = Object.fromEntries(PLACES.map(({ token }) => [token, `token-of-${token}`]));
    const refused = await release(['--from', spoilt], tokens);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, new RegExp(`Nothing was published: ${stem}\\.vsix is not what was built`));
    assert.doesNotMatch(await called(), /publish/);

    await replace('npx', `env >> '${bin}/environment'`);
    await replace('npm', `env >> '${bin}/environment'`);
    const { code, stdout, stderr } = await release(['--from', out], tokens);
    assert.equal(code, 0, stdout + stderr);
    const calls = (await called()).split('\n').filter((line) => line.includes('publish'));
    assert.equal(calls.length, PLACES.length, calls.join('\n'));
    assert.match(calls[0] ?? '', /^npm publish \S+\.tgz --access public --provenance --ignore-scripts$/);
    // No place sees the token of another one.
    const seen = (await readFile(path.join(bin, 'environment'), 'utf8'))
      .split('\n')
      .filter((line) => line.includes('token-of-'));
    assert.deepEqual(
      seen,
      Object.entries(tokens).map(([name, value]) => `${name}=${value}`),
    );
    assert.doesNotMatch(stdout + stderr, /token-of-/);
  });
});

describe('publishing', () => {
  const ready = {
    version: '1.2.3',
    status: '',
    tags: ['v1.2.3'],
    environment: Object.fromEntries(PLACES.map(({ token }) => [token, 'x'])),
  };

  test('is refused for changes, for a missing tag and for each missing token', () => {
    assert.deepEqual(refusals(ready), []);
    assert.match(refusals({ ...ready, status: ' M package.json\n' }).join(), /not committed/);
    for (const tags of [[], ['v1.2.4'], ['1.2.3'], ['v1.2.3-rc']])
      assert.match(refusals({ ...ready, tags }).join(), /not tagged v1\.2\.3/);
    for (const { token } of PLACES)
      assert.deepEqual(refusals({ ...ready, environment: { ...ready.environment, [token]: '' } }), [
        `Not in the environment: ${token}.`,
      ]);
  });

  test('starts nothing without what it needs: not even the build', async () => {
    const out = path.join(folder, 'refused');
    const { code, stderr } = await release(['--out', out, '--built', '--targets', 'universal']);
    assert.equal(code, 1);
    assert.match(stderr, /leave out --built/);
    assert.match(stderr, /leave out --targets/);
    assert.match(stderr, /^Nothing was published\.\n/);
    for (const { token } of PLACES) assert.ok(stderr.includes(token));
    assert.ok(!existsSync(out));
  });
});

describe('the bill of materials', () => {
  const schemas = path.join(
    path.dirname(createRequire(__filename).resolve('@cyclonedx/cyclonedx-library/package.json')),
    'res',
    'schema',
  );
  const schema = (name: string): object => JSON.parse(readFileSync(path.join(schemas, name), 'utf8')) as object;
  const ajv = addFormats(new Ajv({ strict: false, allErrors: true }));
  // Kinds of text that the format's own checks know and ours has no use for.
  ajv.addFormat('iri-reference', true).addFormat('idn-email', true);
  for (const name of [
    'spdx.SNAPSHOT.schema.json',
    'jsf-0.82.SNAPSHOT.schema.json',
    'cryptography-defs.SNAPSHOT.schema.json',
  ])
    ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}`);
  const isValid = ajv.compile(schema('bom-1.6.SNAPSHOT.schema.json'));

  const engines = [...ENGINES.values()].map((name) => `node_modules/${name}`);
  const bomOf = async (seconds = SECONDS) =>
    billOfMaterials({ manifest, locked, folders: [...(await bundledPackages()), ...engines], seconds });

  test('is CycloneDX 1.6 by the official schema, which refuses a broken one', async () => {
    const bom = await bomOf();
    assert.ok(isValid(bom), JSON.stringify(isValid.errors?.slice(0, 3)));
    for (const spoil of [{ bomFormat: 'other' }, { serialNumber: 'x' }, { components: [{ name: 'x' }] }, { more: 1 }])
      assert.ok(!isValid({ ...bom, ...spoil }), JSON.stringify(spoil));
  });

  test('names every package inside the bundles and every binary, with version and hash', async () => {
    const { components } = await bomOf();
    const named = new Set(components.map(({ purl }) => purl));
    const folders = [...(await bundledPackages()), ...engines];
    for (const folder of folders) {
      const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
      assert.ok(named.has(`pkg:npm/${name.replace('@', '%40')}@${locked[folder]?.version}`), folder);
    }
    for (const component of components)
      assert.match(('hashes' in component && component.hashes[0]?.content) || '', /^[0-9a-f]{128}$/);
  });

  test('names the crates inside a binary, each under the licence that is known of it', () => {
    const paths = ['solana-hash-4.5.0/src/lib.rs', 'nom-8.0.0/src/lib.rs', 'nom-8.0.0/src/x.rs', 'bv-0.11.1-rc.1/src'];
    const binary = Buffer.from(paths.map((each) => `\0/root/.cargo/registry/src/index-1a2b/${each}\0`).join('panic'));
    const crates = cratesIn(binary);
    assert.deepEqual(crates, [
      { name: 'bv', version: '0.11.1-rc.1', license: 'MIT OR Apache-2.0' },
      { name: 'nom', version: '8.0.0', license: 'MIT' },
      { name: 'solana-hash', version: '4.5.0', license: 'Apache-2.0' },
    ]);
    const [, , node = ''] = engines;
    const bom = billOfMaterials({ manifest, locked, folders: [node], crates: new Map([[node, crates]]), seconds: 0 });
    assert.ok(isValid(bom), JSON.stringify(isValid.errors?.slice(0, 3)));
    const own = bom.components.filter(({ purl }) => purl.startsWith('pkg:cargo/')).map(({ purl }) => purl);
    assert.deepEqual(own, ['pkg:cargo/bv@0.11.1-rc.1', 'pkg:cargo/nom@8.0.0', 'pkg:cargo/solana-hash@4.5.0']);
    const engine = bom.dependencies.find(({ ref }) => ref.startsWith('pkg:npm/litesvm'));
    assert.deepEqual(engine?.dependsOn, own);
    const unknown = Buffer.from('/registry/src/i/unheard-of-1.0.0/src/lib.rs');
    assert.throws(() => cratesIn(unknown), /crate unheard-of, of which scripts\/native\.mjs has no licence/);
  });

  test('says who needs whom, with references that lead somewhere', async () => {
    const { components, dependencies, metadata } = await bomOf();
    const known = new Set([metadata.component['bom-ref'], ...components.map((component) => component['bom-ref'])]);
    assert.equal(dependencies.length, known.size);
    for (const { ref, dependsOn } of dependencies)
      for (const each of [ref, ...dependsOn]) assert.ok(known.has(each), each);
    const curves = dependencies.find(({ ref }) => ref.startsWith('pkg:npm/%40noble/curves@'));
    assert.match(curves?.dependsOn.join() ?? '', /%40noble\/hashes@/);
  });

  test('is the same for the same commit, and another one at another time', async () => {
    const [one, same, other] = [await bomOf(), await bomOf(), await bomOf(SECONDS + 1)];
    assert.deepEqual(one, same);
    assert.match(one.serialNumber, /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.notEqual(one.serialNumber, other.serialNumber);
    assert.equal(one.metadata.timestamp, '2026-01-01T00:00:00Z');
  });

  test('cannot be made for a package without a known version, licence or hash', () => {
    for (const known of [
      undefined,
      { version: '1.0.0', license: 'MIT' },
      { version: '1.0.0', license: 'MIT', integrity: 'sha1-x' },
    ])
      assert.throws(
        () =>
          billOfMaterials({
            manifest,
            locked: known === undefined ? {} : { 'node_modules/x': known },
            folders: ['node_modules/x'],
            seconds: 0,
          }),
        /No SHA-512|names no version/,
      );
  });
});
