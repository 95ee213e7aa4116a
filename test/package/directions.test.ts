// Which room may hold which: read from what the bundler really put together (ARCHITECTURE.md, "Directions").
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import type { Metafile } from 'esbuild';
import {
  mayImportFile,
  mayImportNode,
  mayImportPackage,
  roomOf,
  ROOMS,
  SOCKET_MODULES,
} from '../../scripts/directions.mjs';

const META = path.join(__dirname, '..', '..', 'dist', 'meta');
/** In metafiles, names of imports from a store of modules, and of the editor's face, have this prefix. */
const FROM_STORE = /"(?:store|editor):([^"]+)"/g;
const texts = new Map(readdirSync(META).map((name) => [path.basename(name, '.json'), read(name)]));
const metafiles: ReadonlyMap<string, Metafile> = new Map(
  [...texts].map(([name, text]) => [name, JSON.parse(text.replace(FROM_STORE, '"$1"')) as Metafile]),
);

function read(name: string): string {
  return readFileSync(path.join(META, name), 'utf8');
}

/** Every process of the product is built: then no room may be missing from what is looked at. */
const complete = [
  'client',
  'languageClient',
  'webview',
  'shared',
  'later',
  'lsp',
  'wire',
  'server',
  'streamWorker',
  'cli',
  'mcp',
  'net',
  'grpc',
  'localnet',
].every((bundle) => metafiles.has(bundle));

