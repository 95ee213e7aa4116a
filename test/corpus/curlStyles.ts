// curl commands in the styles in which documentation, dashboards, browsers and shells write them, made from a table of
// requests: each style writes every request. What a command means is known from the table, not from reading it.

/** A variable of the shell inside a request. */
export interface Variable {
  readonly variable: string;
}

/** A request: the body's text in pieces, JSON once the variables are filled in. */
export interface CurlRequest {
  readonly title: string;
  readonly pieces: readonly (string | Variable)[];
  readonly url: string;
  /** As the block has it, where it differs. */
  readonly written?: string;
}

export interface CurlStyle {
  readonly name: string;
  /** A POSIX shell can run it. */
  readonly isPosix: boolean;
  readonly write: (request: CurlRequest, nth: number) => string;
}

const OWNER = '9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g';
const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const SIGNATURE = '5h6xBEauJ3PK6SWCZ1PGjBvj8vDdWG3KpwATGy1ARAXFSDwt8GFXM7W5Ncn16wmqokgpiKRLuS83KUxyZyv2sUYv';
const MAINNET = 'https://api.mainnet-beta.solana.com';
const call = (method: string, params?: unknown, id: unknown = 1): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) });

const URLS: readonly Pick<CurlRequest, 'url' | 'written'>[] = [
  { url: MAINNET, written: `${MAINNET}/` },
  { url: 'http://localhost:8899', written: 'http://localhost:8899/' },
  { url: 'https://rpc.example/?api-key=<api-key>', written: 'https://rpc.example/?api-key={key}' },
  { url: 'https://rpc.example/v2/YOUR_API_KEY', written: 'https://rpc.example/v2/{key}' },
  { url: 'https://rpc.example/sol?cluster=mainnet&tier=2' },
];

const BODIES: readonly (readonly [title: string, pieces: string | readonly (string | Variable)[]])[] = [
  ['getSlot', call('getSlot')],
  ['no id', '{"method":"getHealth","params":[]}'],
  ['a text as id', call('getVersion', undefined, 'a-1')],
  ['getBalance', call('getBalance', [OWNER])],
  ['getAccountInfo', call('getAccountInfo', [OWNER, { encoding: 'jsonParsed', commitment: 'confirmed' }])],
  ['getMultipleAccounts', call('getMultipleAccounts', [[OWNER, MINT], { encoding: 'base64' }])],
  ['token accounts', call('getTokenAccountsByOwner', [OWNER, { mint: MINT }, { encoding: 'jsonParsed' }])],
  [
    'filters',
    call('getProgramAccounts', [TOKEN, { filters: [{ dataSize: 165 }, { memcmp: { offset: 32, bytes: OWNER } }] }]),
  ],
  [
    'digits beyond a double',
    '{"jsonrpc":"2.0","id":18446744073709551615,"method":"getBlock","params":[430,{"x":1.50}]}',
  ],
  ['an apostrophe', call('simulate', ["it's Anna's"])],
  ['quotes and backslashes', call('simulate', ['say "hi" \\ there', 'C:\\new\\table'])],
  ['control characters', call('simulate', ['one\ntwo\tthree'])],
  ['other scripts', call('simulate', ['naïve – 値段 😀'])],
  ['signs of shells', call('simulate', ['a&b|c;d<e>f (g) #h !i *j ?k ~l =m ,n'])],
  ['a batch', `[${call('getSlot')},${call('getBlockHeight', [{ commitment: 'finalized' }], 2)}]`],
  ['nested', call('simulate', [{ a: { b: [[], {}, [null, true, false, -1, 0.5]] } }])],
  ['params by name', call('getAsset', { id: MINT, options: { showFungible: true } })],
  ['getTransaction', call('getTransaction', [SIGNATURE, { encoding: 'json', maxSupportedTransactionVersion: 0 }])],
  ['getSignatureStatuses', call('getSignatureStatuses', [[SIGNATURE], { searchTransactionHistory: true }])],
  ['getBlocks', call('getBlocks', [5, 10])],
  ['empty texts', call('simulate', ['', ' ', '  '])],
  ['an address of a page', call('getAsset', { page: 'https://a.example/b?c=d&e=%20f#g' })],
  ['braces', call('simulate', ['{a}', '[b]', '{', '}'])],
  ['a name in angle brackets', call('getBalance', ['<your address>'])],
  ['a variable', ['{"jsonrpc":"2.0","id":1,"method":"getBalance","params":["', { variable: 'OWNER' }, '"]}']],
  [
    'a variable in a text',
    ['{"jsonrpc":"2.0","id":1,"method":"simulate","params":["to ', { variable: 'OWNER' }, ', now"]}'],
  ],
  [
    'two variables',
    [
      '{"id":1,"method":"getTokenAccountsByOwner","params":["',
      { variable: 'OWNER' },
      '",{"mint":"',
      { variable: 'MINT' },
      '"}]}',
    ],
  ],
  [
    'a variable that is a number',
    ['{"jsonrpc":"2.0","id":1,"method":"getBlock","params":[', { variable: 'SLOT' }, ']}'],
  ],
  [
    'a variable and its like',
    ['{"id":1,"method":"simulate","params":["', { variable: 'OWNER' }, '","100 USD","5% of 7%"]}'],
  ],
  [
    'a long text',
    call('sendTransaction', ['AQ'.repeat(600), { encoding: 'base64', skipPreflight: true, maxRetries: 0 }]),
  ],
];

