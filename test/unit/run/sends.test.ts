// Which requests count as sending a transaction, before a run and when they are ready to leave.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDocument } from '../../../core/requests/document/document';
import { Sources } from '../../../core/requests/run/source';
import { maySendTransaction, sendsTransaction } from '../../../core/requests/run/sends';

const call = (method: string): string => `{ "method": ${method} }`;

/** A block, and whether it sends a transaction, as far as its file says. */
const BLOCKS: readonly (readonly [block: string, sends: boolean])[] = [
  [call('"sendTransaction"'), true],
  [call('"sendBundle"'), true],
  [call('"SendRawTransaction"'), true],
  [`[${call('"getSlot"')}, ${call('"sendTransaction"')}]`, true],
  [call('"{{r.result}}"'), true],
  ['GRPC http://127.0.0.1/block_engine.Sender/SendPacket\n{}', true],
  ['GRPC http://127.0.0.1/block_engine.Sender/sendBundle\n{}', true],
  [call('"getSlot"'), false],
  [call('"resend"'), false],
  [`[${call('"getSlot"')}]`, false],
  ['GRPC http://127.0.0.1/send.Send/GetVersion\n{}', false],
];

for (const [block, sends] of BLOCKS)
  test(`${JSON.stringify(block)} ${sends ? 'sends, or may' : 'sends nothing'}`, () => {
    const text = `### r\n# @name r\n{ "method": "getSlot" }\n### a\n${block}\n`;
    const document = parseDocument('a.jsonrpc', 1, text);
    const sources = new Sources({
      variables: new Map(),
      profileVariables: () => new Map(),
      imports: { documentOf: () => undefined },
    });
    const [, placed = assert.fail()] = document.blocks;
    assert.equal(maySendTransaction(sources.locate(document, placed)), sends);
  });

const READY = { ids: [], isBatch: false, headers: [], timeoutMs: 1 };

test('what is ready to leave is judged by its method alone', () => {
  const sends = (transport: 'POST' | 'GRPC', method: string, body: string): boolean =>
    sendsTransaction({ ...READY, transport, method, body });
  assert.ok(sends('POST', 'sendTransaction', call('"sendTransaction"')));
  assert.ok(sends('POST', '', `[${call('"getSlot"')}, ${call('"sendBundle"')}]`));
  assert.ok(sends('GRPC', 'a.B/SendTransaction', '{}'));
  assert.ok(!sends('POST', 'getSlot', call('"getSlot"')));
  assert.ok(!sends('GRPC', 'send.Send/GetSlot', '{ "method": "sendTransaction" }'));
});
