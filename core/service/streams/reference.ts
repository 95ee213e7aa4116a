// Generates docs/streams.md from the tables that streams are read by: fields, operators, examples. Returns text only.
import { NO_PROGRAMS } from '../../solana/decode/decoded';
import { pubSubShape, SUBSCRIPTION_METHODS } from './pubsub';
import { DECODED_FIELDS_BY_KIND, withDecodedFields } from './decodedFields';
import type { FieldType, Shape } from './shape';
import { yellowstoneFields, yellowstoneShape } from './yellowstone';

const SUBSCRIBE = 'geyser.Geyser/Subscribe';
const DESHRED = 'geyser.Geyser/SubscribeDeshred';
const PREPROCESSED = 'geyser.Geyser/SubscribePreprocessed';
const GOSSIP = 'geyser.Geyser/SubscribeGossip';
/** Notes on kinds in the tables of fields. */
const OF: Readonly<Record<string, string>> = { [DESHRED]: ' (deshred)', [PREPROCESSED]: ' (preprocessed)' };

/** Field descriptions; decoded fields are marked as such. */
const FIELDS: Readonly<Record<string, string>> = {
  slot: 'the slot',
  kind: 'which kind of update it is',
  filters: 'the names of your filters that it passed, with commas',
  pubkey: 'address of the account',
  type: 'decoded: what kind of account it is, as `SPL Token account` or `Counter (my_program)`',
  data: 'decoded: its fields as `name: value`, with commas',
  lamports: 'balance in lamports',
  owner: 'owner program',
  executable: 'whether it is a program',
  size: 'bytes of its data',
  writeVersion: 'counts the writes of accounts at this node',
  signature: 'signature of the transaction',
  startup: 'whether it is from the start of the node, not from a transaction',
  parent: 'slot of the parent',
  status: '`processed`, `confirmed`, `finalized`, `firstShredReceived`, `completed`, `createdBank` or `dead`',
  vote: 'whether it is a vote; with Alpenglow votes are not transactions',
  failed: 'whether it failed',
  outcome: 'decoded: `succeeded`, or why it failed, with the name of the error',
  instructions: 'decoded: what it called, as `System Program: transfer, Token Program: transferChecked ×2`',
  programs: 'decoded: addresses of every program that ran, also those that others called, with commas',
  fee: 'fee in lamports',
  units: 'compute units consumed; of logs, the sum of what programs log',
  index: 'place in the block, or in the slot',
  blockhash: 'the blockhash',
  time: 'time of the block, in Unix seconds',
  height: 'block height',
  transactions: 'how many transactions',
  hashes: 'how many hashes',
  hash: 'the hash',
  logs: 'how many lines',
  root: 'the newest finalized slot',
  bank: 'the bank of the slot that it comes from, at this server',
  clearedBank: 'the bank whose updates no longer count',
  parentBlock: 'the block id of the parent',
  bankHash: 'the hash of the bank',
  producedAt: 'when the block was produced, in Unix nanoseconds',
  userAgent: 'software of the producer',
  finalCert: 'bytes of the finalization certificate, with `includeCertificates`',
  skipCert: 'bytes of the certificate of skipped slots, likewise',
  notarCert: 'bytes of the certificate of notarized blocks, likewise',
  wallclock: 'when the node made its entry, in Unix milliseconds',
  shredVersion: 'the shred version',
  major: 'version of its software',
  minor: 'version of its software',
  patch: 'version of its software',
  featureSet: 'the feature set',
  client: 'number of its software: 3 is Agave',
  gossip: 'where it speaks gossip',
  rpc: 'where it serves JSON-RPC',
  pubsub: 'where it serves WebSocket subscriptions',
  votePubkey: 'vote account',
  slots: 'how many slots the vote is for',
  'slotsUpdatesSubscribe.type': 'what happened to the slot',
  timestamp: 'when it happened, in Unix milliseconds',
};

