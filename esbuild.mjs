// Builds dist/: one bundle per process, one per panel's page (webview/), and what is loaded on first use: the transports
// (net.js, and grpc-js as grpc.js) for server and CLI, what these two have in common (shared.js), what the server needs when
// something is run (later.js), the reader of .http files for extension and CLI (convert.js), the library that speaks to the
// server (languageClient.js) for the extension, the protocol's packages for both ends (lsp.js), and the formats that the
// transports and the local service share (wire.js).
// `--watch` rebuilds on change; `--dev` leaves the code readable with source maps; `--only=NAME,NAME` rebuilds these bundles
// and leaves the rest of dist/ as it is.
import { build, context } from 'esbuild';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, readFile, rm, writeFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { writeNotices } from './scripts/notices.mjs';
import { fromStores, storeEntry, storesOf } from './scripts/stores.mjs';

const root = import.meta.dirname;
const watch = process.argv.includes('--watch');
const dev = watch || process.argv.includes('--dev');
const only = process.argv
  .find((arg) => arg.startsWith('--only='))
  ?.slice('--only='.length)
  .split(',');
const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));

/**
 * Turns `import()` of these modules into a load of a separate bundle, so that it is read only when used.
 * @param {Readonly<Record<string, RegExp>>} files bundle → how the module is imported
 */
const onFirstUse = (files) => ({
  name: 'on-first-use',
  /** @param {import('esbuild').PluginBuild} builder */
  setup(builder) {
    for (const [file, filter] of Object.entries(files))
      builder.onResolve({ filter }, () => ({ path: `./${file}`, external: true }));
  },
});
const sharedTransports = onFirstUse({ 'net.js': /\/net\/transports$/ });
const grpcLibrary = onFirstUse({ 'grpc.js': /^\.\/grpcJsLibrary$/ });
const toolsForModels = onFirstUse({ 'mcp.js': /^\.\/mcp\/mcp$/ });
const languageClient = onFirstUse({ 'languageClient.js': /^\.\/languageClient$/ });
const conversion = onFirstUse({ 'convert.js': /\/core\/requests\/convert\/convert$/ });

/**
 * Leaves out modules of libraries whose code is never reached here.
 * @param {string} name
 * @param {readonly RegExp[]} modules as they are imported, and in which library
 * @param {RegExp} importer
 * @param {string} [contents] what replaces them; default: nothing
 * @returns {import('esbuild').Plugin}
 */
const without = (name, modules, importer, contents = '') => ({
  name,
  setup(builder) {
    for (const filter of modules)
      builder.onResolve({ filter }, ({ path, importer: file }) =>
        importer.test(file) ? { path, namespace: name } : undefined,
      );
    builder.onLoad({ filter: /./, namespace: name }, () => ({ contents }));
  },
});

/** grpc-js loads .proto files only for services that it offers itself, and we start no server of it. 56 kB less. */
const withoutGrpcServer = without(
  'without-grpc-server',
  [/^@grpc\/proto-loader$/, /^\.\/(server|server-credentials|server-interceptors|orca)$/],
  /[\\/]grpc-js[\\/]/,
);

/** Ways to spread calls over servers that a service's own settings choose, which we do not look up. 19 kB less. */
const withoutGrpcBalancers = without(
  'without-grpc-balancers',
  [/^\.\/load-balancer-(outlier-detection|weighted-round-robin)$/],
  /[\\/]grpc-js[\\/]/,
  'export const setup = () => {};',
);

/** Counts of its channels and calls, which a debugger asks a service of grpc-js for. 19 kB less. */
const withoutGrpcCounts = without(
  'without-grpc-counts',
  [/^\.\/channelz$/],
  /[\\/]grpc-js[\\/]/,
  `class Counts { addTrace() {} refChild() {} unrefChild() {} addCallStarted() {} addCallSucceeded() {} addCallFailed() {} }
export { ${['Trace', 'CallTracker', 'ChildrenTracker']
    .flatMap((name) => [name, `${name}Stub`])
    .map((name) => `Counts as Channelz${name}`)
    .join(', ')} };
const register = (name) => ({ kind: '', id: 0, name });
export { ${['Channel', 'Subchannel', 'Socket'].map((name) => `register as registerChannelz${name}`).join(', ')} };
export const unregisterChannelzRef = () => {}, setup = () => {};`,
);

/** Our connections over undici speak HTTP/1.1. 15 kB less. */
const withoutHttp2 = without('without-http2', [/^\.\/client-h2\.js$/], /[\\/]undici[\\/]lib[\\/]dispatcher[\\/]/);

