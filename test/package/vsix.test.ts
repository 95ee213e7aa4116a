// The package that people install: exactly the files it needs, small, and with a manifest that names what it should.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import type { Metafile } from 'esbuild';
import { packageExtension, requireLocked } from '../../scripts/package.mjs';
import { cratesIn } from '../../scripts/native.mjs';
import { BESIDE, bundledPackages } from '../../scripts/notices.mjs';
import { ENGINES as TARGETS, isCode, PAGE, SIZE_LIMITS } from '../../scripts/vsix.mjs';
import { readZip, type ZipEntry } from '../support/data/zip';

/** Every file that a VSIX may hold. The universal one ends at the line of LiteSVM. */
const PLAIN: readonly RegExp[] = [
  /^extension\.vsixmanifest$/,
  /^\[Content_Types\]\.xml$/,
  /^extension\/(package\.json|package\.nls\.json|language-configuration\.json|readme\.md|changelog\.md|LICENSE\.txt)$/,
  /^extension\/dist\/(client|languageClient|server|shared|later|lsp|wire|net|grpc|streamWorker|cli|mcp|convert|localnet)\.js$/,
  /^extension\/dist\/THIRD_PARTY_NOTICES\.txt$/,
  /^extension\/sbom\.cdx\.json$/,
  /^extension\/dist\/webview\/[a-z]+\.(js|css)$/i,
  /^extension\/media\/[\w/-]+\.(svg|png|md)$/,
  /^extension\/syntaxes\/jsonrpc\.tmLanguage\.json$/,
  /^extension\/(walkthrough|examples)\/[\w/-]+\.(jsonrpc|md|svg|png)$/,
  /^extension\/l10n\/bundle\.l10n\.json$/,
];
const NOTICES = 'extension/dist/THIRD_PARTY_NOTICES.txt';
const ENGINE: readonly RegExp[] = [
  /^extension\/dist\/node_modules\/litesvm\/(package\.json|dist\/internal\.js)$/,
  /^extension\/dist\/node_modules\/litesvm-[\w-]+\/(package\.json|litesvm\.[\w-]+\.node)$/,
];
const NEEDED = [
  'package.json',
  'readme.md',
  'LICENSE.txt',
  'sbom.cdx.json',
  'dist/client.js',
  'dist/languageClient.js',
  'dist/server.js',
  'media/icon.png',
];

let folder = '';
before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'workbench-vsix-'));
});
after(() => rm(folder, { recursive: true, force: true }));

async function packed(name: string, target?: string): Promise<{ bytes: number; entries: readonly ZipEntry[] }> {
  const file = path.join(folder, `${name}.vsix`);
  const { bytes } = await packageExtension({ file, ...(target === undefined ? {} : { target }) });
  return { bytes, entries: readZip(await readFile(file)) };
}

const root = path.join(__dirname, '..', '..');