const OPERATORS: readonly (readonly [operator: string, means: string])[] = [
  ['`==` `!=`', 'is, is not. Texts count as they are written, upper and lower case too'],
  ['`<` `<=` `>` `>=`', 'numbers by value, exact over all 64 bits; texts by their letters'],
  ['`~`', 'contains, ignoring case; for a number, in its digits'],
  ['`&&`', 'both; binds tighter than `\\|\\|`'],
  ['`\\|\\|`', 'one of them'],
  ['`!`', 'not what follows it: a comparison, a text, or parentheses'],
  ['`( )`', 'together'],
];

export interface FilterExample {
  readonly stream: string;
  readonly filter: string;
  readonly means: string;
}

export const FILTER_EXAMPLES: readonly FilterExample[] = [
  { stream: 'any', filter: 'transfer', means: 'rows that contain this text, in any column' },
  {
    stream: 'any',
    filter: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    means: 'over gRPC also messages that hold the key as bytes, wherever in them',
  },
  {
    stream: 'accounts',
    filter: 'owner == TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA && lamports > 1_000_000_000',
    means: 'token accounts with more than a SOL',
  },
  { stream: 'accounts', filter: 'type ~ mint && data ~ "decimals: 6"', means: 'mints with six decimals' },
  {
    stream: 'transactions',
    filter: 'failed == true && outcome ~ InsufficientFunds',
    means: 'those that failed for want of funds',
  },
  {
    stream: 'transactions',
    filter: 'programs ~ JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4 && fee > 5000',
    means: 'those that ran this program and paid for priority',
  },
  {
    stream: 'transactions',
    filter: 'failed == false && !(instructions ~ transfer || units < 1000)',
    means: 'successful ones, no transfers, none that did next to nothing',
  },
  { stream: 'logsSubscribe', filter: 'outcome != succeeded || "out of memory"', means: 'failures, and one text' },
  { stream: 'slots', filter: 'status == finalized', means: 'slots as they become final' },
  { stream: 'blocks', filter: 'transactions >= 1_000', means: 'full blocks' },
];

/** The shape an example is for. */
export function exampleShape(stream: string): Shape {
  const known = () => NO_PROGRAMS;
  if (SUBSCRIPTION_METHODS.includes(stream))
    return withDecodedFields({ shape: pubSubShape(stream), method: stream }, known);
  return withDecodedFields({ shape: yellowstoneShape(SUBSCRIBE, { [stream]: { all: {} } }), method: SUBSCRIBE }, known);
}

