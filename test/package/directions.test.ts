// Which room may hold which: read from what the bundler really put together (ARCHITECTURE.md, "Directions").
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import type { Metafile } from 'esbuild';

const META = path.join(__dirname, '..', '..', 'dist', 'meta');
/** What is taken from dist/shared.js or dist/later.js, and the editor's face, bear their own names with this before them. */
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
  'server',
  'streamWorker',
  'cli',
  'net',
  'localnet',
].every((bundle) => metafiles.has(bundle));

const SOCKET_PACKAGES = ['undici', 'ws', '@grpc/grpc-js'];
const SOCKET_MODULES = ['http', 'https', 'http2', 'net', 'tls', 'dgram'];

interface Room {
  /** Other rooms (folders, with `/`) that its files may import. */
  readonly rooms: readonly string[];
  /** Packages that its files may import; absent: any that `never` does not name. */
  readonly packages?: readonly string[];
  readonly never?: readonly string[];
  /** Node's modules that its files may not import; `*` is all of them. */
  readonly noNode?: readonly string[];
}

const ROOMS: Readonly<Record<string, Room>> = {
  core: { rooms: ['proto'], packages: ['jsonc-parser', 'vscode-languageserver-types'], noNode: ['*'] },
  runner: { rooms: ['core', 'proto'], packages: [], noNode: SOCKET_MODULES },
  protocol: { rooms: ['core'], packages: [], noNode: ['*'] },
  net: { rooms: ['core', 'proto', 'process'], never: ['vscode', 'vscode-languageserver', 'litesvm'] },
  process: { rooms: ['core'], packages: [] },
  server: {
    rooms: ['core', 'runner', 'net', 'protocol', 'proto', 'process'],
    never: [...SOCKET_PACKAGES, 'vscode', 'vscode-languageclient', 'litesvm'],
    noNode: SOCKET_MODULES,
  },
  client: {
    rooms: ['core', 'protocol', 'process'],
    packages: ['vscode', 'vscode-languageclient', 'vscode-languageserver-types'],
    noNode: SOCKET_MODULES,
  },
  'client/webview': { rooms: ['protocol', 'core/values'], packages: [], noNode: ['*'] },
  cli: {
    rooms: ['core', 'runner', 'net', 'proto', 'process'],
    never: [...SOCKET_PACKAGES, 'vscode', 'vscode-languageserver', 'vscode-languageclient', 'litesvm'],
    noNode: SOCKET_MODULES,
  },
  localnet: {
    rooms: ['core/values', 'core/limits', 'proto', 'process'],
    never: ['undici', 'vscode', 'vscode-languageserver'],
  },
};

/** What a whole bundle may never hold, wherever it came in: patterns over the bundle's inputs and external imports. */
const CLIENT = [
  /^node_modules\/(undici|ws|@grpc|litesvm|jsonc-parser)\//,
  /^core\/(document|language|methods|run)\//,
  /^(net|runner|server|cli|localnet)\//,
];
/** The stores of modules hold what server and CLI have in common, or the server alone: none of either's libraries. */
const STORE = [/^(client|cli|localnet)\//, /^node_modules\/(?!jsonc-parser\/)/];
/** What only runs, watches or copies something; it stands in the store for later. */
const NOT_AT_START = /^core\/(copy|streams|response\/decodable|values\/(accounts|idl|transactions))\b/;
const BUNDLES: Readonly<Record<string, readonly RegExp[]>> = {
  // What an activation reads: without the library that speaks to the server.
  client: [...CLIENT, /^node_modules\/vscode-(languageclient|jsonrpc)\//],
  languageClient: CLIENT,
  shared: STORE,
  later: STORE,
  webview: [
    /^(net|runner|process|server|cli|localnet)\//,
    /^core\/(document|language|methods|run)\//,
    /^node_modules\//,
  ],
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
    // It builds every method of the protocol when it is loaded; server/lsp.ts has those that are answered.
    /^node_modules\/vscode-languageserver(-protocol)?\//,
  ],
  cli: [/^(client|server|localnet)\//, /^node_modules\/(vscode-\w+|undici|ws|@grpc)\//, /^vscode$/],
  net: [/^(client|server|localnet|runner|cli|protocol)\//, /^node_modules\/vscode-/, /^vscode$/],
  localnet: [
    /^(net|runner|client|server|cli|protocol)\//,
    /^core\/(methods|language|document|run)\//,
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
      .filter(([from]) => from.startsWith(`${room}/`) && (room !== 'client' || !from.startsWith('client/webview/')))
      .flatMap(([from, input]) => input.imports.map(({ path: to }) => ({ from, to }))),
  );
}

/** The package of a path in node_modules or of an external import; undefined for a file of ours or a module of Node. */
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

const within = (to: string, room: string) => to.startsWith(`${room}/`) || to.startsWith(`${room}.`);

function forbidden(room: string, rules: Room, { to }: Import): boolean {
  if (isNode(to)) {
    const name = to.replace(/^node:/, '');
    return (rules.noNode ?? []).some((banned) => banned === '*' || banned === name);
  }
  const packageName = packageOf(to);
  if (packageName !== undefined)
    return rules.packages === undefined
      ? (rules.never ?? []).includes(packageName)
      : !rules.packages.includes(packageName);
  // Bundles that are loaded on first use: the stores of modules, the transports, and the client's own.
  if (to === './shared.js' || to === './later.js') return false;
  if (to === './net.js') return !rules.rooms.includes('net');
  if (to === './languageClient.js') return room !== 'client';
  return ![room, ...rules.rooms].some((allowed) => within(to, allowed));
}

describe('directions', () => {
  for (const [room, rules] of Object.entries(ROOMS)) {
    test(`${room} imports only what it may`, () => {
      const imports = importsOf(room);
      // A room of types alone leaves nothing in a bundle.
      assert.ok(imports.length > 0 || !complete || room === 'protocol', `${room} is in a bundle`);
      assert.deepEqual(
        imports.filter((one) => forbidden(room, rules, one)).map(({ from, to }) => `${from} → ${to}`),
        [],
      );
    });
  }

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
});