/** The URL under which a bill of materials names a package of this checkout. */
async function purlOf(folder: string): Promise<string> {
  const { name, version } = JSON.parse(await readFile(path.join(root, folder, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly version: string;
  };
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

/** Package URLs in the bill of materials inside a VSIX. */
function purlsIn(entries: readonly ZipEntry[]): ReadonlySet<string> {
  const { components } = JSON.parse(contentOf(entries, 'extension/sbom.cdx.json')) as {
    readonly components: readonly { readonly purl: string }[];
  };
  return new Set(components.map(({ purl }) => purl));
}

const strangers = (entries: readonly ZipEntry[], allowed: readonly RegExp[]) =>
  entries.map((entry) => entry.name).filter((name) => !allowed.some((pattern) => pattern.test(name)));

describe('the universal VSIX', () => {
  let vsix: { bytes: number; entries: readonly ZipEntry[] };
  before(async () => {
    vsix = await packed('universal');
  });

  test('holds nothing that is not on the list', () => {
    assert.deepEqual(strangers(vsix.entries, PLAIN), []);
  });

  test('holds what the extension cannot do without', () => {
    const names = vsix.entries.map((entry) => entry.name);
    assert.deepEqual(
      NEEDED.filter((name) => !names.includes(`extension/${name}`)),
      [],
    );
  });

  test('has the page for users, whose links and pictures lead to the repository', async () => {
    const packed = contentOf(vsix.entries, 'extension/readme.md');
    const page = await readFile(path.join(__dirname, '..', '..', PAGE), 'utf8');
    const targets = (text: string): readonly string[] => [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, to = '']) => to);
    assert.ok(targets(page).length > 10);
    assert.deepEqual(
      targets(packed).map((to) => to.replace(/^https:\/\/github\.com\/[\w-]+\/[\w-]+\/(blob|raw)\/HEAD\//, '')),
      targets(page),
    );
    assert.ok(targets(packed).every((to) => to.startsWith('https://')));
  });

  test('holds every process that was built', async () => {
    const meta = path.join(__dirname, '..', '..', 'dist', 'meta');
    const built = (await readdir(meta)).flatMap((name) => {
      const { outputs } = JSON.parse(readFileSync(path.join(meta, name), 'utf8')) as Metafile;
      return Object.keys(outputs);
    });
    const names = vsix.entries.map((entry) => entry.name);
    assert.ok(built.length >= 4);
    assert.deepEqual(
      built.filter((name) => !names.includes(`extension/${name}`)),
      [],
    );
  });

  test('holds the licence of every package that is inside its bundles', async () => {
    const notices = contentOf(vsix.entries, NOTICES);
    const packages = await bundledPackages();
    assert.ok(packages.some((folder) => folder.endsWith('/undici')));
    for (const folder of packages) {
      const { name, version } = JSON.parse(
        await readFile(path.join(__dirname, '..', '..', folder, 'package.json'), 'utf8'),
      ) as { name: string; version: string };
      assert.ok(notices.includes(`\n${name} ${version} (`), `${name} ${version}`);
    }
    assert.match(notices, /\nundici 7[^\n]+\n=+\n\nMIT License\n/);
  });

  test('holds the bill of materials of exactly what is inside', async () => {
    const inside = (await bundledPackages()).filter((folder) => !BESIDE.includes(folder));
    const named = await Promise.all(inside.map(purlOf));
    assert.deepEqual([...purlsIn(vsix.entries)].sort(), [...new Set(named)].sort());
  });

  test('holds every file that its manifest points to', () => {
    const names = new Set(vsix.entries.map((entry) => entry.name));
    const manifest = contentOf(vsix.entries, 'extension/package.json');
    const pointed = [...manifest.matchAll(/"(?:\.\/)?((?:dist|media|syntaxes|walkthrough|examples)\/[^"$*]+\.\w+)"/g)];
    assert.ok(pointed.length > 0);
    assert.deepEqual(
      pointed.map((match) => match[1]).filter((name) => !names.has(`extension/${name}`)),
      [],
    );
  });

  test('holds no source map and no reference to one', () => {
    for (const { name, data } of vsix.entries) {
      assert.doesNotMatch(name, /\.map$/);
      if (name.endsWith('.js')) assert.equal(data.includes('sourceMappingURL='), false, name);
    }
  });

  test('holds no path of the machine that built it', () => {
    for (const { name, data } of vsix.entries)
      if (/\.(js|json|css)$/.test(name)) assert.equal(data.includes(path.join(__dirname, '..', '..')), false, name);
  });

  test('has a manifest without scripts and dependencies', () => {
    const manifest = JSON.parse(contentOf(vsix.entries, 'extension/package.json')) as Record<string, unknown>;
    for (const name of ['scripts', 'dependencies', 'devDependencies', 'optionalDependencies', 'private'])
      assert.equal(name in manifest, false, name);
  });

  test('is small, and so is its code', () => {
    assert.ok(vsix.bytes <= SIZE_LIMITS.universal, `${vsix.bytes} bytes`);
    const code = vsix.entries.filter(({ name }) => isCode(name)).reduce((sum, { data }) => sum + data.length, 0);
    assert.ok(code <= SIZE_LIMITS.code, `${code} bytes of code`);
  });
});

const here = `${process.platform}-${process.arch}`;

describe('the VSIX of a platform', () => {
  test('adds the loader and the binary of LiteSVM and nothing else, and is small', async () => {
    const { bytes, entries } = await packed('linux', 'linux-x64');
    assert.deepEqual(strangers(entries, [...PLAIN, ...ENGINE]), []);
    const added = strangers(entries, PLAIN);
    assert.equal(added.length, 4, added.join('\n'));
    assert.ok(bytes <= SIZE_LIMITS.platform, `${bytes} bytes`);

    const [engine, ...more] = added.filter((name) => name.endsWith('.node'));
    assert.deepEqual(more, []);
    const binary = entries.find(({ name }) => name === engine)?.data ?? Buffer.alloc(0);
    const crates = cratesIn(binary);
    assert.ok(crates.length > 40 && crates.some(({ name }) => name === 'solana-program-runtime'), `${crates.length}`);
    const purls = purlsIn(entries);
    const notices = contentOf(entries, NOTICES);
    for (const { name, version, license } of crates) {
      assert.ok(purls.has(`pkg:cargo/${name}@${version}`), name);
      assert.ok(notices.includes(`\n${name} ${version} (${license})\n`), name);
    }
    assert.ok([...purls].some((purl) => purl.startsWith('pkg:npm/litesvm-linux-x64-gnu@')));
    // Licences that are named alone are there with their texts and holders.
    for (const text of ['Apache License\n', 'Redistribution and use in source', 'Copyright (c) 2020 LongYinan'])
      assert.ok(notices.includes(text), text);
  });

  if (TARGETS.has(here))
    test('starts its local service where it is installed, with nothing else around it', async () => {
      const { entries } = await packed('installed', here);
      const installed = path.join(folder, 'installed');
      for (const { name, data } of entries) {
        const file = path.join(installed, name);
        await mkdir(path.dirname(file), { recursive: true });
        await writeFile(file, data);
      }
      const program = path.join(installed, 'extension', 'dist', 'localnet.js');
      const service = spawn(process.execPath, [program, '--json', '--with-parent'], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      const ended = once(service, 'close');
      const lines = createInterface({ input: service.stdout });
      const first = await Promise.race([once(lines, 'line'), ended]);
      const { rpcUrl } = JSON.parse(String(first[0])) as { rpcUrl: string };
      assert.match(rpcUrl, /^http:\/\/127\.0\.0\.1:\d+\/sol$/);
      service.stdin.end();
      await ended;
    });

  test('takes no other binary than the one that package-lock.json names', async () => {
    for (const name of ['litesvm-darwin-arm64', 'litesvm-win32-x64'])
      await assert.rejects(
        requireLocked(name, Buffer.from('something else')),
        /is not the package that package-lock\.json/,
      );
  });

  test('is refused, with the list of targets, where LiteSVM has no binary', async () => {
    await assert.rejects(packed('windows', 'win32-x64'), /No local service's engine for win32-x64.*darwin-arm64/);
  });
});

function contentOf(entries: readonly ZipEntry[], name: string): string {
  const entry = entries.find((candidate) => candidate.name === name);
  assert.ok(entry, name);
  return entry.data.toString('utf8');
}
