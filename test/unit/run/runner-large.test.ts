// A run over responses that lie in files: chains, assertions, repeats and saving see the whole body.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ok, type Result } from '../../../core/service/errors';
import { Outline } from '../../../core/service/response/outline';
import { JsonScanner } from '../../../core/service/response/scanner';
import { TextBody } from '../../../core/service/response/textBody';
import type { OpenStream } from '../../../runner/ports';
import type { Exchange, LargeBody } from '../../../core/requests/run/model';
import { exchange, runText, type Ran, type Setup } from '../../support/process/run';

/** A body as it lies in a file; `reads` counts the bytes that were asked for. */
function large(text: string): LargeBody & { readonly reads: { bytes: number } } {
  const bytes = Buffer.from(text);
  const outline = new Outline();
  new JsonScanner(outline).push(bytes);
  const reads = { bytes: 0 };
  const file = {
    path: '/nowhere',
    bytes: bytes.length,
    moveTo: () => Promise.resolve(),
    read: (offset: number, length: number) => {
      reads.bytes += length;
      return Promise.resolve(bytes.subarray(offset, offset + length));
    },
  };
  return { kind: 'file', file, bytes: bytes.length, head: text.slice(0, 100), outline: outline.root, reads };
}

const COUNT = 60_000;
const accounts = (count = COUNT): string => {
  const items = Array.from(
    { length: count },
    (_, index) =>
      `{"pubkey":"Key${index}","account":{"lamports":18446744073709551615,"data":["${'A'.repeat(60)}","base64"]}}`,
  );
  return `{"jsonrpc":"2.0","result":[${items.join(',')}],"id":1}`;
};
const BIG = accounts();

const answering = (body: LargeBody): Partial<Exchange> => ({ body, bytes: body.bytes });

/** Runs a block named `all` that gets the body, with these lines behind it. */
const against = (body: LargeBody, lines: string, setup: Setup = {}): Promise<Ran> =>
  runText(`### all\n# @name all\n{"method":"getProgramAccounts","params":["x"]}\n${lines}`, {
    reply: (_, nth) => (nth === 0 ? answering(body) : '{"jsonrpc":"2.0","result":1,"id":2}'),
    ...setup,
  });

describe('assertions on a large response', () => {
  const PASSING = [
    `result.length == ${COUNT}`,
    `result length ${COUNT}`,
    'result isArray',
    'result exists',
    `result length >= ${COUNT}`,
    'every result[*].account.lamports > 0',
    `any result[*].pubkey == "Key${COUNT - 1}"`,
    `result[-1].pubkey == "Key${COUNT - 1}"`,
    'result not isObject',
    `result[${COUNT - 1}].pubkey == "Key${COUNT - 1}"`,
    'result[31000].account.lamports == 18446744073709551615',
    'result[31000].account.data[1] startsWith "base"',
    'result[12].account isObject',
    'id == 1',
    'status == 200',
    'result contains {"pubkey":"Key59999","account":{"lamports":18446744073709551615,"data":["' +
      `${'A'.repeat(60)}","base64"]}}`,
  ];
  for (const assertion of PASSING)
    test(`${assertion.slice(0, 60)} holds`, async () => {
      const ran = await against(large(BIG), `?? ${assertion}`);
      assert.deepEqual(
        ran.report.requests[0]?.assertions.map(({ passed }) => passed),
        [true],
      );
      assert.equal(ran.report.ok, true);
    });

  const FAILING: readonly (readonly [assertion: string, actual: unknown])[] = [
    [
      `result length ${COUNT + 1}`,
      `(array of ${COUNT} items, ${BIG.length - '{"jsonrpc":"2.0","result":,"id":1}'.length} bytes)`,
    ],
    [`result[${COUNT}].pubkey exists`, undefined],
    ['result isObject', `(array of ${COUNT} items, ${BIG.length - '{"jsonrpc":"2.0","result":,"id":1}'.length} bytes)`],
    ['result[7].pubkey == "Key8"', 'Key7'],
    ['result.nothing exists', undefined],
  ];
  for (const [assertion, actual] of FAILING)
    test(`${assertion} fails and says what is there`, async () => {
      const ran = await against(large(BIG), `?? ${assertion}`);
      const [checked] = ran.report.requests[0]?.assertions ?? [];
      assert.deepEqual([checked?.passed, checked?.actual], [false, actual]);
    });

  test('a value is found without reading the body', async () => {
    const body = large(BIG);
    await against(body, `?? result[${COUNT - 1}].pubkey == "Key${COUNT - 1}"`);
    assert.ok(body.reads.bytes < body.bytes / 50, `${body.reads.bytes} of ${body.bytes}`);
  });
});

