// Faults that a request can have while every value is well formed, each with one finding of the right code, and a nearly
// right twin without any.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { documentFor, service } from '../../../corpus/check';

const W = '9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g';
const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';

const call = (method: string, ...params: readonly unknown[]): string =>
  `### a\n${JSON.stringify({ method, params })}\n`;
const scan = (program: string, ...filters: readonly object[]): string =>
  call('getProgramAccounts', program, { encoding: 'base64', filters });
const memcmp = (offset: number, bytes = W): object => ({ memcmp: { offset, bytes } });
const owned = (filter: object): string => call('getTokenAccountsByOwner', W, filter, { encoding: 'base64' });
const stream = (body: object): string => `### a\n# @until 5s\nGRPC geyser.Geyser/Subscribe\n${JSON.stringify(body)}\n`;
const byBytes = (compared: object): string =>
  stream({ accounts: { a: { owner: [TOKEN], filters: [{ memcmp: { offset: '32', ...compared } }] } } });
const balance = `### a\n# @name bal\n${JSON.stringify({ method: 'getBalance', params: [W] })}\n`;
const airdrop = `### a\n# @name sig\n${JSON.stringify({ method: 'requestAirdrop', params: [W, 5000] })}\n`;
const slot = `### a\n# @name now\n{ "method": "getSlot" }\n`;
const batch = '### a\n# @name both\n[{ "id": 1, "method": "getSlot" }, { "id": 2, "method": "getSlot" }]\n';
const time = (reference: string): string => `### b\n{ "method": "getBlockTime", "params": ["{{${reference}}}"] }\n`;

const rows = (reference: string): string =>
  `### a\n# @foreach row in [{"k":"${W}"}]\n{ "method": "getBalance", "params": ["{{${reference}}}"] }\n`;

