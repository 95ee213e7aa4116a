// Which room may import what: the one table behind the linter (scripts/lint.mjs), the test over the bundles
// (test/package/directions.test.ts) and the table of ARCHITECTURE.md, "Directions".
import path from 'node:path';

const SOCKET_PACKAGES = ['undici', 'ws', '@grpc/grpc-js'];
/** Node modules that open sockets. */
export const SOCKET_MODULES = ['http', 'https', 'http2', 'net', 'tls', 'dgram'];

/**
 * @typedef {object} Room
 * @property {readonly string[]} rooms other rooms, or folders of them, that its files may import, types included
 * @property {readonly string[]} [packages] packages that its files may import; absent: any that `never` does not name
 * @property {readonly string[]} [never] packages that its files may not import
 * @property {readonly string[]} [noNode] Node modules that its files may not import; `*` is all of them
 */

/** @type {Readonly<Record<string, Room>>} by folder; the longest prefix of a path decides */
export const ROOMS = {
  // The three floors of core: each imports only what is below it.
  'core/solana': { rooms: ['proto'], packages: ['@noble/curves', '@noble/hashes'], noNode: ['*'] },
  'core/service': { rooms: ['core/solana', 'proto'], packages: [], noNode: ['*'] },
  'core/requests': {
    rooms: ['core/solana', 'core/service', 'proto'],
    packages: ['jsonc-parser', 'vscode-languageserver-types'],
    noNode: ['*'],
  },
  proto: { rooms: [], packages: ['@bufbuild/protobuf'], noNode: ['*'] },
  runner: { rooms: ['core'], packages: [], noNode: SOCKET_MODULES },
  protocol: { rooms: ['core'], packages: ['vscode-jsonrpc'], noNode: ['*'] },
  net: { rooms: ['core', 'proto'], never: ['vscode', 'vscode-languageserver', 'vscode-languageclient', 'litesvm'] },
  process: { rooms: ['core'], packages: [], noNode: SOCKET_MODULES },
  server: {
    rooms: ['core', 'runner', 'net', 'protocol', 'proto', 'process'],
    never: [...SOCKET_PACKAGES, 'vscode', 'vscode-languageclient', 'litesvm'],
    noNode: SOCKET_MODULES,
  },
  client: {
    // Of the requests, only what needs neither their text nor the records of methods.
    rooms: [
      'core/solana',
      'core/service',
      'core/requests/convert',
      'core/requests/copy/request',
      'core/requests/curl',
      'core/requests/tools',
      'protocol',
      'process',
    ],
    packages: ['vscode', 'vscode-languageclient'],
    noNode: SOCKET_MODULES,
  },
  'client/webview': {
    rooms: ['protocol', 'core/solana/common', 'core/solana/chain', 'core/service/response/table'],
    packages: [],
    noNode: ['*'],
  },
  cli: {
    rooms: ['core', 'runner', 'net', 'process'],
    never: [
      ...SOCKET_PACKAGES,
      'vscode',
      'vscode-languageserver',
      'vscode-languageclient',
      'vscode-jsonrpc',
      'litesvm',
    ],
    noNode: SOCKET_MODULES,
  },
  // The service side of localnet, and what both sides share; of the ledger side its faces, and how it reads and writes values.
  // Of process, what every process needs that writes files or ends with another, and what those that start the service know
  // of its options.
  localnet: {
    rooms: [
      'core/solana/chain',
      'core/solana/common',
      'core/solana/encoding',
      'core/solana/json',
      'proto',
      'process/leftovers',
      'process/localnetOptions',
      'process/parent',
      'process/places',
      'process/running',
      'localnet/node/open',
      'localnet/ledger/consensus',
      'localnet/ledger/ledger',
      'localnet/ledger/types',
      'localnet/ledger/saved',
      'localnet/ledger/errorTable',
      'localnet/ledger/bounds',
      'localnet/ledger/accounts/addresses',
      'localnet/rpc/failure',
      'localnet/rpc/format',
      'localnet/rpc/parsed/tokenAmount',
    ],
    packages: ['@bufbuild/protobuf', 'ws'],
  },
  'localnet/ledger': {
    rooms: ['core/solana/chain', 'core/solana/encoding', 'localnet/api'],
    packages: ['litesvm'],
    noNode: SOCKET_MODULES,
  },
  // The layouts of programs are shared with the views: tests compare what both print with the public clients and with recorded
  // answers, so a table typed a second time would find no mistake that they do not.
  'localnet/rpc': {
    rooms: [
      'core/solana/chain',
      'core/solana/common',
      'core/solana/encoding',
      'core/solana/json',
      'core/solana/layouts',
      'localnet/api',
      'localnet/slices',
      'localnet/wireJson',
      'localnet/ledger',
    ],
    packages: [],
    noNode: SOCKET_MODULES,
  },
  // Joins the two: a ledger, and the engine that answers calls on it.
  'localnet/node': { rooms: ['localnet/ledger', 'localnet/rpc'], packages: [], noNode: SOCKET_MODULES },
};