describe('a chain from a large response', () => {
  test('takes a value out of the middle with every digit', async () => {
    const next =
      '### next\n@slot = {{all.result[31000].account.lamports}}\n{"method":"b","params":["{{all.result[31000].pubkey}}","{{slot}}"]}';
    const ran = await against(large(BIG), next);
    assert.match(ran.bodies[1] ?? '', /"params":\["Key31000",18446744073709551615\]/);
    assert.equal(ran.report.ok, true);
  });

  test('takes a value into an assertion of the same block', async () => {
    const ran = await against(large(BIG), '?? result[5].pubkey != {{all.result[6].pubkey}}');
    assert.equal(ran.report.ok, true);
  });

  test('says that a value is too large to be filled in', async () => {
    const ran = await against(large(BIG), '### next\n{"method":"b","params":["{{all.result}}"]}');
    assert.match(ran.report.requests[1]?.error?.message ?? '', /too large to be filled in/);
    assert.equal(ran.sent.length, 1);
  });

  test('says that a value is not there', async () => {
    const ran = await against(large(BIG), `### next\n{"method":"b","params":["{{all.result[${COUNT}].pubkey}}"]}`);
    assert.match(ran.report.requests[1]?.error?.message ?? '', /no such value/);
  });

  test('finds the answers of a batch by their ids', async () => {
    const batch = large(
      `[{"jsonrpc":"2.0","id":"b","result":9},{"jsonrpc":"2.0","id":7,"result":${JSON.stringify([1, 2, 3])}}]`,
    );
    const text =
      '### two\n# @name two\n[{"id":7,"method":"a"},{"id":"b","method":"b"}]\n?? [7].result.length == 3\n?? [b].result == 9\n### next\n{"method":"c","params":["{{two[7].result[2]}}"]}';
    const ran = await runText(text, {
      reply: (_, nth) => (nth === 0 ? answering(batch) : '{"jsonrpc":"2.0","result":1,"id":1}'),
    });
    assert.deepEqual(
      ran.report.requests[0]?.assertions.map(({ passed }) => passed),
      [true, true],
    );
    assert.match(ran.bodies[1] ?? '', /"params":\[3\]/);
  });
});

test('a repeat looks at the whole of a large response', async () => {
  const text = `### all\n# @retry 3 every 1ms while result.length != ${COUNT}\n{"method":"a"}`;
  const short = large(accounts(10));
  const ran = await runText(text, { reply: (_, nth) => answering(nth < 2 ? short : large(BIG)) });
  assert.equal(ran.sent.length, 3);
});

test('a large response is saved whole', async () => {
  const ran = await against(large(BIG), '>> all.json');
  assert.equal(ran.written.get('all.json'), BIG);
});

