// A port that throws: its request fails with an internal error, the other requests run, and the report is whole.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ok } from '../../../core/service/errors';
import { exchange, runText } from '../../support/process/run';
import type { PreparedRequest } from '../../../core/requests/run/model';
import type { RunPorts, RunProgress } from '../../../runner/ports';
import type { Ran, Setup } from '../../support/process/run';

const SIGNATURE = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';
const STATUS = { slot: 7, confirmations: null, err: null, confirmationStatus: 'finalized' };
const THROWN = 'only the log has this';

const RESULTS: Readonly<Record<string, unknown>> = {
  sendTransaction: SIGNATURE,
  getSignatureStatuses: { context: { slot: 9 }, value: [STATUS] },
  getLatestBlockhash: { context: { slot: 9 }, value: { blockhash: '1'.repeat(32), lastValidBlockHeight: 9 } },
};
const replyTo = ({ method, ids: [id] }: Pick<PreparedRequest, 'method' | 'ids'>): string =>
  `{"jsonrpc":"2.0","result":${JSON.stringify(RESULTS[method] ?? 1)},"id":${id}}`;

/** Ports that work; a test replaces a function. */
function portsThatWork(): RunPorts {
  const send: RunPorts['send'] = async (request) => ok(exchange(replyTo(request)));
  return {
    send,
    look: send,
    urlOf: () => 'http://127.0.0.1/',
    stream: {
      openStream: async () =>
        ok({
          async *messages() {
            yield 1;
          },
          dropped: 0,
          close: async () => undefined,
        }),
    },
    files: { read: async () => ok('{}'), mayWrite: async () => ok(undefined), write: async () => ok(undefined) },
    clock: { now: () => 0, unixSeconds: () => 0, sleep: async () => undefined },
    wallet: {
      address: async () => ok('1'.repeat(32)),
      sign: async (_endpoint, message) => ok(() => ok({ message, signatures: [new Uint8Array(64)] })),
      identity: async () => 'wallet',
    },
    programs: async () => ({ nameOf: () => undefined }) as never,
    random: { uuid: () => 'uuid', integer: (min) => min },
    environment: {
      value: () => 'value',
      refusal: () => undefined,
      isAllowed: () => false,
      sentHere: new Set(),
      destination: () => ({ host: 'far.invalid', isHere: false }),
      ask: async () => true,
      hint: () => '',
    },
    prompt: async () => '1',
    confirm: async () => true,
    onProgress: () => undefined,
  };
}

/** Makes the function at a path throw when it is called for the `nth` time. */
function breakPort(ports: RunPorts, name: string, thrown: () => unknown, nth = 1): { calls: number } {
  const path = name.split('.');
  const last = path.pop() ?? '';
  const owner = path.reduce<Record<string, unknown>>((at, step) => at[step] as Record<string, unknown>, ports as never);
  const usual = owner[last] as (...args: readonly unknown[]) => unknown;
  const count = { calls: 0 };
  owner[last] = (...args: readonly unknown[]) => (++count.calls === nth ? thrown() : usual(...args));
  return count;
}

async function runBroken(
  block: string,
  name: string,
  thrown: () => unknown,
  { nth = 1, ...more }: Setup & { readonly nth?: number } = {},
): Promise<{ readonly ran: Ran; readonly faults: readonly unknown[]; readonly calls: number }> {
  const faults: unknown[] = [];
  const ports = { ...portsThatWork(), onFault: (fault: unknown) => void faults.push(fault) };
  const count = breakPort(ports, name, thrown, nth);
  const text = `### one\n${block}\n### two\n{"method":"two"}\n### last\n# @teardown\n{"method":"last"}`;
  const ran = await runText(text, { ...more, ports });
  return { ran, faults, calls: count.calls };
}

const FAULT = new Error(THROWN);
const WAYS: Readonly<Record<string, () => unknown>> = {
  throws: () => {
    throw FAULT;
  },
  rejects: () => Promise.reject(FAULT),
};
const SYNC = ['throws'];
const BOTH = ['throws', 'rejects'];
const ENVIRONMENT = '{"method":"a","params":["{{$processEnv X}}"]}';
const WALLET = '{"method":"a","params":["{{$memo hi}}"]}';
const SEND = '{"method":"sendTransaction","params":["AAAA",{"encoding":"base64"}]}';

