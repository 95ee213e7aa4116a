// Guards of the terminal: what a repository, a command line and a request file may not decide there, and what its output
// may not do.
const ARGV = 'test/unit/cli/key-guards.test.ts';
const PARTS = 'test/unit/cli/cli-parts.test.ts';

/** @type {readonly import('../list.mjs').Group[]} */
export const TERMINAL = [
  {
    file: 'cli/session/endpoints.ts',
    tests: ['test/unit/cli/endpoint-guards.test.ts'],
    edits: [
      [
        '"origins" of a repository name no place for a key',
        '...user.origins,',
        '...user.origins,\n    ...project.origins,',
      ],
      [
        'URLs of a repository name no place for a key',
        '...user.endpoints.flatMap(',
        '...[...user.endpoints, ...project.endpoints].flatMap(',
      ],
      [
        '"wallets" of a repository name no keypair file',
        'walletFiles(given, user.wallets)',
        'walletFiles(given, new Map([...project.wallets, ...user.wallets]))',
      ],
      [
        '--auth does not say how a key travels to a project’s address',
        "if (own.auth !== undefined && chosen.source === 'workspace')",
        'if (false)',
      ],
      [
        'a project’s address is not taken for a plain node',
        "const isPlain = source === 'user' && keys.size === 0;",
        'const isPlain = keys.size === 0;',
      ],
    ],
  },
  {
    file: 'cli/session/readFiles.ts',
    tests: ['test/unit/cli/watching.test.ts'],
    edits: [['--watch does not send again and again what saves its response', ' && !this.#written.has(state)', '']],
  },
  {
    file: 'cli/session/keys.ts',
    tests: [ARGV],
    edits: [
      [
        'a key goes to the origins that were allowed',
        'if (secret === undefined || !allowed.has(origin))',
        'if (secret === undefined)',
      ],
      [
        'an RPC key goes to gRPC only where a provider has one key',
        "const isShared = type === 'grpc' && !keys.has('grpc') && takesRpcKey(origin);",
        "const isShared = type === 'grpc' && !keys.has('grpc');",
      ],
      ['standard input is bounded', 'readAll(stdin, MAX_STDIN,', 'readAll(stdin, Infinity,'],
      ['standard input holds one key of a type', 'if (keys.has(type))', 'if (false)'],
      [
        'SOLANA_RPC_ORIGIN holds origins',
        "if (origin === undefined) throw new UsageError('SOLANA_RPC_ORIGIN is not an origin.');",
        "if (origin === undefined) return '';",
      ],
    ],
  },
  {
    file: 'cli/session/keysInArgv.ts',
    tests: [ARGV],
    edits: [
      [
        'an option that names a key is refused',
        "if (option !== undefined && namesKey(option, 'argument') && !isForm) throw keyRefusal();",
        '',
      ],
      [
        'a wallet’s secret key is not accepted as an argument',
        'if (isWallet && isSecretKey(',
        'if (false && isSecretKey(',
        ['test/unit/cli/keys-in-argv.test.ts'],
      ],
      ['a key in a URL of the command line is refused', 'return urlHoldsKey(name', 'return false && urlHoldsKey(name'],
      ['a user name in a URL of the command line is refused', "if (host.includes('@')) return true;", ''],
      [
        'a key in a path of the command line is refused',
        'if (segments.some((segment) => looksLikeKey(unescaped(segment)))) return true;',
        '',
      ],
      [
        'a key in a query of the command line is refused',
        "return asked.join('&').split('&').some(parameterHoldsKey);",
        'return false;',
      ],
      [
        'a variable that names a key is refused',
        "if (name !== '' && (isKeyVariable(name) ||",
        "if (name !== '' && (false ||",
      ],
      [
        'a word that looks like a key is refused',
        'throw keyRefusal();\n}\n\n/** An argument',
        'continue;\n}\n\n/** An argument',
      ],
      ['a key is not repeated', "(looksLikeKey(text) ? '…' : text)", '(text)'],
    ],
  },
  {
    file: 'cli/session/variables.ts',
    tests: [ARGV],
    edits: [['nothing allows a key of the environment', 'if (isKeyVariable(name)) throw', 'if (false) throw']],
  },
  {
    file: 'cli/session/wallets.ts',
    tests: [ARGV],
    edits: [
      ['a project has no wallet', "wallets.has(wanted) && placed.source !== 'workspace'", 'wallets.has(wanted)'],
      ['off this machine every signature asks', ' || place === undefined || !isLoopback(place)', ''],
      [
        'a wallet that a request names asks everywhere',
        'byName.length > 0 || place === undefined',
        'place === undefined',
      ],
    ],
  },
  {
    file: 'cli/session/ports.ts',
    tests: ['test/net/landing-terminal.test.ts'],
    edits: [
      ['a run in the terminal learns the chain from its own answers', "if (event.kind === 'done' &&", 'if (false &&'],
      ['an answer of another URL says nothing of an endpoint', 'event.isElsewhere !== true', 'true'],
    ],
  },
  {
    file: 'cli/session/ports.ts',
    tests: [ARGV],
    edits: [
      [
        'no request reads a key',
        'if (isKeyVariable(name)) return `${name} is for a key',
        'if (false) return `${name} is for a key',
      ],
      [
        'no request reads the value of a key under another name',
        "return text !== undefined && text !== '' && keys.has(text)",
        "return text !== undefined && text === '' && keys.has(text)",
      ],
      [
        'a variable of the environment needs permission',
        'isAllowed: (name) => allowedEnvironment.has(name) || extraEnvironment.has(name),',
        'isAllowed: () => true,',
      ],
      [
        'a question without a terminal is answered no',
        'if (!isInteractive()) return false;',
        'if (!isInteractive()) return true;',
      ],
    ],
  },
  {
    file: 'cli/terminal.ts',
    tests: [PARTS],
    edits: [
      ['control characters are escaped', 'return escapeUnseen(text).replace(COMMAND', 'return text.replace(COMMAND'],
      [
        'commands of build servers are escaped',
        '.replace(COMMAND, (found) => `${found.slice(0, -1)}${escaped(found.slice(-1))}`)',
        '',
      ],
      [
        'JSON on a terminal is escaped',
        'if (isTTY === true) return escapeText(json);',
        'if (isTTY === true) return json;',
      ],
      [
        'JSON in a build log holds no command',
        'return isBuildLog(process.env) ? withoutHashes(json) : json;',
        'return json;',
        ['test/unit/cli/report-github.test.ts', PARTS],
      ],
      ['a line is bounded', 'escapeText(shortened(text, max)', 'escapeText(text'],
    ],
  },
  {
    file: 'cli/report/junit.ts',
    tests: [PARTS, 'test/unit/cli/every-sink-reports.test.ts'],
    edits: [
      ['XML is escaped', '.replace(/[&<>"\']/g, (char) => ENTITIES[char] ?? char)', ''],
      [
        'what XML cannot hold is written out',
        ".replace(UNWRITABLE, (char) => `\\\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)",
        '',
      ],
    ],
  },
  {
    file: 'cli/session/values.ts',
    tests: [['test/protocol/cli/completion.test.ts', 'none that a shell would run']],
    edits: [['a completion holds nothing that a shell reads', '.filter((name) => HARMLESS.test(name))', '']],
  },
  {
    file: 'core/requests/convert/body.ts',
    tests: ['test/unit/document/convert-lines.test.ts'],
    edits: [
      [
        'a "#" in the body of a .http file loses no request',
        "replaced(given, foreign, (piece) => (piece.startsWith('#') ? '//' : piece))",
        'given',
      ],
    ],
  },
  {
    file: 'core/requests/convert/convert.ts',
    tests: ['test/unit/document/convert-lines.test.ts'],
    edits: [
      ['a request is not converted without its body', 'if (file !== undefined) {', 'if (false) {'],
      [
        'a line of a .http file that belongs nowhere is named',
        'for (const { text, number } of block.strays)',
        'for (const { text, number } of [])',
      ],
    ],
  },
  {
    file: 'core/requests/document/bodyScan.ts',
    tests: ['test/unit/language/checks/corpus-faulty.test.ts'],
    edits: [['each "#" in a body is named', 'misplaced = closed ? this.#foreign : []', 'misplaced = []']],
  },
  {
    file: 'core/requests/methods/checkValue.ts',
    tests: ['test/unit/methods/methods-check.test.ts'],
    edits: [['a filter without its memcmp is one finding', 'if (outer !== undefined) {', 'if (false) {']],
  },
  {
    file: 'core/requests/curl/shells.ts',
    tests: ['test/unit/document/curl-terminal.test.ts'],
    edits: [['prompts are no part of a command', "line.replace(CONTINUED, '')", 'line']],
  },
  {
    file: 'core/service/profiles/envFile.ts',
    tests: ['test/unit/values/env-file.test.ts'],
    edits: [
      ['a key of --env-file is left out', 'if (isKeyVariable(name)) continue;', ''],
      [
        'a variable without its reference is left out',
        'if (missing === undefined) values.set(name, value);',
        'if (true) values.set(name, value);',
      ],
    ],
  },
  {
    file: 'cli/localnet.ts',
    tests: ['test/protocol/localnet/cli-localnet-options.test.ts'],
    edits: [
      ['a seed reaches the service', 'known({ seed, source', 'known({ source'],
      ['a command with --with-parent ends with it', "if (given.has('--with-parent')) endWithParent(stop);", ''],
    ],
  },
];