/** The whole page. */
export function streamsReference(): string {
  return `${[INTRO, ...FILTER_PARTS, BANKS, SETTLED, IDLS, LAG, ONWARD].join('\n\n')}\n`;
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const INTRO = `<!-- Made by \`npm run docs\` from core/service/streams. Changes belong there. -->

# Live streams

*Watch* above a subscription opens its panel. A row is one message; its columns are fields of it, and the detail of a row
has all of it: an account decoded, with what changed since its last update; a transaction with instructions as a tree,
balance and token changes, and logs by call; a block with its transactions, the first hundred of them; and the JSON as it
came. What is decoded is decoded where it is shown, filtered or exported, never on the way in.

An export takes the rows that pass the filter: NDJSON is each message whole, CSV its columns.`;

const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;

const FILTER_PARTS: readonly string[] = [
  `## The filter

Words without an operator are a text to find literally: in what a row shows, ignoring case, or in the message itself. With one the filter compares fields:
\`field operator value\`, put together with ${code('&&')}, \`||\`, \`!\` and parentheses.

${table(['Operator', 'Means'], OPERATORS)}

- A value is a word or a text in double quotes; in quotes \`\\"\` is a quote. Quote what has blanks or any of \`& | ! < > = ~ ( )\`.
- A text alone, between operators, is found like a filter of one text: \`failed == true && "custom program error"\`.
- A number is whole, in lamports, slots or bytes as the field is, with \`_\` between its digits where you like.
- \`true\` and \`false\` are the values of fields that are one of them.
- A message that does not have the field passes no comparison but with \`~ ""\`; \`!\` turns that round.
- A filter is at most 2,000 characters. What cannot be read is marked at its place, with the reason. Rows that report a gap
  always pass: what is missing is missing under any filter.`,
  `### Examples

${table(
  ['Stream', 'Filter', 'Passes'],
  FILTER_EXAMPLES.map(({ stream, filter, means }) => [stream, code(filter), means]),
)}`,
  `## Fields over WebSocket

${SUBSCRIPTION_METHODS.map((method) => fieldTable(method, exampleShape(method).fields)).join('\n\n')}

With Alpenglow votes do not pass through gossip: expect \`voteSubscribe\` to be silent.

The stream of *Watch Account* over a WebSocket has \`signature\` too: the transactions of its slot that name the account.`,
  `## Fields over gRPC

Every update has \`slot\`, \`kind\` and \`filters\`; the others come with its kind. A filter may name any of them.

${kindTables(SUBSCRIBE)}

Of \`SubscribeDeshred\`, whose transactions have not run yet:

${kindTables(DESHRED)}

Of \`SubscribePreprocessed\`, which Helius LaserStream has:

${kindTables(PREPROCESSED)}

Of \`SubscribeGossip\`, whose messages have no slot:

${kindTables(GOSSIP)}`,
];

function fieldTable(title: string, fields: ReadonlyMap<string, FieldType>): string {
  const rows = [...fields].map(([name, type]) => [
    `\`${name}\``,
    type,
    FIELDS[`${title}.${name}`] ?? FIELDS[name] ?? '',
  ]);
  return `### ${title}\n\n${table(['Field', 'Type', 'Says'], rows)}`;
}

function kindTables(method: string): string {
  const { fields: all } = withDecodedFields({ shape: yellowstoneShape(method, {}), method }, () => NO_PROGRAMS);
  return [...yellowstoneFields(method)]
    .map(([kind, fields]) => {
      const decoded = (DECODED_FIELDS_BY_KIND[kind] ?? []).flatMap((name): [string, FieldType][] => {
        const type = all.get(name);
        return type === undefined ? [] : [[name, type]];
      });
      return fieldTable(`${kind}${OF[method] ?? ''}`, new Map([...fields, ...decoded]));
    })
    .join('\n\n');
}

const BANKS = `## Several banks of one slot

A slot may be run in more than one bank, after a duplicate block or around a change of leaders. One of them is confirmed;
what the others did never happened. Services of late 2026 say in \`bank\` which bank an update comes from, and updates are
distinguished by slot and bank; from services that do not say, by the slot alone. A bank id is a server's own number: after a
reconnect that leads to another server, updates that it repeats are recognised by their slot.

Also ask for \`slots\` when you watch at processed: once a bank of a slot is confirmed, or a slot is dead, the updates of the
other banks are marked. Entries with \`includeUpdateParent\` say it too, for a bank that its leader cleared. Without either
the service does not say which bank counts, and nothing is subscribed to that a file does not ask for. The panel shows the mark in bold and counts them; their field \`fate\` is \`abandoned\`
(\`fate == abandoned\`, \`!(fate == abandoned)\`). An export of what is kept marks each with \`"abandoned": true\` or in the
column *Fate*; an export from now on, and the terminal, add a line \`{"abandoned": {"slot", "bankId", "confirmedBankId",
"updates"}}\` about updates that went before.`;

const SETTLED = `## Confirmed and final

With Alpenglow a slot is confirmed and final in one moment, which the service reports in two updates one after the other:
\`confirmed\` and \`finalized\` over gRPC, \`optimisticConfirmation\` and \`root\` in \`slotsUpdatesSubscribe\`. They are one row, and
on a terminal one line, as \`confirmed, finalized\`. A filter for either finds it, its detail has the JSON of both, and exports
write both. On the chain before, they are two rows.

Where new slots come and none has become final for ten seconds, the state is *Live, nothing final*: the cluster's finality has
halted, or the node does not see it. That takes a stream that reports both: \`slots\` without \`filterByCommitment\`,
\`slotSubscribe\` or \`slotsUpdatesSubscribe\`.`;

const IDLS = `## Your own programs

IDLs in \`target/idl\`, \`idl\` or where \`solanaRpc.idls\` says, of Anchor or Shank or as Codama documents ([how each is read](language.md#transactions)), decode accounts,
instructions, events and errors of their programs, in streams, in *Watch Account* and in responses. A type that is not known
shows as bytes with the reason; the rest of the program is decoded. *Fetch IDL from Chain*, also a button next to unknown data,
gets the IDL that a program has published: from its account of the Program Metadata program, else from the Solana Foundation's
for it, else from the account of Anchor. It is fetched from the active endpoint with its own key, only when you ask, into the
extension's own storage, for this endpoint alone. An IDL that is at a URL is named and not fetched. An IDL of the workspace takes precedence over a published one.`;

const LAG = `## Slots behind

Over gRPC each update says when the service made it: from then until it came here, at the pace at which
its slots have come lately, once there were a few of them. With other streams of
the endpoint also by how many slots one of them was ahead. The larger of the two is shown. A stream that is silent by
nature, such as an account's, keeps the number of its last update; a stream with an update at every slot falls further
behind while nothing comes. A WebSocket stream alone at its endpoint has nothing to be measured by, and shows no number.`;

const FENCE = '```';

const ONWARD = `## On to other programs

[\`solana-rpc watch FILE#NAME --json\`](cli.md#watch) prints a JSON document per line, for any program that reads lines. The recipes
take this stream, in \`streams.jsonrpc\`:

${FENCE}jsonrpc
### Every transfer of SOL
# @name transfers
GRPC geyser.Geyser/Subscribe
{ "transactions": { "all": { "accountInclude": ["11111111111111111111111111111111"] } } }
${FENCE}

Over gRPC integers of 64 bits are in quotes, so no reader rounds them; over a WebSocket they are numbers. A line whose
only member is \`gap\` or \`abandoned\` is about updates and is not an update itself.

Kafka, a message per line:

${FENCE}sh
solana-rpc watch streams.jsonrpc#transfers --json | kcat -P -b localhost:9092 -t transfers
${FENCE}

Vector, here into a file per day:

${FENCE}yaml
# vector.yaml
sources:
  solana: { type: stdin, decoding: { codec: json } }
sinks:
  files: { type: file, inputs: [solana], path: 'transfers-%F.ndjson', encoding: { codec: json } }
${FENCE}

${FENCE}sh
solana-rpc watch streams.jsonrpc#transfers --json | vector --config vector.yaml
${FENCE}

ClickHouse, in inserts of 1,000 lines: it makes parts of what each insert brings, and one insert without an end would show
nothing for long.

${FENCE}sh
clickhouse-client --query "CREATE TABLE transfers (at DateTime64(3) DEFAULT now64(3), update String) ENGINE = MergeTree ORDER BY at"
solana-rpc watch streams.jsonrpc#transfers --json | split --lines=1000 --filter='clickhouse-client --query "INSERT INTO transfers (update) FORMAT JSONAsString"'
${FENCE}

DuckDB opens a file of such lines, here with the transfers and fees of each slot:

${FENCE}sh
solana-rpc watch streams.jsonrpc#transfers --json --count 1000 > transfers.ndjson
duckdb -c "
  SELECT transaction.slot AS slot, count(*) AS transfers, sum(transaction.transaction.meta.fee::UBIGINT) AS fees
  FROM read_json('transfers.ndjson', format = 'newline_delimited')
  WHERE transaction IS NOT NULL
  GROUP BY slot ORDER BY slot"
${FENCE}`;