export const VALUES: Readonly<Record<string, string>> = { OWNER, MINT, SLOT: '430' };

export const REQUESTS: readonly CurlRequest[] = BODIES.map(([title, body], nth) => ({
  title,
  pieces: typeof body === 'string' ? [body] : body,
  ...(URLS[nth % URLS.length] ?? { url: MAINNET }),
}));

/** The body with each literal piece and each variable written in some way. */
const joined = (
  { pieces }: CurlRequest,
  literal: (text: string) => string,
  variable: (name: string) => string,
): string => pieces.map((piece) => (typeof piece === 'string' ? literal(piece) : variable(piece.variable))).join('');

const hasVariables = ({ pieces }: CurlRequest): boolean => pieces.some((piece) => typeof piece !== 'string');
const single = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const indented = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};
/** Numbers that a double cannot hold stay as they are. */
const pretty = ({ pieces, title }: CurlRequest): CurlRequest['pieces'] =>
  pieces.length > 1 || title.startsWith('digits')
    ? pieces
    : pieces.map((piece) => (typeof piece === 'string' ? indented(piece) : piece));
const JSON_TYPE = 'Content-Type: application/json';

/** Inside a single-quoted word, a variable gets its double quotes. */
const spliced = (request: CurlRequest): string => joined(request, single, (name) => `"$${name}"`);
const doubled = (request: CurlRequest): string =>
  `"${joined(
    request,
    (text) => text.replace(/["\\$`]/g, '\\$&'),
    (name) => `\${${name}}`,
  )}"`;
const ansi = (text: string): string =>
  `$'${text.replace(/[\\']/g, '\\$&').replace(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)}'`;
