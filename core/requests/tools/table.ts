// The tools for language models: one table for the editor's (package.json, languageModelTools; client/window/tools.ts) and for
// those that `solana-rpc mcp` offers.
import { MAX_TOOL_NAME, MAX_TEXT, MAX_TRANSACTION } from './limits';
import type { ObjectSchema, Schema } from './schema';

export type ToolName =
  | 'list_methods'
  | 'explain_method'
  | 'list_endpoints'
  | 'check'
  | 'run'
  | 'run_file'
  | 'decode_transaction'
  | 'decode_account'
  | 'explain_transaction'
  | 'simulate'
  | 'read_stream';

export interface Tool {
  readonly name: ToolName;
  /** Its name in VS Code, if it is offered there. */
  readonly editorName?: string;
  readonly title: string;
  readonly description: string;
  readonly input: ObjectSchema;
  /** Arguments that only the terminal's tool takes. */
  readonly terminalInput?: Readonly<Record<string, Schema>>;
  readonly output: ObjectSchema;
  /** Whether it can send a request. */
  readonly sends: boolean;
}

const text = (description: string, maxLength = MAX_TOOL_NAME): Schema => ({ type: 'string', description, maxLength });
const list = (description: string, items: Schema = {}): Schema => ({ type: 'array', description, items });

const ENDPOINT = text('The name of an endpoint; left out, the local service.');
const FILE = text('A file inside the folder that the server was started in, in place of the text.', 1_000);
const TRANSACTION = text('A serialised transaction in base64 or base58.', MAX_TRANSACTION);
const LINES = list('What was decoded, a line per value, indented.', { type: 'string' });

const object = (
  properties: ObjectSchema['properties'],
  required: readonly string[] = Object.keys(properties),
): ObjectSchema => ({ type: 'object', properties, required });

const FINDING = object({
  code: { type: 'string' },
  severity: { type: 'string' },
  message: { type: 'string' },
  line: { type: 'integer', description: 'Zero-based.' },
  character: { type: 'integer', description: 'Zero-based, in UTF-16 units.' },
  fixes: list('Titles of the quick fixes.', { type: 'string' }),
});

const MORE: Schema = { type: 'integer', description: 'How many are left out.' };
const ERROR = object({ kind: { type: 'string' }, message: { type: 'string' } });

/** The outcome of a request. Integers above 2^53 - 1 are texts of their digits. */
const ROW = object(
  {
    file: { type: 'string' },
    line: { type: 'integer', description: 'One-based: where the block begins.' },
    name: { type: 'string' },
    method: { type: 'string' },
    endpoint: { type: 'string' },
    status: { type: 'string', description: 'passed, failed or skipped' },
    httpStatus: { type: 'integer' },
    response: { description: 'The JSON response. Integers above 2^53 - 1 are texts of their digits.' },
    responseText: { type: 'string', description: 'Its beginning, where it is too long.' },
    messages: list('The updates of a stream.'),
    moreMessages: MORE,
    error: ERROR,
    assertions: list('The lines that begin with ??.'),
  },
  ['method', 'endpoint', 'status'],
);

const DECODED = object(
  {
    what: { type: 'string' },
    title: { type: 'string', description: 'The signature or the address.' },
    isDecoded: { type: 'boolean', description: 'False where the layout is not known and the lines are guesses.' },
    lines: LINES,
    moreLines: MORE,
  },
  ['what', 'isDecoded', 'lines'],
);