describe('the answers of a run together', () => {
  const MIB = 1024 * 1024;
  /** Of seven MiB: 19 of them take more than 128. */
  const BODY = `{"jsonrpc":"2.0","id":1,"result":{"n":7,"text":"${'x'.repeat(7 * MIB)}"}}`;
  const SMALL = '{"jsonrpc":"2.0","id":1,"result":{"n":7}}';
  const block = (name: string, more = ''): string => `### ${name}\n# @name ${name}\n{"method":"a"}\n${more}`;
  const blocks = (count: number): string =>
    Array.from({ length: count }, (_, index) => block(`r${index}`, '?? result.n == 7\n')).join('');
  const took = ({ report }: Ran): readonly string[] =>
    report.requests.map(({ response, large: file }) => (response !== undefined ? 'memory' : file ? 'file' : 'nowhere'));
  /** Puts a body into a file as the transports do, above 8 MiB or what a request says. */
  const spilling = (bodyOf: (method: string) => string = () => BODY): Setup => ({
    ports: {
      send: async ({ method }, _signal, inlineBytes = 8 * MIB) =>
        ok(exchange('', answeringText(bodyOf(method), inlineBytes))),
    },
  });
  const answeringText = (text: string, inlineBytes: number): Partial<Exchange> =>
    text.length > inlineBytes ? answering(large(text)) : { body: new TextBody(text), bytes: text.length };

  test('keep 128 MiB in memory; further ones lie in files, and are checked and used like the others', async () => {
    const next = '### next\n{"method":"b","params":["{{r21.result.n}}"]}\n?? id == 1\n';
    const ran = await runText(
      blocks(22) + next,
      spilling((method) => (method === 'a' ? BODY : SMALL)),
    );
    assert.deepEqual(took(ran), [...Array<string>(19).fill('memory'), 'file', 'file', 'file', 'memory']);
    assert.equal(ran.report.ok, true);
    assert.deepEqual(ran.report.requests.at(-1)?.request, { jsonrpc: '2.0', id: 23, method: 'b', params: [7] });
  });

  test('are counted by their memory: lists of nothing take more than their text', async () => {
    const lists = `{"jsonrpc":"2.0","id":1,"result":{"n":7,"lists":[${'[],'.repeat(2 * MIB)}[]]}}`;
    const ran = await runText(
      blocks(6),
      spilling(() => lists),
    );
    assert.deepEqual(took(ran), ['memory', 'memory', 'memory', 'memory', 'file', 'file']);
  });

  test('that cannot be put into a file fail their requests alone', async () => {
    const ran = await runText(`${blocks(20)}${block('last', '?? result.n == 7\n')}`, {
      reply: (_, nth) => (nth === 20 ? SMALL : BODY),
    });
    assert.deepEqual(
      ran.report.requests.map(({ status }) => status),
      [...Array<string>(19).fill('passed'), 'failed', 'passed'],
    );
    assert.deepEqual(ran.report.requests[19]?.error, {
      kind: 'protocol',
      message: 'The answers of this run take 128 MiB of memory, so this one was not kept.',
      hint: 'Send it by itself, or fewer requests at once.',
    });
  });

  test('count once for a request that is repeated', async () => {
    const polled = block('polled', '?? result.n == 7\n').replace('{', '# @retry 25 every 1ms while result.n != 8\n{');
    assert.deepEqual(took(await runText(polled + blocks(1), spilling())), ['memory', 'memory']);
  });

  test('are those of all its files', async () => {
    const ran = await runText(blocks(11), { ...spilling(), others: { 'other.jsonrpc': blocks(11) } });
    // One request of each file may be under way as the bound is reached.
    assert.ok(took(ran).filter((place) => place === 'memory').length <= 20);
  });
});

test('the messages of all files of a run have one bound', async () => {
  const text = '### s\n# @until 40 messages\n{"method":"slotSubscribe"}';
  const message = 'x'.repeat(1024 * 1024);
  const openStream = async (): Promise<Result<OpenStream>> =>
    ok({
      dropped: 0,
      messages: async function* () {
        for (let index = 0; index < 40; index++) yield message;
      },
      close: async () => undefined,
    });
  const clock = { now: () => 0, unixSeconds: () => 0, sleep: () => new Promise<void>(() => undefined) };
  const ran = await runText(text, { ports: { clock, stream: { openStream } }, others: { 'other.jsonrpc': text } });
  const kept = ran.report.requests.map(({ messages = [] }) => messages.length);
  assert.equal((kept[0] ?? 0) + (kept[1] ?? 0), 63);
});