const ROWS: readonly (readonly [fault: string, code: string, wrong: string, right: string])[] = [
  [
    'a memcmp behind dataSize',
    'empty-answer',
    scan(W, { dataSize: 165 }, memcmp(134)),
    scan(W, { dataSize: 165 }, memcmp(133)),
  ],
  ['a column that no row has', 'unresolved-variable', rows('row.kk'), rows('row.k')],
  ['a range from its upper end', 'bad-assertion', `${slot}?? result between 5 1\n`, `${slot}?? result between 1 5\n`],
  ['an empty list', 'bad-assertion', `${slot}?? result in []\n`, `${slot}?? result in [0]\n`],
  ['two sizes', 'empty-answer', scan(W, { dataSize: 165 }, { dataSize: 82 }), scan(W, { dataSize: 165 })],
  [
    'two values at one place',
    'empty-answer',
    scan(W, memcmp(0), memcmp(0, MINT)),
    scan(W, memcmp(0), memcmp(32, MINT)),
  ],
  [
    'a token owner at a wrong offset',
    'empty-answer',
    scan(TOKEN, { dataSize: 165 }, memcmp(33)),
    scan(TOKEN, { dataSize: 165 }, memcmp(32)),
  ],
  [
    'a size that no token account has',
    'empty-answer',
    scan(TOKEN, { dataSize: 164 }, memcmp(32)),
    scan(TOKEN, { dataSize: 165 }, memcmp(0, MINT)),
  ],
  ['a program as mint', 'wrong-account', owned({ mint: TOKEN }), owned({ mint: MINT })],
  ['a mint as program', 'wrong-account', owned({ programId: MINT }), owned({ programId: TOKEN })],
  [
    'a slice of parsed data',
    'no-effect',
    call('getAccountInfo', W, { encoding: 'jsonParsed', dataSlice: { offset: 0, length: 5 } }),
    call('getAccountInfo', W, { encoding: 'base64', dataSlice: { offset: 0, length: 5 } }),
  ],
  [
    'a slice too long for base58',
    'base58-limit',
    call('getAccountInfo', W, { encoding: 'base58', dataSlice: { offset: 0, length: 129 } }),
    call('getAccountInfo', W, { encoding: 'base58', dataSlice: { offset: 0, length: 128 } }),
  ],
  ['a range from its end', 'empty-answer', call('getBlocks', 10, 5), call('getBlocks', 5, 5)],
  ['an address as message', 'wrong-type', call('getFeeForMessage', W), call('getBalance', W)],
  [
    'a member twice',
    'duplicate-member',
    '### a\n{ "method": "getSlot", "method": "getSlot" }\n',
    '### a\n{ "method": "getSlot", "id": null }\n',
  ],
  ['base58 as bytes of gRPC', 'base58-bytes', byBytes({ bytes: W }), byBytes({ base58: W })],
  ['a subscription to nothing', 'empty-subscription', stream({}), stream({ slots: { a: {} } })],
  [
    'every transaction',
    'unbounded-scan',
    stream({ transactions: { a: {} } }),
    stream({ transactions: { a: { accountInclude: [W] } } }),
  ],
  [
    'a subscription again and again',
    'bad-directive',
    '### a\n# @retry 3 every 1s\nWS\n{ "method": "slotSubscribe" }\n',
    '### a\n# @retry 3 every 1s\n{ "method": "getSlot" }\n',
  ],
  [
    'messages of a response',
    'unknown-path',
    `${call('getSlot')}?? messages.length > 0\n`,
    `${call('getSlot')}?? status == 200\n`,
  ],
  [
    'a status of a stream',
    'unknown-path',
    '### a\n# @until 1s\nWS\n{ "method": "slotSubscribe" }\n?? status == 200\n',
    '### a\n# @until 1s\nWS\n{ "method": "slotSubscribe" }\n?? messages.length > 0\n',
  ],
  [
    'an endpoint that is not there',
    'unknown-endpoint',
    '### a\n# @endpoint mainnett\n{ "method": "getSlot" }\n',
    '### a\n# @endpoint mainnet\n{ "method": "getSlot" }\n',
  ],
  [
    'POST to a WebSocket',
    'wrong-transport',
    '### a\nPOST wss://a.example\n\n{ "method": "getSlot" }\n',
    '### a\nWS wss://a.example\n\n{ "method": "slotSubscribe" }\n',
  ],
  [
    'an argument that is not an address',
    'unresolved-variable',
    call('getBalance', `{{$ata ${W} nomint}}`),
    call('getBalance', `{{$ata ${W} ${MINT}}}`),
  ],
  [
    'less than a lamport',
    'wrong-type',
    call('requestAirdrop', W, '{{$sol 1.1234567891}}'),
    call('requestAirdrop', W, '{{$sol 1.123456789}}'),
  ],
  [
    'a variable that nobody uses',
    'unused-variable',
    `@x = 1\n${call('getSlot')}`,
    `@x = 1\n${call('getBlockTime', '{{x}}')}`,
  ],
  [
    'a path that is nearly right',
    'unknown-path',
    `${call('getEpochInfo')}?? result.absolutSlot > 5\n`,
    `${call('getEpochInfo')}?? result.absoluteSlot > 5\n`,
  ],
  [
    'a reference that is nearly right',
    'unknown-path',
    balance + time('bal.reslt'),
    balance + time('bal.result.context.slot'),
  ],
  ['an object compared as a number', 'unknown-path', `${balance}?? result > 0\n`, `${balance}?? result.value > 0\n`],
  [
    'an id that is not in the batch',
    'unknown-path',
    '### a\n[{ "id": 1, "method": "getSlot" }]\n?? [2].result > 0\n',
    '### a\n[{ "id": 1, "method": "getSlot" }]\n?? [1].result > 0\n',
  ],
  ['a signature where a slot is wanted', 'wrong-type', airdrop + time('sig.result'), slot + time('now.result')],
  [
    'a captured signature where a slot is wanted',
    'wrong-type',
    airdrop.replace('# @name', '# @capture').replace('sig', 'sig = result') + time('sig'),
    slot.replace('# @name', '# @capture').replace('now', 'now = result') + time('now'),
  ],
  [
    'an id of a reference that is not in the batch',
    'unknown-path',
    batch + time('both[3].result'),
    batch + time('both[2].result'),
  ],
  [
    'a capture that leads nowhere',
    'unknown-path',
    `### a\n# @capture now = result.absolutSlot\n{ "method": "getEpochInfo" }\n${time('now')}`,
    `### a\n# @capture now = result.absoluteSlot\n{ "method": "getEpochInfo" }\n${time('now')}`,
  ],
  [
    'a mint at a wrong offset',
    'empty-answer',
    scan(TOKEN, { dataSize: 165 }, memcmp(1, MINT)),
    scan(TOKEN, { dataSize: 165 }, memcmp(0, MINT)),
  ],
  [
    'a range of a configuration from its end',
    'out-of-range',
    call('getBlockProduction', { range: { firstSlot: 10, lastSlot: 5 } }),
    call('getBlockProduction', { range: { firstSlot: 5, lastSlot: 5 } }),
  ],
  [
    'a variable twice in one scope',
    'duplicate-variable',
    `@x = 1\n@x = 2\n${call('getBlockTime', '{{x}}')}`,
    `@x = 1\n### a\n@x = 2\n{ "method": "getBlockTime", "params": ["{{x}}"] }\n### b\n{ "method": "getBlockTime", "params": ["{{x}}"] }\n`,
  ],
  [
    'a helper that is nearly right',
    'unresolved-variable',
    call('getBlockTime', '{{$randmInt 1 9}}'),
    call('getBlockTime', '{{$randomInt 1 9}}'),
  ],
  ['every account', 'unbounded-scan', stream({ accounts: { a: {} } }), stream({ accounts: { a: { account: [W] } } })],
  [
    'the default of versions',
    'legacy-only',
    call('getBlock', 5, { encoding: 'json' }),
    call('getBlock', 5, { encoding: 'json', maxSupportedTransactionVersion: 1 }),
  ],
];

const codesIn = (text: string): readonly unknown[] => service.diagnostics(documentFor(text)).map(({ code }) => code);

describe('one finding for', () => {
  for (const [fault, code, wrong, right] of ROWS)
    test(`${fault}, and none for its twin`, () => {
      assert.deepEqual(codesIn(wrong), [code], wrong);
      assert.deepEqual(codesIn(right), [], right);
    });
});
