// The corpus against the real local service: what the editor passes is not refused as wrong, what it refuses is. The two
// sides share no checks; where they disagree, one of them is wrong by the contract.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { JsonValue } from '../../../core/solana/json/json';
import { isJsonArray, member, parseJson, printJson } from '../../../core/solana/json/json';
import { Scope } from '../../../core/requests/document/variables/variables';
import { transportOf } from '../../../core/requests/document/call';
import { METHODS as RECORDS, STANDARD_METHODS } from '../../../core/requests/methods';
import { TRANSACTION_KEY } from '../../../core/requests/methods/records/transactionBody';
import { fillBody } from '../../../core/requests/document/variables/fill';
import { documentFor, filesOf, findings, imports, readDocument } from '../../corpus/check';
import { METHODS, REMOVED } from '../../corpus/methods';
import { readMarks } from '../../corpus/marks';
import { mutationsOf } from '../../corpus/mutations';
import { MINT, OTHER_KEY, KEY } from '../../corpus/values';
import { bodyOf, callsOf } from '../../corpus/variants';
import { codeBlocksOf } from '../../support/data/markdown';
import { startTestLedger, type Localnet } from '../../support/process/localnet';
import { BAD_SIGNATURE, openAsker, type Asker, type Taken } from './corpus-ask';

let local: Localnet;
let asker: Asker;
before(async () => {
  local = await startTestLedger(['--plan', 'Shared Metal'], { clock: 'slots' });
  await local.cheat('setTokenAccount', { address: OTHER_KEY, mint: MINT, owner: KEY, amount: 5 });
  // So that it is finalized, and the slots of examples are there.
  await local.slots(140);
  asker = await openAsker(local);
});
after(async () => {
  asker.close();
  await local.stop();
});

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const NO_METHOD = -32601;
const INVALID_PARAMS = -32602;
const REFUSALS = new Set([PARSE_ERROR, INVALID_REQUEST, NO_METHOD, INVALID_PARAMS, BAD_SIGNATURE]);

/** Codes about what a node reads; the others are about the file, or about what two requests of a batch share. */
const REFUSED = new Set(
  `missing-field missing-param params-by-name too-many-params too-many-items filter-shape wrong-type enum-value
  encoding-unsupported commitment-unsupported out-of-range not-base58 not-base64 wrong-length conflicting-fields
  unknown-method deprecated-method transaction-encoding transaction-unsigned`.split(/\s+/),
);

/** Not answered by a local ledger, on purpose; each with a sentence (docs/local-service.md). */
const UNANSWERED = new Set(METHODS.filter(({ refused }) => refused === NO_METHOD).map(({ name }) => name));

/** Refusals that depend on the ledger's state and not on the call: a node with other slots and accounts answers. */
const OF_THE_STATE: readonly RegExp[] = [
  /^Encoded binary \(base 58\) data should be less than 128 bytes/,
  /^lastSlot, \d+, cannot be less than firstSlot, 18446744073709551615$/,
  /^lastSlot, 18446744073709551615, is too large/,
  /^Invalid param: could not find (?:account|mint)$/,
  /^Invalid slot range: leader schedule for epoch \d+ is unavailable$/,
];

const isOfTheState = ({ message }: Taken): boolean => OF_THE_STATE.some((text) => text.test(message));
const NOTHING: Taken = { code: 0, message: 'no error' };
const print = (taken: Taken): string => `${taken.code} ${taken.message}`;

/** Where a call goes when nothing says otherwise. */
const isOnSocket = (method: string): boolean => METHODS.find(({ name }) => name === method)?.on === 'ws';

describe('what the editor passes is taken', () => {
  for (const facts of METHODS)
    test(`every valid call of ${facts.name}`, async () => {
      const wrong: string[] = [];
      for (const call of callsOf(facts)) {
        // Nodes refuse an id that nothing was opened with.
        if (facts.name.endsWith('Unsubscribe')) continue;
        const body = parseJson(bodyOf(call));
        const taken = await (facts.on === 'ws' ? asker.ws(body) : asker.http(body));
        if (UNANSWERED.has(facts.name)) {
          if (taken?.code !== NO_METHOD || taken.message.length < 25) wrong.push(`no sentence for ${bodyOf(call)}`);
        } else if (taken !== undefined && REFUSALS.has(taken.code) && !isOfTheState(taken))
          wrong.push(`${print(taken)} for ${bodyOf(call)}`);
      }
      assert.deepEqual(wrong, []);
    });
});

describe('the examples of docs/methods.md', () => {
  const examples = codeBlocksOf(readFileSync('docs/methods.md', 'utf8')).filter(({ language }) => language === 'json');

  test('are as many as there are methods', () => assert.equal(examples.length, RECORDS.length));

  for (const { heading, text } of examples)
    test(`${heading} is taken`, async () => {
      const name = heading.replace(' ●', '');
      const taken = await (isOnSocket(name) ? asker.ws(parseJson(text)) : asker.http(parseJson(text)));
      if (name.endsWith('Unsubscribe') || UNANSWERED.has(name))
        return assert.ok(taken !== undefined && taken.message.length >= 20, print(taken ?? NOTHING));
      assert.ok(taken === undefined || !REFUSALS.has(taken.code) || isOfTheState(taken), taken && print(taken));
    });
});

