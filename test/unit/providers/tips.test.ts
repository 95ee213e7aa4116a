// The tip that a sender wants: found in transactions of every version, said in the editor and in a run's report, and never
// a reason to refuse.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLanguageService } from '../../../core/requests/language/service';
import { PROVIDERS } from '../../../core/service/providers/table';
import { tipProblems, wantedTip } from '../../../core/service/providers/tips';
import { decodeBase58, encodeBase58 } from '../../../core/solana/encoding/base58';
import { parseJson } from '../../../core/solana/json/json';
import { isPublicKey } from '../../../core/solana/chain/keys';
import { attachSignature, transferMessage } from '../../../core/solana/wire/message';
import { kitV1, newSigner, transferInstruction } from '../../support/data/v1Transactions';
import { runText } from '../../support/process/run';
import { marked } from '../language/markers';

const NOZOMI = 'https://ams1.nozomi.temporal.xyz/?c={key}';
const TIP = 'noz3jAjPiHuBPqiSPkkugaJDkJscPuRhYnSpbi8UvC4';
const JITO_TIP = '96gYZGLnJYVFmbjzopPSU6QiEV5fGqZNyN9nmNhvrZU5';
const address = (byte: number): string => encodeBase58(new Uint8Array(32).fill(byte));
const OTHER = address(7);

function transfer(to: string, lamports: bigint): Uint8Array {
  const built = transferMessage({ from: address(1), to, lamports, blockhash: address(9) });
  assert.ok(built.ok);
  return attachSignature(built.message, new Uint8Array(64).fill(3));
}
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const send = (text: string): string =>
  `{ "method": "sendTransaction", "params": ["${text}", { "encoding": "base64", "skipPreflight": true, "maxRetries": 0 }] }`;
const problems = (url: string, text: string): readonly string[] => tipProblems(url, parseJson(text));

/** A version 0 transaction that pays the first account of a lookup table. */
function throughTable(lamports: bigint): Uint8Array {
  const data = new Uint8Array(12);
  data[0] = 2;
  new DataView(data.buffer).setBigUint64(4, lamports, true);
  const of = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
  const head = Uint8Array.of(0x80, 1, 0, 1, 2);
  const instruction = Uint8Array.of(1, 1, 2, 0, 2, 12, ...data);
  const lookup = Uint8Array.of(1, ...of(5), 1, 0, 0);
  const message = Buffer.concat([head, of(1), of(0), of(9), instruction, lookup]);
  return attachSignature(message, new Uint8Array(64).fill(3));
}

test('every tip account of the table is an address, listed once', () => {
  for (const { name, tip } of PROVIDERS) {
    const accounts = tip?.accounts ?? [];
    assert.equal(new Set(accounts).size, accounts.length, name);
    for (const account of accounts) assert.ok(isPublicKey(account), `${name} ${account}`);
    assert.match(tip?.asOf ?? '2026-01', /^20\d\d-(?:0[1-9]|1[0-2])$/, name);
  }
});

test('a transfer of enough to a tip account is the tip; less, or to another account, is said', () => {
  assert.deepEqual(problems(NOZOMI, send(base64(transfer(TIP, 100_000n)))), []);
  assert.match(problems(NOZOMI, send(base64(transfer(TIP, 99_999n))))[0] ?? '', /at least 100000 lamports.*99999/);
  assert.match(problems(NOZOMI, send(base64(transfer(OTHER, 1_000_000n))))[0] ?? '', /nothing here transfers 100000/);
  const base58 = `{ "method": "sendTransaction", "params": ["${encodeBase58(transfer(OTHER, 5n))}"] }`;
  assert.equal(problems(NOZOMI, base58).length, 1);
});

test('an address of no sender wants none, and its query may lower the least tip', () => {
  assert.deepEqual(problems('https://mainnet.helius-rpc.com/?api-key={key}', send(base64(transfer(OTHER, 1n)))), []);
  assert.equal(wantedTip('https://sender.helius-rpc.com/fast')?.lamports, 1_000_000n);
  assert.equal(wantedTip('https://sender.helius-rpc.com/fast?swqos_only=true')?.lamports, 5_000n);
});

test('version 1 is read; what pays through a lookup table, or cannot be read, is not judged', async () => {
  const payer = await newSigner();
  const v1 = async (to: string): Promise<string> =>
    base64(await kitV1({ payer, blockhash: address(9), instructions: [transferInstruction(payer, to, 100_000n)] }));
  assert.deepEqual(problems(NOZOMI, send(await v1(TIP))), []);
  assert.equal(problems(NOZOMI, send(await v1(OTHER))).length, 1);
  assert.deepEqual(problems(NOZOMI, send(base64(throughTable(1n)))), []);
  assert.deepEqual(problems(NOZOMI, send('AAAA')), []);
});

test('of a bundle one transaction pays for all', () => {
  const url = 'https://mainnet.block-engine.jito.wtf/api/v1/bundles';
  const bundle = (...of: readonly Uint8Array[]): string =>
    `{ "method": "sendBundle", "params": [[${of.map((each) => `"${base64(each)}"`).join()}], { "encoding": "base64" }] }`;
  assert.deepEqual(problems(url, bundle(transfer(OTHER, 5n), transfer(JITO_TIP, 1_000n))), []);
  assert.equal(problems(url, bundle(transfer(OTHER, 5n), transfer(OTHER, 6n))).length, 1);
});

test('the editor marks the transaction, for the endpoint’s sender and for a URL of the file', () => {
  const text = base64(transfer(OTHER, 1n));
  assert.notEqual(decodeBase58(OTHER), undefined);
  const service = createLanguageService({
    surroundings: () => ({ endpoint: () => ({ packs: [], swqosUrl: NOZOMI }) }),
    log: (message) => assert.fail(message),
  });
  const body = send(text).replace(`"${text}"`, `⟦"${text}"⟧`);
  for (const line of ['SWQOS', `SWQOS ${NOZOMI.replace('ams1', 'fra2')}`, `POST ${NOZOMI}`]) {
    const { document, ranges } = marked(`### a\n${line}\n${body}`);
    const found = service.diagnostics(document).filter(({ code }) => code === 'sender-tip');
    assert.deepEqual(
      found.map(({ range, severity }) => [range, severity]),
      [[ranges[0], 2]],
      line,
    );
  }
  const plain = marked(`### a\n${send(text)}`);
  assert.deepEqual(
    service.diagnostics(plain.document).filter(({ code }) => code === 'sender-tip'),
    [],
  );
});

test('a run says it in a note and sends all the same', async () => {
  const ran = await runText(`### a\nSWQOS\n${send(base64(transfer(OTHER, 1n)))}\n`, { ports: { urlOf: () => NOZOMI } });
  const [row] = ran.report.requests;
  assert.equal(row?.status, 'passed');
  assert.match(row?.notes?.[0] ?? '', /Nozomi .*wants a tip/);
  assert.equal(ran.sent[0]?.method, 'sendTransaction');
});