/** The manifest says which VS Code the extension needs: its language client need not compare versions again. 20 kB less. */
const withoutVersionCheck = without(
  'without-version-check',
  [/^semver\/functions\/(parse|satisfies)$/],
  /[\\/]vscode-languageclient[\\/]/,
  'module.exports = () => ({ prerelease: [] });',
);

/** Features of the language client that our server does not ask for: the modules, and what they export. */
const UNUSED_FEATURES = {
  fileOperations: ['DidCreate', 'DidRename', 'DidDelete', 'WillCreate', 'WillRename', 'WillDelete'].map(
    (event) => `${event}Files`,
  ),
  callHierarchy: ['CallHierarchy'],
  typeHierarchy: ['TypeHierarchy'],
  inlineValue: ['InlineValue'],
  inlineCompletion: ['InlineCompletionItem'],
  colorProvider: ['ColorProvider'],
  declaration: ['Declaration'],
  implementation: ['Implementation'],
  typeDefinition: ['TypeDefinition'],
  textDocumentContent: ['TextDocumentContent'],
};

/** Documents are not chosen by a pattern either. 46 kB less. */
const withoutFeatures = without(
  'without-features',
  [new RegExp(String.raw`^\./(?:utils/globPattern|${Object.keys(UNUSED_FEATURES).join('|')})$`)],
  /[\\/]vscode-languageclient[\\/]/,
  `class Feature { fillClientCapabilities() {} initialize() {} getState() { return { kind: 'static' }; } clear() {} }
export { ${Object.values(UNUSED_FEATURES)
    .flat()
    .map((name) => `Feature as ${name}Feature`)
    .join(', ')} };
export const matchGlobPattern = () => false;`,
);

/** undici reads bodies that are forms with its own fetch; ours are texts. 42 kB less. */
const withoutForms = without(
  'without-forms',
  [/^\.\.\/web\/fetch\/body\.js$/],
  /[\\/]undici[\\/]lib[\\/]dispatcher[\\/]/,
);

/** The library's check of answers to questions, of which we ask none, compiles code. */
const withoutSchemaCompiler = without('without-schema-compiler', [/^ajv(-formats)?$/], /./);

/**
 * undici carries its HTTP parser twice, with and without SIMD; every processor that Node and VS Code are built for has SIMD,
 * but for POWER. 72 kB less.
 * @type {import('esbuild').Plugin}
 */
const oneHttpParser = {
  name: 'one-http-parser',
  setup(builder) {
    builder.onResolve({ filter: /\/llhttp\/llhttp-wasm\.js$/ }, ({ resolveDir }) => ({
      path: path.join(resolveDir, '..', 'llhttp', 'llhttp_simd-wasm.js'),
    }));
  },
};

/**
 * The editor's face is copied once for the bundle, not once for each file that imports it: it has hundreds of members, and
 * fifty copies took longer than all the rest of the extension's start.
 * @type {import('esbuild').Plugin}
 */
const oneEditor = {
  name: 'one-editor',
  setup(builder) {
    builder.onResolve({ filter: /^vscode$/ }, ({ namespace }) =>
      namespace === 'editor' ? { path: 'vscode', external: true } : { path: 'vscode', namespace: 'editor' },
    );
    builder.onLoad({ filter: /./, namespace: 'editor' }, () => ({ contents: "export * from 'vscode';" }));
  },
};

/**
 * Makes a bundle an executable program.
 * @param {string} file in dist/
 * @returns {import('esbuild').Plugin}
 */
const executable = (file) => ({
  name: 'executable',
  setup(builder) {
    builder.onEnd(() => chmod(path.join(root, 'dist', file), 0o755));
  },
});

const node = {
  bundle: true,
  platform: 'node',
  // jsonc-parser's CommonJS build loads its parts in a way no bundler can follow.
  mainFields: ['module', 'main'],
  target: 'node20',
  format: 'cjs',
  // `import()` of a bundle becomes `require`: Node's own would read the file twice more, to see what kind of module it is and
  // what it exports, a fifth of a command's start.
  supported: { 'dynamic-import': false },
  minify: !dev,
  keepNames: false,
  sourcemap: dev ? 'linked' : false,
  metafile: true,
  logLevel: 'warning',
  legalComments: 'none',
  define: { PRODUCT_VERSION: JSON.stringify(version) },
  absWorkingDir: root,
  outdir: 'dist',
  external: ['vscode', 'litesvm', 'litesvm/*'],
};