/** The request of a marked block, and the codes that are marked in it. */
function requestOf(source: string): { body: JsonValue | undefined; codes: string[]; line: string | undefined } {
  const { text, expected } = readMarks(`### a\n${source}`);
  const block = documentFor(text).blocks.at(-1)?.block;
  const codes = expected.map(({ severity, code }) => `${severity} ${code}`);
  return { body: block?.body?.value(), codes, line: block?.requestLine?.keyword.text };
}

/** A block of a hand-written file, its variables filled in where the file alone gives their values. */
interface Written {
  readonly where: string;
  readonly body: JsonValue;
  readonly transport: 'POST' | 'WS' | 'SWQOS' | 'GRPC';
  readonly errors: readonly string[];
}

function writtenIn(folder: 'valid' | 'faulty'): Written[] {
  return filesOf(folder).flatMap(({ name, file, text: source }) => {
    const { text } = folder === 'faulty' ? readMarks(source) : { text: source };
    const document = readDocument(file, text);
    const found = findings(document).filter(({ severity }) => severity === 'error');
    const scope = new Scope(document, { imports });
    return document.blocks.flatMap(({ block, line }): Written[] => {
      const { body } = block;
      if (body?.valid !== true) return [];
      const { filled, key } = fillBody(scope, block, body);
      // A question mark marks what only a run can know; only a run builds a transaction out of its members.
      if (/^\?/m.test(key) || body.text.includes(TRANSACTION_KEY)) return [];
      const isHere = ({ start }: (typeof found)[number]): boolean =>
        start.line >= line && start.line < line + block.lineStarts.length;
      const errors = found.filter(isHere).map(({ code }) => code);
      return [
        {
          where: `${name}:${line + 1}`,
          body: filled.value,
          transport: transportOf(block, STANDARD_METHODS, filled.value),
          errors,
        },
      ];
    });
  });
}

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

const ask = ({ transport, body }: Written): Promise<Taken | undefined> =>
  transport === 'WS'
    ? asker.ws(body)
    : asker.http(body, transport === 'SWQOS' ? local.ready.keys.swqos.key : undefined);

describe('hand-written files', () => {
  test('what the editor passes is taken', async () => {
    const blocks = writtenIn('valid').filter(({ transport }) => transport !== 'GRPC');
    assert.ok(blocks.length >= 80, String(blocks.length));
    const wrong: string[] = [];
    for (const block of blocks) {
      const method = textOf(member(block.body, 'method'));
      // Nothing was opened with the id.
      if (method.endsWith('Unsubscribe')) continue;
      const taken = await ask(block);
      if (taken !== undefined && REFUSALS.has(taken.code) && !isOfTheState(taken))
        wrong.push(`${print(taken)} for ${block.where}`);
    }
    assert.deepEqual(wrong, []);
  });

  test('what the editor refuses in a request is refused', async () => {
    const blocks = writtenIn('faulty').filter(
      ({ transport, errors, where, body }) =>
        transport !== 'GRPC' &&
        errors.some((code) => REFUSED.has(code)) &&
        !where.startsWith('ids.jsonrpc') &&
        // Nobody looks at the signatures of what goes without preflight.
        !(errors.join() === 'transaction-unsigned' && printJson(body).includes('"skipPreflight":true')),
    );
    assert.ok(blocks.length >= 80, String(blocks.length));
    const wrong: string[] = [];
    for (const block of blocks) {
      const taken = await ask(block);
      if (taken === undefined || !REFUSALS.has(taken.code))
        wrong.push(`${block.errors.join()} of ${block.where}: ${taken === undefined ? 'taken' : print(taken)}`);
    }
    assert.deepEqual(wrong, []);
  });
});

test('every valid call of sendTransaction is taken with the key of priority landing', async () => {
  const facts = METHODS.find(({ name }) => name === 'sendTransaction');
  for (const call of facts === undefined ? [] : callsOf(facts)) {
    const taken = await asker.http(parseJson(bodyOf(call)), local.ready.keys.swqos.key);
    assert.ok(taken === undefined || !REFUSALS.has(taken.code), `${taken?.message} for ${bodyOf(call)}`);
  }
});

describe('what the editor refuses is refused', () => {
  for (const facts of METHODS.filter(({ name }) => !UNANSWERED.has(name)))
    test(`every faulty call of ${facts.name}`, async () => {
      const wrong: string[] = [];
      for (const { source } of mutationsOf(facts)) {
        const { body, codes, line } = requestOf(source);
        if (body === undefined || line === 'GRPC' || line === 'SWQOS') continue;
        const isOfSocket = line === undefined ? !isJsonArray(body) && isOnSocket(facts.name) : line.startsWith('W');
        const taken = await (isOfSocket ? asker.ws(body) : asker.http(body));
        const isRefused = taken !== undefined && REFUSALS.has(taken.code);
        if (codes.some((code) => code.startsWith('error ')) && !isRefused)
          wrong.push(`taken: ${source} ${taken === undefined ? '' : print(taken)}`);
        if (codes.every((code) => code === 'warning unknown-field') && isRefused)
          wrong.push(`${print(taken)} for what nodes ignore: ${source}`);
      }
      assert.deepEqual(wrong, []);
    });
  test('every removed method', async () => {
    for (const method of Object.keys(REMOVED)) assert.equal((await asker.http({ method }))?.code, NO_METHOD, method);
  });
});