/** A port that is called while requests run, a block that calls it, and how it fails. */
const RUNNING: readonly (readonly [port: string, block: string, ways: readonly string[], nth?: number])[] = [
  ['send', '{"method":"a"}', BOTH],
  ['look', `SWQOS\n${SEND}`, BOTH],
  ['urlOf', SEND, SYNC],
  ['stream.openStream', 'WS\n# @until 1 messages\n{"method":"slotSubscribe"}', BOTH],
  ['files.mayWrite', '{"method":"a"}\n>> ./a.json', BOTH, 2],
  ['files.write', '{"method":"a"}\n>> ./a.json', BOTH],
  ['files.read', '{"method":"a","params":["{{$file ./a}}"]}', BOTH, 2],
  ['confirm', '# @note sure?\n{"method":"a"}', BOTH],
  ['clock.now', '{"method":"a"}', SYNC, 3],
  ['clock.unixSeconds', '{"method":"a","params":[{{$timestamp}}]}', SYNC],
  ['clock.sleep', '# @retry 1 every 1s while result == 1\n{"method":"a"}', BOTH],
  ['wallet.address', '{"method":"a","params":["{{$wallet}}"]}', BOTH],
  ['wallet.sign', WALLET, BOTH],
  ['programs', '{"method":"a","params":["{{$pda someProgram \\"seed\\"}}"]}', BOTH],
  ['random.uuid', '{"method":"a","params":["{{$guid}}"]}', SYNC],
  ['random.integer', '{"method":"a","params":[{{$randomInt 1 5}}]}', SYNC],
  ['environment.value', ENVIRONMENT, SYNC, 2],
  ['environment.isAllowed', ENVIRONMENT, SYNC],
  ['environment.destination', ENVIRONMENT, SYNC],
  ['environment.ask', ENVIRONMENT, BOTH],
];