/**
 * @param {string} file path from the root, with `/`
 * @returns {string | undefined} the room it belongs to
 */
export const roomOf = (file) =>
  Object.keys(ROOMS)
    .filter((room) => file.startsWith(`${room}/`))
    .sort((a, b) => b.length - a.length)[0];

/** @param {string} to @param {string} place a folder, or a file without its ending */
const within = (to, place) => to === place || to.startsWith(`${place}/`) || to.startsWith(`${place}.`);

/**
 * @param {string} room
 * @param {string} to path of a file here from the root, with or without its ending
 */
export const mayImportFile = (room, to) => {
  const { rooms } = /** @type {Room} */ (ROOMS[room]);
  // A room inside another one is another room.
  return roomOf(to) === room || rooms.some((place) => within(to, place));
};

/** @param {string} room @param {string} name a package, without the path inside it */
export const mayImportPackage = (room, name) => {
  const { packages, never = [] } = /** @type {Room} */ (ROOMS[room]);
  return packages === undefined ? !never.includes(name) : packages.includes(name);
};

/** @param {string} room @param {string} name a Node module, without `node:` */
export const mayImportNode = (room, name) => {
  const { noNode = [] } = /** @type {Room} */ (ROOMS[room]);
  return !noNode.includes('*') && !noNode.includes(name);
};

/** @param {string} specifier @returns {string | undefined} */
const packageOf = (specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0];

/**
 * The linter's context for a rule. It publishes no types of it.
 * @typedef {{ readonly filename: string, report(finding: { readonly node: object, readonly message: string }): void }} RuleContext
 */

/**
 * The linter's view of the table: every import, export-from and `import()`, type-only ones included.
 * @param {string} root
 */
export const directionsRule = (root) => ({
  meta: { type: 'problem', schema: [] },
  /** @param {RuleContext} context */
  create(context) {
    const file = path.relative(root, context.filename).replaceAll('\\', '/');
    const room = roomOf(file);
    if (room === undefined) return {};
    /** @param {{ readonly source?: unknown }} node */
    const check = (node) => {
      const specifier = /** @type {{ source?: { value?: unknown } }} */ (node).source?.value;
      if (typeof specifier !== 'string') return;
      const allowed = specifier.startsWith('.')
        ? mayImportFile(room, path.posix.join(path.posix.dirname(file), specifier))
        : specifier.startsWith('node:')
          ? mayImportNode(room, specifier.slice('node:'.length))
          : mayImportPackage(room, packageOf(specifier) ?? specifier);
      if (!allowed)
        context.report({ node, message: `${room} may not import ${specifier} (ARCHITECTURE.md, "Directions").` });
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
      TSImportType: check,
    };
  },
});

/** The table of ARCHITECTURE.md, "Directions", as Markdown. */
export const directionsTable = () => {
  const words = (/** @type {readonly string[]} */ names) => (names.length === 0 ? 'none' : names.join(', '));
  const rows = Object.entries(ROOMS).map(([room, { rooms, packages, never = [], noNode = [] }]) => {
    const others = packages === undefined ? `any but ${words(never)}` : words(packages);
    const node = noNode.includes('*') ? 'none' : noNode.length > 0 ? 'all but those that open sockets' : 'all';
    return `| ${room} | ${words(rooms)} | ${others} | ${node} |`;
  });
  return ['| Folder | Other rooms | Packages | Node modules |', '|---|---|---|---|', ...rows].join('\n');
};