/** Inputs and external imports that a bundle must not contain, wherever they are imported. */
const CLIENT = [
  /^node_modules\/(undici|ws|@grpc|litesvm|jsonc-parser)\//,
  /^core\/requests\/(?!(convert|copy|curl|tools)\/)/,
  /^(net|runner|server|cli|localnet)\//,
];
/** The stores of modules hold what server and CLI have in common, or the server alone: none of either's libraries. */
const STORE = [/^(client|cli|localnet)\//, /^node_modules\/(?!(?:jsonc-parser|vscode-languageserver-types|@noble)\/)/];
/** Modules that are only needed to run, watch or copy something: they belong in the store that is loaded later. */
const NOT_AT_START =
  /^core\/(requests\/copy|service\/(streams|response\/decodable)|solana\/decode\/(accounts|idl|transactions))\b/;
const BUNDLES: Readonly<Record<string, readonly RegExp[]>> = {
  // Read at activation: without the library that speaks to the server; of the protocol, only the classes of its messages.
  client: [...CLIENT, /^node_modules\/vscode-(?!jsonrpc\/lib\/common\/)/],
  languageClient: CLIENT,
  shared: STORE,
  later: STORE,
  // Formats and cryptography alone: the local service shares no code that decides anything.
  wire: [
    /^(?!store-entry:|proto\/gen\/|core\/solana\/chain\/crypto\.ts$|node_modules\/(?:ws|@bufbuild|@noble)\/)[\w@]+\//,
  ],
  lsp: [
    /^(?!node_modules\/vscode-(?:jsonrpc|languageserver-(?:protocol|types))\/)[^:]*\//,
    /^node_modules\/vscode-language(client|server)\//,
  ],
  webview: [/^(net|runner|process|server|cli|localnet)\//, /^core\/requests\//, /^node_modules\//],
  streamWorker: [
    /^(client|localnet|cli)\//,
    /^node_modules\/(litesvm|vscode-\w+|undici|ws|@grpc)\//,
    /^(vscode|litesvm.*)$/,
  ],
  server: [
    /^(client|localnet|cli)\//,
    /^node_modules\/(litesvm|vscode-languageclient)\//,
    /^(vscode|litesvm.*)$/,
    /^node_modules\/(undici|ws|@grpc)\//,
  ],
  cli: [
    /^(client|server|localnet)\//,
    /^node_modules\/(vscode-\w+|undici|ws|@grpc|@modelcontextprotocol|zod)\//,
    /^vscode$/,
  ],
  // Loaded by one verb only: without the library's compiler of schemas.
  mcp: [
    /^(client|server|localnet)\//,
    /^node_modules\/(vscode-(?!languageserver-types)|undici|ws|@grpc|ajv|express|hono)/,
    /^vscode$/,
  ],
  // grpc-js is read at the first gRPC call, not with the first request.
  net: [/^(client|server|localnet|runner|cli|protocol)\//, /^node_modules\/(vscode-|@grpc\/)/, /^vscode$/],
  grpc: [
    /^(client|server|localnet|runner|cli|protocol|core|proto)\//,
    /^net\/(?!grpc\/)/,
    /^node_modules\/(?!@grpc\/grpc-js\/|@js-sdsl\/)/,
  ],
  localnet: [
    /^(net|runner|client|server|cli|protocol)\//,
    /^core\/(service|requests)\//,
    /^node_modules\/undici\//,
    /^vscode$/,
  ],
};

interface Import {
  readonly from: string;
  readonly to: string;
}

/** Every import that a file of a room makes, over all bundles. */
function importsOf(room: string): readonly Import[] {
  return [...metafiles.values()].flatMap(({ inputs }) =>
    Object.entries(inputs)
      .filter(([from]) => roomOf(from) === room)
      .flatMap(([from, input]) => input.imports.map(({ path: to }) => ({ from, to }))),
  );
}

/** The package of a path in node_modules or of an external import; undefined for a file of the project or a module of Node. */
function packageOf(to: string): string | undefined {
  const name = /(?:^|.*\/)node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(to)?.[1];
  if (name !== undefined) return name;
  if (isNode(to) || to.startsWith('.') || /\.(ts|json|css)$/.test(to)) return undefined;
  return /^(?:@[^/]+\/)?[^/]+/.exec(to)?.[0];
}

const NODE_MODULES = new Set([
  ...SOCKET_MODULES,
  'fs',
  'path',
  'os',
  'crypto',
  'child_process',
  'worker_threads',
  'util',
]);
const isNode = (to: string) => to.startsWith('node:') || NODE_MODULES.has(to);

function allowed(room: string, { to }: Import): boolean {
  if (isNode(to)) return mayImportNode(room, to.replace(/^node:/, ''));
  const packageName = packageOf(to);
  if (packageName !== undefined) return mayImportPackage(room, packageName);
  // Bundles that are loaded on first use: the stores of modules, the transports, and the client's own.
  if (['./shared.js', './later.js', './lsp.js', './wire.js'].includes(to)) return true;
  if (to === './net.js') return mayImportFile(room, 'net/transports.ts');
  if (to === './grpc.js') return mayImportFile(room, 'net/grpc/grpcJsLibrary.ts');
  if (to === './mcp.js') return mayImportFile(room, 'cli/mcp/mcp.ts');
  if (to === './convert.js') return mayImportFile(room, 'core/requests/convert/convert.ts');
  if (to === './languageClient.js') return room === 'client';
  return mayImportFile(room, to);
}

describe('directions', () => {
  for (const room of Object.keys(ROOMS))
    test(`${room} imports only what it may`, () => {
      const imports = importsOf(room);
      // A room of types alone leaves nothing in a bundle.
      assert.ok(imports.length > 0 || !complete || room === 'protocol', `${room} is in a bundle`);
      assert.deepEqual(
        imports.filter((one) => !allowed(room, one)).map(({ from, to }) => `${from} → ${to}`),
        [],
      );
    });

  for (const [bundle, patterns] of Object.entries(BUNDLES))
    test(`the bundle of ${bundle} holds nothing from where it may not`, () => {
      const metafile = metafiles.get(bundle) ?? { inputs: {} };
      const held = [
        ...Object.keys(metafile.inputs),
        ...Object.values(metafile.inputs).flatMap(({ imports }) => imports.map((one) => one.path)),
      ];
      assert.deepEqual(
        held.filter((name) => patterns.some((pattern) => pattern.test(name))),
        [],
      );
    });

  // Two copies of a class in one process are two classes: a number read by one is an object to the other.
  for (const bundle of ['server', 'cli', 'net', 'mcp', 'streamWorker', 'later'])
    test(`the bundle of ${bundle} duplicates nothing of the store that every process loads`, () => {
      const inputsOf = (name: string): readonly string[] =>
        Object.keys((JSON.parse(texts.get(name) ?? '{"inputs":{}}') as Metafile).inputs);
      const inStore = new Set(inputsOf('shared').filter((name) => !name.includes(':')));
      assert.ok(inStore.size > 0);
      assert.deepEqual(
        inputsOf(bundle).filter((name) => inStore.has(name)),
        [],
      );
    });

  for (const bundle of ['server', 'shared'])
    test(`the bundle of ${bundle}, which is read at the start, holds nothing that is for later`, () => {
      const { inputs } = JSON.parse(texts.get(bundle) ?? '{"inputs":{}}') as Metafile;
      const held = Object.keys(inputs);
      assert.ok(held.length > 0 || !complete);
      assert.deepEqual(
        held.filter((name) => NOT_AT_START.test(name)),
        [],
      );
    });

  // They cost 4 MB and a fifth of the start's processor time, and many starts see no call.
  test('the local service loads the messages of gRPC with the first call', () => {
    const inputs = metafiles.get('localnet')?.inputs ?? {};
    const isMessage = (name: string): boolean => /@bufbuild\/|^proto\/(?:index|gen\/(?!requests\.ts$))/.test(name);
    const atStart = new Set<string>(['localnet/main.ts']);
    for (const name of atStart)
      for (const { path: to, kind } of inputs[name]?.imports ?? []) if (kind !== 'dynamic-import') atStart.add(to);
    assert.ok(Object.keys(inputs).some(isMessage) || !complete, 'they are part of the bundle');
    assert.deepEqual([...atStart].filter(isMessage), []);
  });
});
