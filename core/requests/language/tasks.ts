// Whole requests by what they are for, as an empty place of a file offers them. Data only; a test runs each through every
// check and through the parser.
import { EXAMPLE, TOKEN_PROGRAMS } from '../methods/records/shared';

export interface Task {
  /** Its purpose in a few words; also the title of the new request. */
  readonly label: string;
  /** The call: a method, or one of a gRPC service. */
  readonly detail: string;
  /** The request below its title, as an LSP snippet; as it is, it is a valid request. */
  readonly text: string;
}

/** An account that every cluster has. */
const CLOCK = 'SysvarC1ock11111111111111111111111111111111';

const call = (method: string, params?: string): string =>
  params === undefined ? `{ "method": "${method}" }` : `{ "method": "${method}", "params": [${params}] }`;

/** A request that is a call and nothing else. */
const asks = (label: string, method: string, params?: string): Task => ({
  label,
  detail: method,
  text: call(method, params),
});

const TRANSFER = '"{{\\$transfer ${1:' + EXAMPLE.wallet + '} ${2:5000}}}"';

export const TASKS: readonly Task[] = [
  {
    label: 'Read a balance',
    detail: 'getBalance',
    text: `${call('getBalance', `"\${1:${CLOCK}}"`)}\n?? result.value >= 0`,
  },
  asks('Read an account', 'getAccountInfo', `"\${1:${CLOCK}}", { "encoding": "jsonParsed" }`),
  asks(
    'List the tokens of an owner',
    'getTokenAccountsByOwner',
    `"\${1:${EXAMPLE.wallet}}", { "programId": "${TOKEN_PROGRAMS[0]}" }, { "encoding": "jsonParsed" }`,
  ),
  asks('Read the supply of a token', 'getTokenSupply', `"\${1:${EXAMPLE.usdcMint}}"`),
  asks(
    'Find accounts of a program',
    'getProgramAccounts',
    `"\${1:${TOKEN_PROGRAMS[0]}}", { "encoding": "base64", "filters": [{ "dataSize": \${2:165} }, { "memcmp": { "offset": \${3:32}, "bytes": "\${4:${EXAMPLE.wallet}}" } }] }`,
  ),
  asks('Read a transaction', 'getTransaction', `"\${1:${EXAMPLE.signature}}", { "maxSupportedTransactionVersion": 1 }`),
  asks(
    'List the latest transactions of an address',
    'getSignaturesForAddress',
    `"\${1:${CLOCK}}", { "limit": \${2:10} }`,
  ),
  {
    label: 'Follow the state of a transaction',
    detail: 'getSignatureStatuses',
    text: `# @retry \${2:20} every 500ms while result.value[0] == null\n${call('getSignatureStatuses', `["\${1:${EXAMPLE.signature}}"]`)}`,
  },
  {
    label: 'Read the current slot',
    detail: 'getSlot',
    text: `${call('getSlot', '{ "commitment": "${1|finalized,processed|}" }')}\n?? result > 0`,
  },
  asks('Read a block', 'getBlock', '${1:1}, { "maxSupportedTransactionVersion": 1, "rewards": false }'),
  {
    label: 'Get a recent blockhash',
    detail: 'getLatestBlockhash',
    text: `# @name \${1:blockhash}\n${call('getLatestBlockhash', '{ "commitment": "finalized" }')}`,
  },
  asks('See recent priority fees', 'getRecentPrioritizationFees'),
  asks('See where the epoch is', 'getEpochInfo'),
  asks('Ask for lamports to try out', 'requestAirdrop', '"{{\\$wallet}}", ${1:1000000000}'),
  {
    label: 'Send lamports',
    detail: 'sendTransaction',
    text: `# @name \${3:send}\n# @note sends a real transaction\n${call('sendTransaction', `${TRANSFER}, { "encoding": "base64" }`)}`,
  },
  {
    label: 'Send a transaction with priority',
    detail: 'SWQOS sendTransaction',
    text: `# @note sends a real transaction\nSWQOS\n${call('sendTransaction', `${TRANSFER}, { "encoding": "base64", "skipPreflight": true, "maxRetries": 0 }`)}`,
  },
  asks('Simulate a transaction', 'simulateTransaction', `${TRANSFER}, { "encoding": "base64" }`),
  {
    label: 'Watch an account',
    detail: 'accountSubscribe',
    text: `# @until \${2:3} messages or 30s\nWS\n${call('accountSubscribe', `"\${1:${CLOCK}}", { "encoding": "jsonParsed", "commitment": "finalized" }`)}`,
  },
  {
    label: 'Watch the slots',
    detail: 'slotSubscribe',
    text: `# @until \${1:5} messages or 10s\nWS\n${call('slotSubscribe')}`,
  },
  {
    label: 'Watch the logs of a program',
    detail: 'logsSubscribe',
    text: `# @until \${2:3} messages or 30s\nWS\n${call('logsSubscribe', `{ "mentions": ["\${1:${TOKEN_PROGRAMS[0]}}"] }, { "commitment": "finalized" }`)}`,
  },
  {
    label: 'Watch an account over gRPC',
    detail: 'geyser.Geyser/Subscribe',
    text: `# @until \${2:3} messages or 30s\nGRPC geyser.Geyser/Subscribe\n{ "accounts": { "watched": { "account": ["\${1:${CLOCK}}"] } }, "commitment": "FINALIZED" }`,
  },
  {
    label: 'Ask several questions at once',
    detail: 'a batch',
    text: `[\n  { "id": 1, "method": "getSlot" },\n  { "id": 2, "method": "\${1:getBlockHeight}" }\n]\n?? [1].result > 0`,
  },
];