describe('while requests run', () => {
  for (const [port, block, ways, nth] of RUNNING)
    for (const way of ways)
      test(`${port} ${way}`, async () => {
        const { ran, faults } = await runBroken(
          block,
          port,
          WAYS[way] ?? assert.fail,
          nth === undefined ? {} : { nth },
        );
        assert.equal(ran.outcome.kind, 'done');
        assert.deepEqual(
          ran.report.requests.map(({ title, status, error }) => [title, status, error?.kind]),
          [
            ['one', 'failed', 'internal'],
            ['two', 'passed', undefined],
            ['last', 'passed', undefined],
          ],
        );
        assert.deepEqual(faults, [FAULT]);
        assert.doesNotMatch(JSON.stringify(ran.report), new RegExp(THROWN));
      });

  for (const kind of ['waiting', 'sending', 'done', 'landing'] as const)
    test(`the progress "${kind}" throws`, async () => {
      const faults: unknown[] = [];
      const onProgress = (event: RunProgress): void => {
        if (event.kind === kind) throw FAULT;
      };
      const ports = { ...portsThatWork(), onProgress, onFault: (fault: unknown) => void faults.push(fault) };
      const stream = '### s\n# @name s\nWS\n# @until 1 messages\n{"method":"slotSubscribe"}';
      const ran = await runText(
        `${stream}\n### t\nSWQOS\n${SEND}\n### u\n{"method":"u","params":["{{s.messages[0]}}"]}`,
        {
          ports,
        },
      );
      assert.equal(ran.report.requests.length, 3);
      assert.ok(ran.report.requests.some(({ error }) => error?.kind === 'internal'));
      assert.ok(faults.includes(FAULT));
    });

  test('a row whose progress throws fails, and is done once like every other', async () => {
    const done: number[] = [];
    const faults: unknown[] = [];
    const onProgress = (event: RunProgress): void => {
      if (event.kind !== 'done') return;
      done.push(event.index);
      if (event.index < 3) throw FAULT;
    };
    const ports = { ...portsThatWork(), onProgress, onFault: (fault: unknown) => void faults.push(fault) };
    breakPort(ports, 'send', WAYS['throws'] ?? assert.fail);
    const stream = '### c\nWS\n# @until 1 messages\n{"method":"slotSubscribe"}';
    const ran = await runText(`### a\n{"method":"a"}\n### b\nSWQOS\n${SEND}\n${stream}\n### d\n{"method":"d"}`, {
      ports,
    });
    assert.deepEqual(done.toSorted(), [0, 1, 2, 3]);
    assert.deepEqual(faults, [FAULT, FAULT, FAULT, FAULT]);
    assert.deepEqual(
      ran.report.requests.map(({ title, status }) => [title, status]),
      [
        ['a', 'failed'],
        ['b', 'failed'],
        ['c', 'failed'],
        ['d', 'passed'],
      ],
    );
  });

  test('requests that run at the same time are not affected', async () => {
    const ports = portsThatWork();
    breakPort(ports, 'send', WAYS['throws'] ?? assert.fail);
    const text = Array.from({ length: 8 }, (_, at) => `### ${at}\n{"method":"getSlot"}`).join('\n');
    const ran = await runText(text, { ports, parallel: 4 });
    assert.deepEqual(
      ran.report.requests.map(({ status }) => status),
      ['failed', ...Array.from({ length: 7 }, () => 'passed')],
    );
  });

  test('a snapshot file that cannot be written fails the rows that have snapshots', async () => {
    const { ran } = await runBroken(
      '{"method":"a"}\n?? result matchesSnapshot',
      'files.write',
      WAYS['rejects'] ?? assert.fail,
      {
        updatesSnapshots: true,
      },
    );
    assert.deepEqual(
      ran.report.requests.map(({ status }) => status),
      ['failed', 'passed', 'passed'],
    );
    assert.match(ran.report.requests[0]?.error?.message ?? '', /snapshots were not written: .* internal error/);
  });

  test('a log that fails changes nothing', async () => {
    const ports = { ...portsThatWork(), onFault: WAYS['throws'] as () => void };
    breakPort(ports, 'send', WAYS['throws'] ?? assert.fail);
    const ran = await runText('### a\n{"method":"a"}\n### b\n{"method":"b"}', { ports });
    assert.deepEqual(
      ran.report.requests.map(({ status }) => status),
      ['failed', 'passed'],
    );
  });
});

/** A port that is called before anything is sent. */
const BEFORE: readonly (readonly [port: string, block: string, ways: readonly string[]])[] = [
  ['files.read', '{"method":"a","params":["{{$file ./a}}"]}', BOTH],
  ['files.mayWrite', '{"method":"a"}\n>> ./a.json', BOTH],
  ['environment.value', ENVIRONMENT, SYNC],
  ['environment.refusal', ENVIRONMENT, SYNC],
  ['prompt', '# @prompt x\n{"method":"a","params":["{{x}}"]}', BOTH],
];

describe('before anything is sent', () => {
  for (const [port, block, ways] of BEFORE)
    for (const way of ways)
      test(`${port} ${way}`, async () => {
        const { ran, faults } = await runBroken(block, port, WAYS[way] ?? assert.fail);
        assert.equal(ran.outcome.kind, 'invalid');
        assert.deepEqual(
          ran.report.requests.map(({ status, error }) => [status, error?.kind]),
          Array.from({ length: 3 }, () => ['failed', 'internal']),
        );
        assert.match(ran.report.requests[0]?.error?.message ?? '', /Nothing was sent\.$/);
        assert.deepEqual([ran.report.ok, faults], [false, [FAULT]]);
      });

  test('a clock that always throws leaves a report without times', async () => {
    const ports = portsThatWork();
    const ran = await runText('### a\n{"method":"a"}', {
      ports: { ...ports, clock: { ...ports.clock, now: WAYS['throws'] as () => number } },
    });
    assert.deepEqual([ran.report.requests[0]?.error?.kind, ran.report.summary.durationMs], ['internal', 0]);
  });
});
