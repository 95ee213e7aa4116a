// A table of the readers of outside data: each kind makes one random input and fails if its reader throws or breaks a rule.
// `fuzz-main.ts` runs them for minutes, `fuzz.test.ts` a sample of each.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { convertHttp } from '../../../core/requests/convert/convert';
import { csvLine } from '../../../core/solana/common/csv';
import { readAddress } from '../../../core/service/providers/address';
import { unsafeSavePlace } from '../../../core/requests/document/savePlace';
import { rowsOfFile } from '../../../core/requests/document/variables/rows';
import { readVariableText } from '../../../core/requests/document/variables/value';
import { escapeText } from '../../../cli/terminal';
import { readAllCurl } from '../../../core/requests/curl/several';
import { applyEdit, parseDocument } from '../../../core/requests/document/document';
import type { RequestDocument } from '../../../core/requests/document/model';
import { explainedText } from '../../../core/solana/explain/given';
import { diagnose } from '../../../core/requests/checks/diagnostics';
import { readOpenRpc } from '../../../core/requests/methods/openrpc';
import { schemaFaults } from '../../../core/requests/run/assertions/schema';
import { readProfileFile } from '../../../core/service/profiles/profileFile';
import { contentIn } from '../../../core/service/streams/content';
import { cellsOf, type Shape } from '../../../core/service/streams/shape';
import { readUsage } from '../../../core/service/usage';
import { decodeAccount } from '../../../core/solana/decode/decode';
import { NO_PROGRAMS } from '../../../core/solana/decode/decoded';
import { readIdl } from '../../../core/solana/decode/idl/read';
import { programsOf } from '../../../core/solana/decode/idl/registry';
import { jsonOf, JsonSyntaxError, parseJson, printJson } from '../../../core/solana/json/json';
import { memoryOf } from '../../../core/solana/json/memory';
import { equalValues } from '../../../core/solana/json/numbers';
import { NO_BLOCKHASH, writeMessage, writeTransaction } from '../../../core/solana/wire/messageWriter';
import { decodeTransaction } from '../../../core/solana/wire/transaction';
import { decodeRecords, encodeRecord, HEADER } from '../../../localnet/state/codec';
import { CHANGES, RECORD } from '../../../localnet/state/recordFields';
import { RefusedAnswer } from '../../../net/failures';
import { checkFrame } from '../../../net/grpc/bounds';
import { textOfUpdate } from '../../../net/grpc/updateText';
import { frame, FrameReader } from '../../../proto/frames';
import { chance, mutatedBytes, mutatedText, type Chance } from '../../contract/endurance/fuzz-random';
import { REQUESTS, STYLES } from '../../corpus/curlStyles';
import {
  CODAMA_PROGRAM,
  account,
  byConstant,
  byteConstant,
  field,
  number,
  root,
  struct,
} from '../../support/data/codama';
import { COUNTER_DATA, COUNTER_IDL } from '../../support/data/plantedAccounts';
import { damaged, everyFile } from '../../support/data/requestTexts';
import { stateLine } from '../../support/data/stateLine';
import { v1Bytes } from '../../support/data/v1Transactions';
import {
  blockUpdate,
  notification,
  notificationsShape,
  SUBSCRIBE,
  transactionUpdate,
  updatesShape,
} from '../../support/wire/streamed';
import { compareRedactors } from '../redaction/compare';

/** Makes an input and puts it to its reader; throws what it found. */
export type Kind = (random: Chance) => void;

const URI = 'file:///project/fuzz.jsonrpc';
/** Larger files only take longer. UTF-16 units. */
const LONGEST = 20_000;

const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
};
const files = once(() => everyFile().filter((text) => text.length < LONGEST));
const read = (...names: readonly string[]): string => readFileSync(path.join(__dirname, '..', '..', ...names), 'utf8');

const requestText = (random: Chance): string => {
  let text = random.pick(files());
  for (let left = 1 + random.below(4); left > 0; left--)
    text = random.once(2) ? damaged((count) => random.below(count), text) : mutatedText(random, text);
  return text;
};

/** A document's findings, reduced to what two equal documents have in common. */
const saidOf = (document: RequestDocument): unknown =>
  diagnose({ document, surroundings: {} }).map(({ placed, problem }) => [placed.line, problem.code, problem.span]);