const EXPLAINED = object(
  {
    outcome: { type: 'object', properties: {}, description: 'kind: succeeded, failed or notExecuted; the failure.' },
    version: { description: 'legacy or a number.' },
    signature: { type: 'string' },
    size: { type: 'object', properties: {}, description: 'bytes, and of how many.' },
    fee: { type: 'object', properties: {}, description: 'Lamports: total, base, priority.' },
    limits: { type: 'object', properties: {}, description: 'What was asked of the runtime, and what was used of it.' },
    calls: list(
      'In the order in which they began; path is the place in the tree.',
      object(
        {
          path: { type: 'string', description: '1.2 is the second call that instruction 1 made.' },
          program: { type: 'string' },
          programName: { type: 'string' },
          name: { type: 'string', description: 'The instruction.' },
          units: { type: 'object', properties: {}, description: 'Compute units: total, own.' },
          failure: { type: 'string', description: 'Its last words, where it failed.' },
          arguments: list('A line per value, indented.', { type: 'string' }),
          accounts: list('Their addresses with their roles.', { type: 'string' }),
          logs: list('Its own lines.', { type: 'string' }),
          events: list('A line per value, indented.', { type: 'string' }),
          isCut: { type: 'boolean', description: 'The log ends here, before its end.' },
        },
        ['path', 'program'],
      ),
    ),
    moreCalls: MORE,
    moreLogs: MORE,
    balances: list('Per owner: lamports and tokens before and after, in raw units.'),
    moreBalances: MORE,
    notes: list('What deserves a second look.', { type: 'string' }),
  },
  ['outcome', 'version', 'fee', 'limits', 'calls', 'balances', 'notes'],
);

