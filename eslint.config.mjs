// Typed lint rules for the whole tree, and one import rule per room (ARCHITECTURE.md, "Directions").
import tseslint from 'typescript-eslint';

const NODE = { group: ['node:*'], message: 'core is pure: pass it in as a parameter.' };
const room = (name) => ({ group: [`**/${name}/**`, `**/${name}`], message: `This room may not import ${name}.` });
const packages = (...names) => ({
  group: names.flatMap((name) => [name, `${name}/**`]),
  message: 'This room may not import that package.',
});
const SOCKETS = packages('undici', 'ws', '@grpc/grpc-js');
const SOCKET_MODULES = {
  group: ['node:http', 'node:https', 'node:http2', 'node:net', 'node:tls', 'node:dgram'],
  message: 'Only net and localnet open sockets.',
};
const VSCODE = packages('vscode');
const LSP = packages(
  'vscode-languageserver',
  'vscode-languageclient',
  'vscode-jsonrpc',
  'vscode-languageserver-protocol',
);

const rooms = (...names) => names.map(room);
const directions = {
  core: [
    NODE,
    ...rooms('runner', 'protocol', 'net', 'process', 'server', 'client', 'cli', 'localnet'),
    SOCKETS,
    VSCODE,
    LSP,
  ],
  proto: [
    NODE,
    ...rooms('runner', 'protocol', 'net', 'process', 'server', 'client', 'cli', 'localnet'),
    SOCKETS,
    VSCODE,
    LSP,
  ],
  runner: [
    ...rooms('protocol', 'net', 'process', 'server', 'client', 'cli', 'localnet'),
    SOCKETS,
    SOCKET_MODULES,
    VSCODE,
    LSP,
  ],
  protocol: [...rooms('runner', 'net', 'process', 'server', 'client', 'cli', 'localnet'), NODE, SOCKETS, VSCODE, LSP],
  net: [...rooms('runner', 'protocol', 'process', 'server', 'client', 'cli', 'localnet'), VSCODE, LSP],
  process: [
    ...rooms('runner', 'protocol', 'net', 'server', 'client', 'cli', 'localnet'),
    SOCKETS,
    SOCKET_MODULES,
    VSCODE,
    LSP,
  ],
  server: [...rooms('client', 'cli', 'localnet'), SOCKETS, SOCKET_MODULES, VSCODE, packages('vscode-languageclient')],
  client: [
    ...rooms('runner', 'net', 'server', 'cli', 'localnet', 'document', 'language', 'methods'),
    SOCKETS,
    SOCKET_MODULES,
    packages('vscode-languageserver', 'litesvm'),
  ],
  cli: [...rooms('protocol', 'server', 'client', 'localnet'), SOCKETS, SOCKET_MODULES, VSCODE, LSP],
  localnet: [
    ...rooms(
      'runner',
      'protocol',
      'net',
      'process',
      'server',
      'client',
      'cli',
      'document',
      'language',
      'methods',
      'run',
    ),
    packages('undici'),
    VSCODE,
    LSP,
  ],
};

export default tseslint.config(
  { ignores: ['core/platform.d.ts', 'dist/', 'out/', 'node_modules/', '**/*.mjs', 'test/fixtures/', 'proto/gen/'] },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: { project: ['./tsconfig.json', './client/webview/tsconfig.json'] },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/require-await': 'off',
      'no-console': 'error',
      'max-lines': ['error', { max: 400, skipBlankLines: false, skipComments: false }],
      eqeqeq: 'error',
    },
  },
  ...Object.entries(directions).map(([folder, patterns]) => ({
    files: [`${folder}/**/*.ts`],
    rules: { 'no-restricted-imports': ['error', { patterns }] },
  })),
  {
    files: ['core/**/*.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'core has no clock: pass the time in.' },
        { object: 'Math', property: 'random', message: 'core has no randomness: pass it in.' },
      ],
      'no-restricted-globals': ['error', 'process', 'Buffer', 'setTimeout', 'setInterval', 'fetch', 'console'],
    },
  },
  {
    files: ['client/webview/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            ...rooms('runner', 'net', 'process', 'server', 'cli', 'localnet', 'document', 'language', 'methods'),
            NODE,
            SOCKETS,
            VSCODE,
            LSP,
          ],
        },
      ],
      'no-restricted-properties': [
        'error',
        ...['innerHTML', 'outerHTML', 'insertAdjacentHTML', 'write', 'createContextualFragment'].map((property) => ({
          property,
          message: 'No text becomes HTML (I9): see client/webview/shared/dom.ts.',
        })),
      ],
    },
  },
  {
    // node:test's `test()` and `describe()` return promises that the runner itself awaits.
    files: ['test/**/*.ts'],
    rules: { '@typescript-eslint/no-floating-promises': 'off' },
  },
);