const isInside = ({ lines }: RequestDocument, line: number): boolean => line >= 0 && line < lines.length;

/** Everything that a row of a stream is asked for. */
function readRow(shape: Shape, method: string, bytes: Uint8Array): void {
  const whole = [bytes, 0, bytes.length] as const;
  cellsOf(shape, ...whole);
  shape.identity(...whole);
  assert.equal(typeof shape.slot(...whole), 'number');
  assert.equal(typeof shape.sentAt(...whole), 'number');
  shape.finds('a')(...whole);
  contentIn({ shape, method }, ...whole);
}

const COMMANDS = once(() => STYLES.flatMap(({ write }) => REQUESTS.map((request, nth) => write(request, nth))));
const COUNTER = once(() => readFileSync(COUNTER_IDL, 'utf8'));
const CODAMA = once(() => {
  const state = account('state', struct(field('tag', number('u8')), field('count', number('u64'))), [
    byConstant(0, byteConstant(7)),
  ]);
  return JSON.stringify(root({ kind: 'programNode', name: 'fuzzed', publicKey: CODAMA_PROGRAM, accounts: [state] }));
});
/** A transfer of version 0 whose receiver is in a lookup table. */
function v0Bytes(): Buffer {
  const [system = '', token = '', table = '', payer = ''] = OWNERS;
  const written = writeMessage({
    version: 0,
    feePayer: payer,
    blockhash: NO_BLOCKHASH,
    instructions: [
      {
        program: system,
        accounts: [
          { address: payer, isSigner: true, isWritable: true },
          { address: token, isSigner: false, isWritable: true },
        ],
        data: Uint8Array.of(2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0),
      },
    ],
    tables: [{ address: table, addresses: [system, token] }],
  });
  assert.ok(written.ok);
  const bytes = Buffer.from(writeTransaction(0, written.message, [new Uint8Array(64)]));
  const read = decodeTransaction(bytes);
  assert.ok(read.ok && read.value.message.lookups.length === 1);
  return bytes;
}
/** Each version once. */
const TRANSACTIONS = once(() => [
  Buffer.from(read('corpus', 'valid', 'transfer.b64').trim(), 'base64'),
  v0Bytes(),
  Buffer.from(v1Bytes()),
]);
const NOTIFICATIONS: readonly (readonly [method: string, result: unknown])[] = [
  ['slotSubscribe', { slot: 7, parent: 6, root: 5 }],
  ['logsSubscribe', { context: { slot: 7 }, value: { signature: 'x', err: null, logs: ['Program log: a'] } }],
  [
    'accountSubscribe',
    {
      context: { slot: 7 },
      value: { lamports: 1, data: ['AAAA', 'base64'], owner: CODAMA_PROGRAM, executable: false },
    },
  ],
];
const PROFILES = `{
  "endpoints": [{ "name": "main", "rpcUrl": "https://rpc.example/sol?api-key={key}", "auth": { "rpc": "query" },
    "variables": { "mint": 18446744073709551615 } }],
  "endpoint": "main", "schemas": ["openrpc.json"], "packs": [], "environments": { "dev": { "endpoint": "main" } }
}`;
const OPENRPC = `{ "openrpc": "1.2.6", "info": { "title": "x", "version": "1" }, "methods": [
  { "name": "getThing", "params": [{ "name": "at", "required": true, "schema": { "type": "string", "pattern": "^a+$" } }],
    "result": { "name": "r", "schema": { "$ref": "#/components/schemas/A" } } }],
  "components": { "schemas": { "A": { "oneOf": [{ "type": "integer" }, { "$ref": "#/components/schemas/A" }] } } } }`;
const ANSWER =
  '{"jsonrpc":"2.0","result":{"value":[1.0,-2e3,18446744073709551615,{"a":null,"b":[true,"\\u00e9\\n"]}]},"id":1}';