/** As the argument rules of Windows want it: backslashes before a quote are doubled. */
const windows = (text: string): string => text.replace(/(\\*)"/g, '$1$1\\"');

export const STYLES: readonly CurlStyle[] = [
  {
    name: 'single quotes on one line',
    isPosix: true,
    write: (request, nth) =>
      nth % 2 === 0
        ? `curl ${single(request.url)} -X POST -H "${JSON_TYPE}" -d ${spliced(request)}`
        : `curl -s -XPOST -H '${JSON_TYPE}' -d${spliced(request)} ${single(request.url)} | jq .result`,
  },
  {
    name: 'double quotes',
    isPosix: true,
    write: (request) => `curl --request POST --url "${request.url}" --header "${JSON_TYPE}" --data ${doubled(request)}`,
  },
  {
    name: 'ANSI-C quotes, as browsers copy',
    isPosix: true,
    write: (request) =>
      [
        `curl '${request.url}'`,
        "-H 'accept: */*'",
        `-H 'content-type: application/json'`,
        "-H 'origin: https://explorer.example'",
        `--data-raw ${joined(
          request,
          (text) =>
            [...text.split(/(?<=\p{Extended_Pictographic})|(?=\p{Extended_Pictographic})/u)]
              .map((part) => (/\p{Extended_Pictographic}/u.test(part) ? single(part) : ansi(part)))
              .join(''),
          (name) => `"$${name}"`,
        )}`,
        '--compressed',
      ].join(' \\\n  '),
  },
  {
    name: 'a here-document',
    isPosix: true,
    write: (request, nth) => {
      const isBare = hasVariables(request) || nth % 2 === 1;
      const text = isBare
        ? joined(
            request,
            (part) => part.replace(/[\\$`]/g, '\\$&'),
            (name) => `$${name}`,
          )
        : joined({ ...request, pieces: pretty(request) }, (part) => part, String);
      return `curl -sS ${single(request.url)} \\\n  --json @- <<${isBare ? 'EOF' : "'EOF'"}\n${text}\nEOF\n`;
    },
  },
  {
    name: 'a here-string',
    isPosix: true,
    write: (request) => `curl ${single(request.url)} -H '${JSON_TYPE}' --data-binary @- <<< ${doubled(request)}`,
  },
  {
    name: 'several lines behind a prompt',
    isPosix: false,
    write: (request, nth) => {
      const body = joined({ ...request, pieces: pretty(request) }, single, (name) => `"$${name}"`).split('\n');
      const lines = [
        `curl ${single(request.url)} \\`,
        `  -X POST -H "${JSON_TYPE}" \\`,
        `  -d ${body[0] ?? ''}`,
        ...body.slice(1),
      ];
      const [first = '', ...rest] = lines;
      const prompts = ['$ ', 'anna@box:~/code$ ', '% ', '❯ '];
      const more = nth % 3 === 0 ? '> ' : '';
      return `# ${request.title}\n${prompts[nth % prompts.length] ?? ''}${first}\n${rest.map((line) => more + line).join('\n')}\n`;
    },
  },
  {
    name: 'cmd with carets',
    isPosix: false,
    write: (request, nth) =>
      `${nth % 2 === 0 ? 'C:\\Users\\anna>' : ''}curl -X POST "${request.url}" ^\n  -H "${JSON_TYPE}" ^\n  -d "${joined(request, windows, (name) => `%${name}%`)}"\n`,
  },
  {
    name: 'cmd, as browsers copy',
    isPosix: false,
    write: (request) => {
      const caret = (text: string): string => text.replace(/[&|<>()^"{}[\]!,;=]/g, '^$&');
      const body = joined(
        request,
        (text) => caret(windows(text)),
        (name) => `%${name}%`,
      );
      return `curl ^"${caret(request.url)}^" ^\n  -H ^"${JSON_TYPE}^" ^\n  --data-raw ^"${body}^"`;
    },
  },
  {
    name: 'PowerShell with backticks',
    isPosix: false,
    write: (request, nth) => {
      const body = hasVariables(request)
        ? `"${joined(
            request,
            (text) => windows(text).replace(/["$`]/g, '`$&'),
            (name) => `$env:${name}`,
          )}"`
        : `'${joined(request, (text) => windows(text).replaceAll("'", "''"), String)}'`;
      return `${nth % 2 === 0 ? 'PS C:\\code> ' : ''}curl.exe -X POST '${request.url}' \`\n  -H '${JSON_TYPE}' \`\n  -d ${body}\n`;
    },
  },
  {
    name: 'a here-string of PowerShell',
    isPosix: false,
    write: (request, nth) => {
      const text = hasVariables(request)
        ? `@"\n${joined(
            request,
            (part) => part.replace(/[$`]/g, '`$&'),
            (name) => `$\{env:${name}}`,
          )}\n"@`
        : `@'\n${joined({ ...request, pieces: pretty(request) }, (part) => part, String)}\n'@`;
      return nth % 2 === 0
        ? `$body = ${text}\n\ncurl.exe '${request.url}' -H '${JSON_TYPE}' -d $body\n`
        : `curl.exe '${request.url}' -H '${JSON_TYPE}' -d ${text}\n`;
    },
  },
  {
    name: 'a fence, with comments in the body',
    isPosix: false,
    write: (request, nth) => {
      const body = joined(
        { ...request, pieces: pretty(request) },
        (text) => single(text.replace(/^([{[])/, '$1 // the call\n').replace(/(?<!["\w])\}$/, ' /* done */ }')),
        (name) => `"$${name}"`,
      );
      return `${nth % 2 === 0 ? '```bash' : '~~~ shell'}\n# ${request.title}\ncurl ${single(request.url)} -d ${body}\n${nth % 2 === 0 ? '```' : '~~~'}\n`;
    },
  },
];