const inShells = {
  ...node,
  plugins: [sharedTransports, toolsForModels, conversion],
  logLevel: /** @type {const} */ ('silent'),
};
/** Bundles that take nothing from a store; without the others, nobody needs to know what stores hold. */
const WITHOUT_STORES = new Set(['grpc', 'webview']);
const stores = only?.every((name) => WITHOUT_STORES.has(name))
  ? { shared: [], later: [], lsp: [], wire: [] }
  : await storesOf(inShells, {
      server: 'server/main.ts',
      streamWorker: 'server/streams/worker.ts',
      cli: 'cli/main.ts',
      languageClient: 'client/server/languageClient.ts',
      net: 'net/transports.ts',
      localnet: 'localnet/main.ts',
    });
const { shared, later, lsp, wire } = stores;
const protocol = fromStores(root, { lsp });
const shell = { ...node, plugins: [sharedTransports, fromStores(root, stores)] };

/** @type {Record<string, import('esbuild').BuildOptions & { entryPoints: Record<string, string> }>} */
const bundles = {
  client: {
    ...node,
    entryPoints: { client: 'client/extension.ts' },
    plugins: [languageClient, conversion, oneEditor, protocol],
  },
  languageClient: {
    ...node,
    entryPoints: { languageClient: 'client/server/languageClient.ts' },
    plugins: [withoutVersionCheck, withoutFeatures, protocol],
  },
  shared: {
    ...node,
    entryPoints: { shared: 'store' },
    plugins: [sharedTransports, storeEntry(root, shared), fromStores(root, { later, lsp, wire })],
  },
  later: {
    ...node,
    entryPoints: { later: 'store' },
    plugins: [sharedTransports, storeEntry(root, later), fromStores(root, { shared, lsp, wire })],
  },
  lsp: { ...node, entryPoints: { lsp: 'store' }, plugins: [storeEntry(root, lsp)] },
  wire: { ...node, entryPoints: { wire: 'store' }, plugins: [storeEntry(root, wire)] },
  server: { ...shell, entryPoints: { server: 'server/main.ts' } },
  cli: {
    ...shell,
    entryPoints: { cli: 'cli/main.ts' },
    banner: { js: '#!/usr/bin/env node' },
    plugins: [toolsForModels, conversion, ...shell.plugins, executable('cli.js')],
  },
  net: {
    ...node,
    entryPoints: { net: 'net/transports.ts' },
    plugins: [grpcLibrary, oneHttpParser, withoutForms, withoutHttp2, fromStores(root, { shared, wire })],
  },
  grpc: {
    ...node,
    entryPoints: { grpc: 'net/grpc/grpcJsLibrary.ts' },
    plugins: [withoutGrpcServer, withoutGrpcBalancers, withoutGrpcCounts],
  },
  mcp: { ...shell, entryPoints: { mcp: 'cli/mcp/mcp.ts' }, plugins: [...shell.plugins, withoutSchemaCompiler] },
  convert: { ...shell, entryPoints: { convert: 'core/requests/convert/convert.ts' } },
  streamWorker: { ...shell, entryPoints: { streamWorker: 'server/streams/worker.ts' } },
  localnet: { ...node, entryPoints: { localnet: 'localnet/main.ts' }, plugins: [fromStores(root, { wire })] },
};

/** The pages of the panels, one bundle each with its styles. */
const pages = readdirSync(path.join(root, 'client', 'webview'), { withFileTypes: true })
  .map(({ name }) => [name, path.join('client', 'webview', name, 'main.ts')])
  .filter(([, entry]) => existsSync(path.join(root, entry)));
if (pages.length > 0)
  bundles.webview = {
    ...node,
    platform: 'browser',
    target: 'chrome120',
    format: 'iife',
    entryPoints: Object.fromEntries(pages.map(([name, entry]) => [`webview/${name}`, entry])),
  };

const wanted = Object.entries(bundles).filter(([name]) => only === undefined || only.includes(name));
if (!watch && only === undefined) await rm(path.join(root, 'dist'), { recursive: true, force: true });
await mkdir(path.join(root, 'dist', 'meta'), { recursive: true });
await Promise.all(
  wanted.map(async ([name, options]) => {
    if (watch) {
      const running = await context(options);
      await running.watch();
      return;
    }
    const result = await build(options);
    await writeFile(path.join(root, 'dist', 'meta', `${name}.json`), JSON.stringify(result.metafile));
  }),
);
if (!watch && only === undefined) await writeNotices();
if (watch) process.stdout.write('watching\n');