const SCHEMA = `{ "type": "object", "required": ["result"], "properties": { "id": { "enum": [1, "a"] },
  "result": { "$ref": "#/$defs/a" } }, "patternProperties": { "^j.*c$": { "maxLength": 3 } }, "$defs": { "a": { "anyOf": [
  { "properties": { "value": { "items": { "$ref": "#/$defs/a" }, "uniqueItems": true, "minItems": 2 } } },
  { "multipleOf": 0.5, "not": { "maximum": 2e9 } }, { "dependentRequired": { "a": ["b"] }, "additionalProperties": false }] } } }`;
const RECORDS = once(() =>
  [...RECORD.examples.filter(({ part }) => part !== 'ledger'), ...CHANGES].map((record) =>
    encodeRecord(record).toString().slice(9, -1),
  ),
);
const USAGE =
  '{"request_count":10,"from":1,"to":2,"methods":[{"method":"getSlot","count":2,"errors":0},{"method":"x","count":8,"errors":2}]}';

export const KINDS: Readonly<Record<string, Kind>> = {
  requestFile(random) {
    const document = parseDocument(URI, 0, requestText(random));
    for (const { placed } of diagnose({ document, surroundings: {} })) assert.ok(isInside(document, placed.line));
  },

  edits(random) {
    let document = parseDocument(URI, 0, requestText(random));
    for (let version = 1; version <= 4; version++) {
      const [one, other] = [random.below(document.lines.length), random.below(document.lines.length)];
      const [line, endLine] = random.once(3) ? [Math.min(one, other), Math.max(one, other)] : [one, one];
      const place = (at: number): number => random.below((document.lines[at]?.length ?? 0) + 1);
      const [character, last] = [place(line), place(endLine)];
      const end = { line: endLine, character: line === endLine ? Math.max(character, last) : last };
      const text = random.once(4) ? requestText(random).slice(0, 500) : mutatedText(random, '{}');
      document = applyEdit(document, version, { start: { line, character }, end }, text);
    }
    const fresh = parseDocument(URI, 0, document.lines.join('\n'));
    assert.deepEqual(document.blocks, fresh.blocks);
    assert.deepEqual(saidOf(document), saidOf(fresh));
  },

  transaction(random) {
    const bytes = mutatedBytes(random, random.pick(TRANSACTIONS()));
    decodeTransaction(bytes);
    explainedText(bytes.toString('base64'), NO_PROGRAMS);
  },

  account(random) {
    const programs = programsOf([readIdl(COUNTER()), readIdl(CODAMA())].flatMap(({ idl }) => (idl ? [{ idl }] : [])));
    const { address = '' } = JSON.parse(COUNTER()) as { readonly address?: string };
    const owner = random.pick([address, CODAMA_PROGRAM, ...OWNERS]);
    const data = random.once(2) ? mutatedBytes(random, COUNTER_DATA) : random.bytes(random.below(700));
    decodeAccount({ owner, lamports: 1n, data, executable: false }, programs);
  },

  idlAnchor: (random) => void readIdl(mutatedText(random, COUNTER())),
  idlCodama: (random) => void readIdl(mutatedText(random, CODAMA())),

  pubSub(random) {
    const [method, result] = random.pick(NOTIFICATIONS);
    const whole = Buffer.from(notification(method.replace('Subscribe', 'Notification'), result));
    readRow(notificationsShape(method), method, mutatedBytes(random, whole));
  },

  grpcUpdate(random) {
    const bytes = mutatedBytes(random, random.once(3) ? blockUpdate(2) : transactionUpdate());
    readRow(updatesShape(), SUBSCRIBE, bytes);
    textOfUpdate(SUBSCRIBE, bytes);
  },

  grpcFrames(random) {
    const all = Buffer.concat(Array.from({ length: 1 + random.below(5) }, () => frame(random.bytes(random.below(60)))));
    const bytes = random.once(2) ? mutatedBytes(random, all) : all;
    const cut = (most: number): string => {
      const messages: string[] = [];
      const reader = new FrameReader(checkFrame('test', () => false));
      try {
        for (let at = 0, size = 0; at < bytes.length; at += size) {
          size = 1 + random.below(most);
          reader.read(bytes.subarray(at, at + size), (part, start, end) =>
            messages.push(part.toString('hex', start, end)),
          );
        }
      } catch (error) {
        if (!(error instanceof RefusedAnswer)) throw error;
        messages.push('refused');
      }
      return messages.join();
    };
    assert.equal(cut(7), cut(bytes.length));
  },

  usage(random) {
    const text = mutatedText(random, USAGE);
    try {
      readUsage(parseJson(text), { from: 1, to: 2 });
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error;
    }
  },

  profiles: (random) => void readProfileFile(mutatedText(random, PROFILES)),

  redactor: (random) => assert.deepEqual(compareRedactors(1, random.below(2 ** 31)).problems, []),

  answer(random) {
    const text = mutatedText(random, ANSWER);
    const value = jsonOf(text);
    if (value === undefined) return void assert.throws(() => JSON.parse(text), SyntaxError);
    memoryOf(value);
    assert.ok(equalValues(parseJson(printJson(value, random.below(3))), value));
  },

  schema(random) {
    const schema = jsonOf(mutatedText(random, SCHEMA));
    const value = jsonOf(random.once(3) ? mutatedText(random, ANSWER) : ANSWER);
    if (schema !== undefined && value !== undefined) schemaFaults(value, schema);
  },

  stateFile(random) {
    const json = mutatedText(random, random.pick(RECORDS()));
    const read = decodeRecords(Buffer.from(HEADER + stateLine(json)));
    if (!read.ok) return;
    const again = decodeRecords(Buffer.concat([Buffer.from(HEADER), ...read.records.map(encodeRecord)]));
    assert.deepEqual(again.ok && again.records, read.records);
  },

  openRpc: (random) => void readOpenRpc(mutatedText(random, OPENRPC), 'openrpc.json'),

  /** One character or two, over and over: a reader whose cost is the square of the length takes the run to its limit. */
  runs(random) {
    const length = 100_000 + random.below(200_000);
    const run = random.pick(RUNS).repeat(length);
    random.pick(LONG_READERS)(`${random.pick(HEADS)}${run}${random.pick(TAILS)}`);
  },

  curl: (random) => void readAllCurl(mutatedText(random, random.pick(COMMANDS()))),
};

