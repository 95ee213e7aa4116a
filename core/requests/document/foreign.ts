// Syntax of other request files (REST Client, httpYac, JetBrains' HTTP client, Kulala), and its equivalent here.
// Sentences for diagnostics; docs/coming-from-http.md shows them. Reads nothing, decides nothing.

const NO_SCRIPTS = 'Nothing in a file is a program:';

/** A line, or the rest of one, that some other tool would understand; the first that fits counts. */
const LINES: readonly (readonly [pattern: RegExp, sentence: string])[] = [
  [/^HTTP\/\d/, 'The version of the protocol is left out: the line ends with the URL.'],
  [/^>\s*\{%/, `${NO_SCRIPTS} check the response with an assertion, such as ?? result == "ok".`],
  [/^>\s*\S+\.(?:js|ts|lua)$/, `${NO_SCRIPTS} check the response with an assertion, such as ?? result == "ok".`],
  [/^<\s*\{%/, `${NO_SCRIPTS} prepare values with @name = value and {{…}}.`],
  [/^<\s*\S+\.(?:js|ts|lua)$/, `${NO_SCRIPTS} prepare values with @name = value and {{…}}.`],
  [
    /^(?:client|response|request|pm)\.\w/,
    `${NO_SCRIPTS} check the response with an assertion, such as ?? result == "ok".`,
  ],
  [/^%\}/, `${NO_SCRIPTS} check the response with an assertion, such as ?? result == "ok".`],
  [/^<>/, 'Responses are in the history; to save one write >> file.'],
  [/^<@?/, 'The text of a file comes into the body with {{$file ./path}}.'],
  [/^(?:import|run)\s/, 'Another file is read with # @import ./file.jsonrpc before the first "###".'],
  [/^@[\w-]+\s*:=/, 'A variable is written @name = value.'],
  [/^@[\w-]+\s*$/, 'A variable is written @name = value.'],
  [/^\{\{/, `${NO_SCRIPTS} prepare values with @name = value and {{…}}.`],
  [
    /^(?:GET|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE|CONNECT|LIST|QUERY)\b/,
    'A node takes POST only: write POST, or nothing.',
  ],
  [/^GRAPHQL\b/, 'A node speaks JSON-RPC: write POST, or nothing, and a body with "method".'],
  [/^(?:SSE|EVENTSOURCE|MQTT|AMQP|RSOCKET)\b/i, 'Streams come over WS or GRPC.'],
  [/^(?:post|ws|websocket|swqos|grpc)\b/i, 'Write the keyword in capitals: POST, WS, SWQOS or GRPC.'],
  [/^WSS\b/, 'The word is WS; the URL says whether it is wss://.'],
  [/^(?:https?|wss?|grpcs?):\/\//, 'Put the URL after POST, WS, SWQOS or GRPC.'],
  [/^curl\s/, 'Write the JSON-RPC body alone: the endpoint profile has the URL.'],
  [/^[?&][\w-]+=/, 'Write the URL on one line.'],
  [/^===/, 'A block sends one request; the next one begins with "###".'],
  [/^[A-Za-z][\w-]*\s*:\s/, 'Headers go after a request line: write POST above them.'],
];

/** A sentence that says what to write instead of misplaced text; undefined if no known tool writes such text. */
export const insteadOfLine = (text: string): string | undefined => LINES.find(([pattern]) => pattern.test(text))?.[1];

const REFERENCE = 'A reference such as {{name.result}} sends the request it names first.';
const NO_COOKIES = 'There are no cookies here.';
const NEVER_LOGGED = 'No key is ever logged or kept in the history.';

const DIRECTIVES: Readonly<Record<string, string>> = {
  ref: REFERENCE,
  forceRef: REFERENCE,
  loop: 'To repeat write @retry N every D while PATH OP VALUE.',
  sleep: 'To wait for something write @retry N every D while PATH OP VALUE.',
  delay: 'To wait for something write @retry N every D while PATH OP VALUE.',
  'no-log': NEVER_LOGGED,
  noLog: NEVER_LOGGED,
  'no-response-view': NEVER_LOGGED,
  'no-redirect': 'A redirect is never followed with a key.',
  noRedirect: 'A redirect is never followed with a key.',
  'no-cookie-jar': NO_COOKIES,
  noCookieJar: NO_COOKIES,
  'attach-cookie-jar': NO_COOKIES,
  'connection-timeout': 'The time to wait is @timeout 30s.',
  connectionTimeout: 'The time to wait is @timeout 30s.',
  keepStreaming: 'A stream ends by @until 5 messages or 10s.',
  title: 'The title goes after "###".',
  description: 'A description is a comment.',
  confirm: 'To be asked first write @note TEXT.',
  skip: 'To leave a request out write @disabled.',
  injectVariables: 'Variables go into the body by themselves.',
  noRejectUnauthorized: 'Certificates are always checked.',
  'no-reject-unauthorized': 'Certificates are always checked.',
  jwt: `${NO_SCRIPTS} a response is looked at with assertions.`,
  save: 'A response is saved with >> file.',
};

/** A sentence that says what to write instead of another tool's directive. */
export const insteadOfDirective = (name: string): string | undefined =>
  Object.hasOwn(DIRECTIVES, name) ? DIRECTIVES[name] : undefined;

const HELPERS: Readonly<Record<string, string>> = {
  $dotenv: 'Write {{$processEnv NAME}}; the terminal reads a file of variables with --env-file.',
  $env: 'Write {{$processEnv NAME}}.',
  $uuid: 'Write {{$guid}}.',
  $random: 'Write {{$randomInt 1 100}} or {{$guid}}.',
  $localDatetime: 'The time is {{$datetime iso}}.',
  $isoTimestamp: 'The time is {{$datetime iso}}.',
  $date: 'The day is {{$datetime date}}.',
  $input: 'Ask for a value with # @prompt NAME.',
  $password: 'Ask for a value with # @prompt NAME.',
  $pick: 'Ask for a value with # @prompt NAME.',
  $prompt: 'Ask for a value with # @prompt NAME.',
  $aadToken: 'Keys are kept in secret storage, not in a file.',
  $shared: 'Put variables of all requests before the first "###".',
};

/** A sentence that says what to write instead of another tool's helper. */
export const insteadOfHelper = (name: string): string | undefined =>
  Object.hasOwn(HELPERS, name) ? HELPERS[name] : undefined;

const OPERATORS: Readonly<Record<string, string>> = {
  '=': '==',
  '===': '==',
  '!==': '!=',
  '<>': '!=',
  '=~': 'matches',
  '~': 'matches',
  includes: 'contains',
  equals: '==',
  equal: '==',
  is: '==',
  isTrue: '== true',
  isFalse: '== false',
  isInteger: 'isNumber',
  isFloat: 'isNumber',
  isCollection: 'isArray',
  notContains: 'contains',
};

/** The operator that is meant by one of another tool. */
export const insteadOfOperator = (word: string): string | undefined =>
  Object.hasOwn(OPERATORS, word) ? OPERATORS[word] : undefined;

/** Words that begin an assertion elsewhere, and the path that says the same. */
const PATHS: Readonly<Record<string, string>> = {
  header: 'headers.content-type',
  body: 'result.value',
  js: 'result.value',
  response: 'result.value',
  jsonpath: 'result.value',
};

export const insteadOfPath = (word: string): string | undefined =>
  Object.hasOwn(PATHS, word) ? PATHS[word] : undefined;
