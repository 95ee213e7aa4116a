// The run loop and streams, over a port in memory: when they end, what waits for them, what they leave in the report.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ok } from '../../../core/service/errors';
import { runText } from '../../support/process/run';
import type { ServiceError } from '../../../core/service/errors';
import type { JsonValue } from '../../../core/solana/json/json';
import type { OpenStream } from '../../../runner/ports';
import type { Ran } from '../../support/process/run';

const row = (ran: Ran, at = 0) => ran.report.requests[at];

/** A stream of given messages that then stays open until it is closed. */
function streamOf(messages: readonly JsonValue[], log: string[]): OpenStream {
  let close: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  return {
    dropped: 2,
    async *messages() {
      yield* messages;
      await closed;
    },
    async close() {
      log.push('closed');
      close();
    },
  };
}

describe('streams', () => {
  const never = { now: () => 0, unixSeconds: () => 0, sleep: () => new Promise<void>(() => undefined) };

  test('a subscription ends after its number of messages, and its messages can be checked', async () => {
    const log: string[] = [];
    const ran = await runText(
      '### s\n# @until 2 messages\n{"method":"slotSubscribe"}\n?? messages.length == 2\n?? messages[1].slot == 8',
      {
        ports: {
          clock: never,
          stream: {
            openStream: async () =>
              ok(
                streamOf(
                  [7, 8, 9].map((slot) => ({ slot })),
                  log,
                ),
              ),
          },
        },
      },
    );
    assert.deepEqual(
      [row(ran)?.status, row(ran)?.messages?.length, row(ran)?.dropped, log],
      ['passed', 2, 2, ['closed']],
    );
  });

  test('the next block runs while a stream is open, and a reference to its messages waits for its end', async () => {
    let end: () => void = () => undefined;
    const order: string[] = [];
    const stream: OpenStream = {
      dropped: 0,
      async *messages() {
        yield 1;
        await new Promise<void>((resolve) => {
          end = resolve;
        });
        yield 2;
      },
      close: async () => undefined,
    };
    const text =
      '### s\n# @name s\n# @until 2 messages\n{"method":"slotSubscribe"}\n### a\n{"method":"a"}\n### b\n{"method":"b","params":["{{s.messages[1]}}"]}';
    const ran = await runText(text, {
      ports: { clock: never, stream: { openStream: async () => ok(stream) } },
      reply: (request) => {
        order.push(request.method);
        end();
        return `{"id":${request.ids[0]},"result":1}`;
      },
    });
    assert.deepEqual(order, ['a', 'b']);
    assert.match(ran.bodies[1] ?? '', /\[2\]/);
    assert.ok(ran.progress.some((event) => event.kind === 'waiting' && event.reason === 'dependency'));
  });

  test('a stream ends after its time', async () => {
    const log: string[] = [];
    const ran = await runText('### s\n# @until 100 messages or 3s\n{"method":"slotSubscribe"}', {
      ports: { stream: { openStream: async () => ok(streamOf([], log)) } },
    });
    assert.deepEqual([ran.slept, row(ran)?.status, log], [[3_000], 'passed', ['closed']]);
  });

  test('a silent stream that ends by a count alone fails after its @timeout without a message', async () => {
    const log: string[] = [];
    const silent = async (messages: readonly number[], more = ''): Promise<Ran> =>
      runText(`### s\n# @until 5 messages\n${more}{"method":"slotSubscribe"}`, {
        ports: { stream: { openStream: async () => ok(streamOf(messages, log)) } },
      });
    const ran = await silent([]);
    assert.deepEqual(
      [ran.slept, row(ran)?.status, row(ran)?.error?.kind, log],
      [[30_000], 'failed', 'timeout', ['closed']],
    );
    assert.equal(row(ran)?.error?.message, 'The stream had no message for 30 s; 0 of 5 came.');
    assert.deepEqual((await silent([], '# @timeout 2s\n')).slept, [2_000]);
  });

  test('each message begins the wait for the next; what came is kept', async () => {
    let now = 0;
    const turns: (() => void)[] = [];
    const waits: number[] = [];
    const clock = {
      now: () => now,
      unixSeconds: () => 0,
      sleep: (ms: number) => {
        waits.push(ms);
        return new Promise<void>((resolve) => turns.push(resolve));
      },
    };
    const stream: OpenStream = {
      dropped: 0,
      async *messages() {
        for (now = 20_000; now <= 40_000; now += 20_000) {
          yield now;
          // The first wait is over, and a message came meanwhile.
          turns.shift()?.();
          for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
        }
        now = 71_000;
        turns.shift()?.();
        await new Promise<void>(() => undefined);
      },
      close: async () => undefined,
    };
    const ran = await runText('### s\n# @until 5 messages\n{"method":"slotSubscribe"}', {
      ports: { clock, stream: { openStream: async () => ok(stream) } },
    });
    assert.deepEqual(row(ran)?.messages, [20_000, 40_000]);
    assert.equal(row(ran)?.error?.message, 'The stream had no message for 30 s; 2 of 5 came.');
    assert.equal(waits[0], 30_000);
  });

  test('where streams are watched, a silent one continues', async () => {
    const stop = new AbortController();
    const ran = await runText('### s\n# @until 5 messages\n{"method":"slotSubscribe"}', {
      signal: stop.signal,
      defaultUntil: undefined,
      ports: {
        stream: {
          openStream: async () => {
            setImmediate(() => stop.abort());
            return ok(streamOf([1], []));
          },
        },
      },
    });
    assert.deepEqual([row(ran)?.error?.kind, ran.slept], ['cancelled', []]);
  });

  test('cancelling closes the stream', async () => {
    const stop = new AbortController();
    const log: string[] = [];
    const ran = await runText('### s\n# @until 5 messages\n{"method":"slotSubscribe"}', {
      signal: stop.signal,
      ports: {
        clock: never,
        stream: {
          openStream: async () => {
            setImmediate(() => {
              stop.abort();
            });
            return ok(streamOf([1], log));
          },
        },
      },
    });
    assert.deepEqual([row(ran)?.error?.kind, log], ['cancelled', ['closed']]);
  });

  test('a stream that breaks off fails the request, and what came before is kept', async () => {
    const error: ServiceError = { kind: 'network', message: 'It broke.' };
    const stream: OpenStream = {
      dropped: 0,
      error,
      async *messages() {
        yield 1;
      },
      close: async () => undefined,
    };
    const ran = await runText('### s\n# @until 5 messages\n{"method":"slotSubscribe"}', {
      ports: { clock: never, stream: { openStream: async () => ok(stream) } },
    });
    assert.deepEqual([row(ran)?.error?.kind, row(ran)?.messages], ['network', [1]]);
  });

  test('a stream that cannot be closed fails the request, and its messages are kept', async () => {
    const faults: unknown[] = [];
    const fault = new Error('only the log has this');
    const stream = { ...streamOf([1, 2], []), close: () => Promise.reject(fault) };
    const ran = await runText('### s\n# @until 2 messages\n{"method":"slotSubscribe"}', {
      ports: {
        clock: never,
        onFault: (thrown) => void faults.push(thrown),
        stream: { openStream: async () => ok(stream) },
      },
    });
    assert.deepEqual([row(ran)?.status, row(ran)?.error?.kind, row(ran)?.messages], ['failed', 'internal', [1, 2]]);
    assert.match(row(ran)?.error?.message ?? '', /^Closing the stream failed/);
    assert.deepEqual(faults, [fault]);
  });

  test('where streams are watched, one without @until ends by cancelling, and passes', async () => {
    const stop = new AbortController();
    const ran = await runText('### s\n{"method":"slotSubscribe"}\n?? messages length 1', {
      signal: stop.signal,
      defaultUntil: undefined,
      ports: {
        stream: {
          openStream: async () => {
            setImmediate(() => stop.abort());
            return ok(streamOf([1], []));
          },
        },
      },
    });
    assert.deepEqual([row(ran)?.status, row(ran)?.error], ['passed', undefined]);
    assert.deepEqual(ran.slept, []);
  });

  test('where streams are watched, one without @until ends after ten seconds if another request waits for it', async () => {
    const ran = await runText(
      '### s\n# @name s\n{"method":"slotSubscribe"}\n### b\n{"method":"b","params":["{{s.messages.length}}"]}',
      {
        defaultUntil: undefined,
        ports: { stream: { openStream: async () => ok(streamOf([7], [])) } },
      },
    );
    assert.deepEqual([ran.slept, ran.report.requests.map(({ status }) => status)], [[10_000], ['passed', 'passed']]);
    assert.match(row(ran)?.notes?.[0] ?? '', /^Ended after 10 s, since it has no @until\./);
  });

  test('only a stream that had to be ended says so', async () => {
    const ended: OpenStream = {
      dropped: 0,
      messages: async function* () {
        yield 1;
      },
      close: async () => undefined,
    };
    const byService = await runText('### s\n{"method":"slotSubscribe"}', {
      ports: { clock: never, stream: { openStream: async () => ok(ended) } },
    });
    const byItself = await runText('### s\n# @until 5s\n{"method":"slotSubscribe"}', {
      ports: { stream: { openStream: async () => ok(streamOf([1], [])) } },
    });
    assert.deepEqual([row(byService)?.notes, row(byItself)?.notes], [undefined, undefined]);
  });

  test('above 10,000 messages the first are kept, the others counted as dropped, and a note says so', async () => {
    const numbers = Array.from({ length: 10_003 }, (_, index) => index);
    const ran = await runText('### s\n# @until 10003 messages\n{"method":"slotSubscribe"}', {
      ports: { clock: never, stream: { openStream: async () => ok(streamOf(numbers, [])) } },
    });
    assert.deepEqual(row(ran)?.messages, numbers.slice(0, 10_000));
    assert.deepEqual([row(ran)?.status, row(ran)?.dropped], ['passed', 5]);
    assert.match(row(ran)?.notes?.[0] ?? '', /^Kept the first 10,000 messages and dropped 3: .*@until/);
  });

  test('the streams of a run keep 64 MiB of messages together, of many small values as of long texts', async () => {
    const text = '# @until 70 messages\n{"method":"slotSubscribe"}\n>> ./kept.txt\n';
    const all = async (message: JsonValue): Promise<Ran> =>
      runText(`### one\n${text}### two\n${text.replace('kept', 'other')}`, {
        ports: {
          clock: never,
          stream: { openStream: async () => ok(streamOf(Array<JsonValue>(70).fill(message), [])) },
        },
      });
    const kept = ({ report }: Ran): readonly number[] => {
      const lengths = report.requests.map(({ messages = [] }) => messages.length);
      assert.deepEqual(
        report.requests.map(({ dropped = 0 }, index) => (lengths[index] ?? 0) + dropped - 2),
        [70, 70],
      );
      return lengths;
    };
    const texts = await all('x'.repeat(1024 * 1024));
    const [one = 0, two = 0] = kept(texts);
    assert.equal(one + two, 63);
    assert.equal(texts.written.get('./kept.txt')?.split('\n').length, one + 1);
    assert.match(row(texts)?.notes?.[0] ?? '', /^Kept the first \d+ messages and dropped \d+: .*64 MiB.*@until/);
    // Empty lists take 3 bytes each on the wire and many more in memory.
    const [three = 0, four = 0] = kept(await all(Array<JsonValue>(1024 * 1024).fill([])));
    assert.equal(three + four, 3);
  });

  test('a message that does not fit ends the keeping: what is kept has no gap', async () => {
    const big = 'x'.repeat(40 * 1024 * 1024);
    const ran = await runText('### s\n# @until 4 messages\n{"method":"slotSubscribe"}', {
      ports: { clock: never, stream: { openStream: async () => ok(streamOf([1, big, big, 2], [])) } },
    });
    assert.deepEqual([row(ran)?.messages?.length, row(ran)?.dropped], [2, 4]);
  });

  test('without a way to open streams the error names the transport', async () => {
    const ran = await runText('### s\nGRPC geyser.Geyser/Subscribe\n{"slots":{"a":{}}}');
    assert.equal(row(ran)?.error?.kind, 'invalidRequest');
    assert.match(row(ran)?.error?.message ?? '', /GRPC/);
  });
});
