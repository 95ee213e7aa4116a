// The files that go into the VSIX, as data: an allow-list. Any other file stays out.

/**
 * Files of one folder. `required` ones must be there, else packaging fails.
 * @typedef {{ readonly folder: string, readonly endings: readonly string[], readonly recursive?: boolean,
 *   readonly required?: readonly string[], readonly except?: readonly string[] }} Allowed
 */

/** The extension's page: packed as its README. Its pictures lie in the repository alone, and the page links to them there. */
export const PAGE = 'EXTENSION.md';

/** @type {readonly Allowed[]} */
export const ALLOWED = [
  {
    folder: '.',
    endings: [PAGE, 'CHANGELOG.md', 'LICENSE', 'language-configuration.json', 'package.nls.json'],
    required: [PAGE, 'CHANGELOG.md', 'LICENSE', 'language-configuration.json'],
  },
  {
    folder: 'dist',
    endings: ['.js', 'THIRD_PARTY_NOTICES.txt'],
    required: [
      'client.js',
      'languageClient.js',
      'server.js',
      'shared.js',
      'later.js',
      'lsp.js',
      'wire.js',
      'streamWorker.js',
      'net.js',
      'grpc.js',
      'cli.js',
      'convert.js',
      'mcp.js',
      'localnet.js',
      'THIRD_PARTY_NOTICES.txt',
    ],
  },
  { folder: 'dist/webview', endings: ['.js', '.css'] },
  { folder: 'media', endings: ['.svg', '.png', '.md'], recursive: true, required: ['icon.png'], except: ['icon.svg'] },
  { folder: 'syntaxes', endings: ['.tmLanguage.json'], required: ['jsonrpc.tmLanguage.json'] },
  { folder: 'walkthrough', endings: ['.md', '.svg', '.png', '.jsonrpc'], recursive: true },
  { folder: 'examples', endings: ['.jsonrpc'], recursive: true },
  { folder: 'l10n', endings: ['.json'] },
];

/** Parts of package.json that mean nothing in an installed extension. */
export const NOT_IN_MANIFEST = [
  'private',
  'files',
  'bin',
  'scripts',
  'dependencies',
  'optionalDependencies',
  'devDependencies',
];

/**
 * VS Code's name of a platform → LiteSVM's package for it. No entry (Windows): the VSIX has no local service's engine.
 * @type {ReadonlyMap<string, string>}
 */
export const ENGINES = new Map([
  ['linux-x64', 'litesvm-linux-x64-gnu'],
  ['linux-arm64', 'litesvm-linux-arm64-gnu'],
  ['alpine-x64', 'litesvm-linux-x64-musl'],
  ['alpine-arm64', 'litesvm-linux-arm64-musl'],
  ['darwin-x64', 'litesvm-darwin-x64'],
  ['darwin-arm64', 'litesvm-darwin-arm64'],
]);

/** The most that people download, in bytes: `code` is the scripts of a VSIX without the file of the verb `mcp`. */
export const SIZE_LIMITS = { code: 3_200_000, universal: 1_400_000, platform: 7_000_000 };

/**
 * Whether a file of a VSIX counts as code.
 * @param {string} name
 */
export const isCode = (name) => name.endsWith('.js') && name !== 'extension/dist/mcp.js';
