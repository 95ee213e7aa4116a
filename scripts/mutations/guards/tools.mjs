// Guards of the tools for language models in the terminal: where their requests may go, which files they read, and that no
// key passes through them.
const MCP = 'test/protocol/mcp/mcp.test.ts';
/** @type {readonly import('../list.mjs').TestPlace[]} */
const ELSEWHERE = [[MCP, 'goes to no other endpoint']];
/** @type {readonly import('../list.mjs').TestPlace[]} */
const KEYS = [[MCP, 'hold a key are refused']];
/** @type {readonly import('../list.mjs').TestPlace[]} */
const OUTSIDE = [[MCP, 'name no file outside']];

/** @type {readonly import('../list.mjs').Group[]} */
export const TOOLS = [
  {
    file: 'cli/mcp/host.ts',
    tests: ELSEWHERE,
    edits: [
      [
        'a tool names an endpoint that was allowed',
        'if (endpoint !== LOCAL && !allowed.profiles.has(endpoint)) throw',
        'if (false) throw',
      ],
      ['a request goes to a host that was allowed', 'if (!origins.includes(origin)) return', 'if (false) return'],
      [
        'a transaction is sent only where it was allowed',
        'if (sendsTransaction(request) && !allowed.send)',
        'if (false)',
        [[MCP, 'is never a transaction unless']],
      ],
      [
        'no tool saves a response',
        'mayWrite: () => Promise.resolve(failed(noSave)),\n        write: () => Promise.resolve(failed(noSave)),',
        '',
        [[MCP, 'save nothing']],
      ],
    ],
  },
  {
    file: 'cli/mcp/answer.ts',
    tests: ['test/unit/tools/tools.test.ts'],
    edits: [
      ['an answer is labelled as data', 'JSON.stringify({ note: DATA_NOTE, ...value })', 'JSON.stringify(value)'],
      ['a refusal is labelled as data', 'JSON.stringify({ note: DATA_NOTE, error })', 'JSON.stringify({ error })'],
    ],
  },
  {
    file: 'client/window/tools.ts',
    tests: ['test/unit/tools/editor-tools.test.ts'],
    edits: [
      ['an answer in the editor is labelled as data', '[DATA_NOTE, text].map(', '[text].map('],
      ['names of endpoints in a refusal are labelled as data', '`${DATA_NOTE}\\n\\nThere is', '`There is'],
    ],
  },
  {
    file: 'cli/mcp/mcp.ts',
    tests: [[MCP, 'by a name that exists']],
    edits: [['an endpoint is allowed by a name that exists', 'else if (name !== LOCAL) {', 'else if (false) {']],
  },
  {
    file: 'cli/mcp/tools.ts',
    tests: KEYS,
    edits: [
      ['a known key is not accepted as an argument', 'if (host.redact(text) !== text) throw', 'if (false) throw'],
      [
        'an argument that looks like a key is refused',
        'holdsKey({ [name]: value }, isWalletKey))',
        'isWalletKey(value))',
      ],
      [
        'the key of a wallet is not accepted as an argument',
        'FREE.includes(name) ? isWalletKey(value)',
        'FREE.includes(name) ? false',
      ],
      ['a file is inside the folder', 'createFilePort(host.folder).read(', "createFilePort('/').read(", OUTSIDE],
      ['a file is a request file', "if (!file.endsWith('.jsonrpc')) throw", 'if (false) throw', OUTSIDE],
    ],
  },
];