const RUNS = [
  ' ',
  '.',
  '\0',
  "'",
  '"',
  '\\',
  '7',
  '[',
  '{',
  '{{',
  '(',
  ':',
  '=',
  '-',
  '~',
  'a',
  '\n',
  '. ',
  '"\\',
  '/a',
];
const HEADS = [
  '',
  'x',
  'curl x ',
  'a@',
  '@a = ',
  '### ',
  '# @name ',
  '?? result == ',
  '>> ./x',
  '{"a": "',
  '{"a": ',
  'POST ',
];
const TAILS = ['', 'x', '\n', 'b.json', '"}', '\u2028x', '::error::'];
/** Readers of whole texts from outside. */
const LONG_READERS: readonly ((text: string) => unknown)[] = [
  (text) => {
    const document = parseDocument(URI, 0, `### a\n{ "method": "getSlot" }\n${text}`);
    diagnose({ document, surroundings: {} });
  },
  (text) => readAllCurl(text),
  (text) => convertHttp(text),
  (text) => readVariableText(text),
  (text) => rowsOfFile('rows.csv', text),
  (text) => rowsOfFile('rows.json', text),
  (text) => csvLine([text]),
  (text) => unsafeSavePlace(text),
  (text) => escapeText(text),
  (text) => readIdl(text),
  (text) => readOpenRpc(text, 'openrpc.json'),
  (text) => readProfileFile(text),
  (text) => readAddress(text),
];

const OWNERS = [
  '11111111111111111111111111111111',
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
  'Stake11111111111111111111111111111111111111',
  'Vote111111111111111111111111111111111111111',
  'AddressLookupTab1e1111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
];

/** A kind, and the seed of the input at which it failed. */
export interface Failure {
  readonly kind: string;
  readonly seed: number;
  readonly message: string;
}

/** The failure of one input; undefined if there was no failure. */
export function failureAt(kind: string, seed: number): Failure | undefined {
  const make = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  if (make === undefined) throw new Error(`There is no kind "${kind}". Kinds: ${Object.keys(KINDS).join(', ')}`);
  try {
    make(chance(seed));
    return undefined;
  } catch (error) {
    return { kind, seed, message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