export const TOOLS: readonly Tool[] = [
  {
    name: 'list_methods',
    editorName: 'solanaRpc_listMethods',
    title: 'List Solana RPC methods',
    description:
      "Lists the Solana JSON-RPC and WebSocket methods with their parameters, those of the workspace's OpenRPC documents among them. Sends nothing.",
    input: object(
      {
        query: text("Words that the method's name or summary holds; left out, all methods are listed."),
      },
      [],
    ),
    output: object({
      methods: list(
        'In the order of the documentation.',
        object({
          name: { type: 'string' },
          signature: { type: 'string' },
          summary: { type: 'string' },
          transport: { type: 'string', description: 'http, ws or both' },
        }),
      ),
      more: MORE,
    }),
    sends: false,
  },
  {
    name: 'explain_method',
    title: 'Explain a Solana RPC method',
    description:
      'Explains one method: parameters with their types, defaults and options, the result, errors. Sends nothing.',
    input: object({ method: text('The name of the method.') }),
    output: object(
      {
        name: { type: 'string' },
        isKnown: { type: 'boolean' },
        signature: { type: 'string' },
        explanation: { type: 'string', description: 'Markdown.' },
        parameters: list(
          'In the order of params.',
          object({
            name: { type: 'string' },
            type: { type: 'string' },
            required: { type: 'boolean' },
            explanation: { type: 'string' },
            members: list('Members of an object.', { type: 'string' }),
          }),
        ),
        similar: list('Names of methods that are spelled alike.', { type: 'string' }),
      },
      ['name', 'isKnown'],
    ),
    sends: false,
  },
  {
    name: 'list_endpoints',
    title: 'List the endpoints that may be used',
    description:
      'Lists the endpoints that the other tools may send to: the local service, and those that the user allowed.',
    input: object({}),
    output: object({
      endpoints: list(
        'By name.',
        object({ name: { type: 'string' }, host: { type: 'string' }, maySend: { type: 'boolean' } }),
      ),
    }),
    sends: false,
  },
  {
    name: 'check',
    editorName: 'solanaRpc_validate',
    title: 'Check Solana RPC requests',
    description:
      'Checks the text of a .jsonrpc request file: blocks that begin with ###, each with one JSON-RPC body. Answers every problem with its place. Sends nothing.',
    input: object({ text: { type: 'string', description: 'The whole text of the file.', maxLength: MAX_TEXT } }),
    terminalInput: { file: FILE },
    output: object({ ok: { type: 'boolean' }, findings: list('In the order of the text.', FINDING), more: MORE }),
    sends: false,
  },
  {
    name: 'run',
    editorName: 'solanaRpc_run',
    title: 'Run a Solana RPC request',
    description:
      'Sends one JSON-RPC request and gives its response. Without an endpoint it goes to the local service of this machine.',
    input: object(
      {
        method: text('The name of the method.'),
        params: list('The parameters by position.'),
        endpoint: ENDPOINT,
      },
      ['method'],
    ),
    output: ROW,
    sends: true,
  },
  {
    name: 'run_file',
    title: 'Run a file of Solana RPC requests',
    description:
      'Runs the requests of a .jsonrpc file in order, with its variables, references and assertions, and returns the outcome of each. No response is saved to a file, and the user is asked nothing.',
    input: object(
      {
        text: { type: 'string', description: 'The whole text of the file.', maxLength: MAX_TEXT },
        file: FILE,
        name: text('Only the request of this @name, and what it needs.'),
        endpoint: ENDPOINT,
      },
      [],
    ),
    output: object({
      ok: { type: 'boolean' },
      requests: list('In the order in which they ran.', ROW),
      problems: list('Why nothing was sent.', { type: 'string' }),
    }),
    sends: true,
  },
  {
    name: 'decode_transaction',
    title: 'Decode a transaction',
    description:
      'Says what a transaction does: accounts, instructions with their names and arguments, and after it ran the balances and logs. Give the transaction itself, or its signature, which is looked up.',
    input: object({ transaction: TRANSACTION, signature: text('Its signature in base58.'), endpoint: ENDPOINT }, []),
    output: DECODED,
    sends: true,
  },
  {
    name: 'decode_account',
    title: 'Decode an account',
    description:
      'Says what the data of an account means. Give its address, which is looked up, or its data with the program that owns it.',
    input: object(
      {
        address: text('Its address in base58.'),
        data: text('Its data in base64.', MAX_TEXT),
        owner: text('The program that owns it, in base58; required with data.'),
        endpoint: ENDPOINT,
      },
      [],
    ),
    output: DECODED,
    sends: true,
  },
  {
    name: 'explain_transaction',
    title: 'Explain a transaction',
    description:
      'Says how a transaction went and why: outcome with the failing call and the next step, fee in its parts, limits asked for and used, the tree of calls with compute units, logs and events, what owners had before and after. Give the transaction itself, or its signature, which is looked up.',
    input: object({ transaction: TRANSACTION, signature: text('Its signature in base58.'), endpoint: ENDPOINT }, []),
    output: EXPLAINED,
    sends: true,
  },
  {
    name: 'simulate',
    title: 'Simulate a transaction',
    description:
      'Simulates a transaction with a fresh blockhash and without checking signatures. Nothing is written to the ledger.',
    input: object({ transaction: TRANSACTION, endpoint: ENDPOINT }, ['transaction']),
    output: object(
      {
        ok: { type: 'boolean', description: 'Whether it would succeed.' },
        err: { description: "The transaction's error." },
        logs: list('Of the programs.', { type: 'string' }),
        moreLogs: MORE,
        unitsConsumed: { type: 'integer' },
        lines: LINES,
        moreLines: MORE,
        accountsAfter: list('What changes in the accounts that it writes, if it succeeds.', { type: 'string' }),
        moreAccountsAfter: MORE,
        notes: list('What deserves a second look, the age of its blockhash among it.', { type: 'string' }),
      },
      ['ok', 'logs', 'lines'],
    ),
    sends: true,
  },
  {
    name: 'read_stream',
    title: 'Read updates of a stream',
    description:
      'Opens a subscription (a WebSocket method such as slotSubscribe, or a gRPC call such as geyser.Geyser/Subscribe), reads some updates, and closes it.',
    input: object(
      {
        method: text('The name of the method, or package.Service/Method.'),
        params: list('The parameters by position; of a gRPC call its request message alone.'),
        updates: {
          type: 'integer',
          description: 'Ends after so many updates; left out, 10.',
          minimum: 1,
          maximum: 1_000,
        },
        seconds: {
          type: 'integer',
          description: 'Ends after so many seconds; left out, 10.',
          minimum: 1,
          maximum: 120,
        },
        endpoint: ENDPOINT,
      },
      ['method'],
    ),
    output: ROW,
    sends: true,
  },
];

/** The arguments of a tool where the terminal offers it; of several that may stand for each other none is required. */
export function terminalInput({ input, terminalInput: more }: Tool): ObjectSchema {
  const whole = more === undefined ? input : { ...input, properties: { ...input.properties, ...more }, required: [] };
  return { ...whole, additionalProperties: false };
}

export const toolNamed = (name: string): Tool | undefined => TOOLS.find((tool) => tool.name === name);
