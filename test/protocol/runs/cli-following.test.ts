// `solana-rpc watch` on streams that break, stall and lag: what it prints is what happened, in a pipe and on a terminal.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { ChildProcess } from 'node:child_process';
import { describe, test, type TestContext } from 'node:test';
import { urlOptions, testWorkspace } from '../../support/process/cli';
import { testLedger } from '../../support/process/localnet';

const SYSTEM = '11111111111111111111111111111111';

const work = testWorkspace();
const local = testLedger(['--plan', 'Ultra', '--slot-ms', '50'], { clock: 'running' });

const urls = (): string[] => urlOptions(local.ready);
const env = () => ({ SOLANA_RPC_KEY: local.ready.keys.rpc.key, SOLANA_GRPC_KEY: local.ready.keys.grpc.key });

interface Line {
  readonly slot?: number | { readonly slot: string; readonly status?: string };
  readonly account?: { readonly account: { readonly lamports: string } };
  readonly blockMeta?: { readonly slot: string };
  readonly gap?: {
    readonly fromSlot?: string;
    readonly toSlot?: string;
    readonly isFilled: boolean;
    readonly reason: string;
  };
}

const slotOf = ({ slot, blockMeta }: Line): number | undefined =>
  typeof slot === 'number' ? slot : blockMeta === undefined ? undefined : Number(blockMeta.slot);

/** The output of a watch, line by line. */
class Piped {
  readonly lines: Line[] = [];
  readonly child: ChildProcess;
  stderr = '';
  #wake = (): void => undefined;

  constructor(t: TestContext, what: string) {
    const file = work.write('stream.jsonrpc', `### s\n# @name s\n${what}\n`);
    this.child = work.start(['watch', `${file}#s`, ...urls()], { env: env() });
    t.after(() => this.child.kill('SIGKILL'));
    this.child.stderr?.on('data', (part: Buffer) => (this.stderr += part.toString()));
    // A watch that ends prints no more lines: who waits for one learns of it.
    this.child.once('close', () => this.#wake());
  }

  read(): this {
    assert.ok(this.child.stdout !== null);
    createInterface({ input: this.child.stdout }).on('line', (line) => {
      this.lines.push(JSON.parse(line) as Line);
      this.#wake();
    });
    return this;
  }

  async until(holds: () => boolean): Promise<void> {
    while (!holds()) {
      assert.deepEqual([this.child.exitCode, this.child.signalCode], [null, null], this.stderr);
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  longer(by = 5): Promise<void> {
    const since = this.lines.length;
    return this.until(() => this.lines.length >= since + by);
  }

  get slots(): readonly number[] {
    return this.lines.flatMap((line) => slotOf(line) ?? []);
  }

  get gaps(): readonly NonNullable<Line['gap']>[] {
    return this.lines.flatMap(({ gap }) => gap ?? []);
  }
}

const missing = (slots: readonly number[]): number =>
  slots.slice(1).reduce((sum, slot, at) => sum + Math.max(0, slot - (slots[at] ?? slot) - 1), 0);
const twice = (slots: readonly number[]): number => slots.length - new Set(slots).size;

const OVER: readonly (readonly [over: string, scope: string, what: string, isReplayed: boolean])[] = [
  ['gRPC', 'grpc', 'GRPC geyser.Geyser/Subscribe\n{"blocksMeta":{"all":{}}}', true],
  ['WebSocket', 'ws', 'WS\n{"method":"slotSubscribe"}', false],
];

for (const [over, scope, what, isReplayed] of OVER)
  describe(`in a pipe, over ${over}`, () => {
    const fault = (kind: string, more: object = {}) =>
      local.admin('PUT', '/faults', { faults: [{ scope, kind, times: 1, ...more }] });

    test('a cut connection is opened again, and a gap says which slots are concerned', async (t) => {
      const piped = new Piped(t, what).read();
      await piped.longer();
      const before = piped.slots.length;
      await local.admin('POST', '/streams/drop');
      await piped.until(() => piped.gaps.length === 1 && piped.slots.length >= before + 5);
      const [gap] = piped.gaps;
      const at = piped.lines.findIndex((line) => line.gap !== undefined);
      const [last, next] = [piped.lines[at - 1], piped.lines[at + 1]].map((line) => slotOf(line ?? {}));
      assert.deepEqual([gap?.fromSlot, gap?.toSlot, gap?.isFilled], [String(last), String(next), isReplayed]);
      assert.equal(twice(piped.slots), 0);
      if (isReplayed) assert.equal(missing(piped.slots), 0);
      assert.match(piped.stderr, /^reconnecting: /);
    });

    test('an update that the service leaves out is missing, and no gap is made up for it', async (t) => {
      const piped = new Piped(t, what).read();
      await piped.longer(3);
      await fault('gap');
      await piped.until(() => missing(piped.slots) === 1);
      await piped.longer();
      assert.deepEqual([missing(piped.slots), twice(piped.slots), piped.gaps], [1, 0, []]);
    });

    test('a slot that comes late is waited for on the same connection', async (t) => {
      const piped = new Piped(t, what).read();
      await piped.longer(3);
      await fault('stall', { ms: 400 });
      await piped.longer(10);
      assert.deepEqual([missing(piped.slots), twice(piped.slots), piped.gaps], [0, 0, []]);
    });

    test('Ctrl+C ends it with 0', async (t) => {
      const piped = new Piped(t, what).read();
      await piped.longer(2);
      const ended = once(piped.child, 'close');
      piped.child.kill('SIGINT');
      assert.deepEqual(await ended, [0, null]);
    });

    test('a reader that goes away ends it with 0', async (t) => {
      const piped = new Piped(t, what).read();
      await piped.longer(2);
      const ended = once(piped.child, 'close');
      piped.child.stdout?.destroy();
      assert.deepEqual(await ended, [0, null]);
    });
  });

test('a reader that is too slow makes the service wait; what the service then drops is replayed, once', async (t) => {
  const address = 'Vote111111111111111111111111111111111111119';
  const filters = `{"accounts":{"a":{"account":["${address}"]}},"slots":{"s":{"filterByCommitment":true}}}`;
  const piped = new Piped(t, `GRPC geyser.Geyser/Subscribe\n${filters}`).read();
  await piped.longer(1);
  piped.child.stdout?.pause();
  const data = Buffer.alloc(1024 * 1024).toString('base64');
  const sent = Array.from({ length: 32 }, (_, at) => String(10 ** 10 + at));
  for (const lamports of sent)
    await local.cheat('setAccount', { address, lamports: Number(lamports), owner: SYSTEM, data });
  piped.child.stdout?.resume();
  const received = (): readonly string[] => piped.lines.flatMap(({ account }) => account?.account.lamports ?? []);
  await piped.until(() => received().length >= sent.length && piped.gaps.length > 0);
  await piped.longer();
  assert.deepEqual(received(), sent);
  const [gap] = piped.gaps;
  assert.deepEqual([gap?.isFilled, gap?.reason], [true, 'The service ended the stream: it was read too slowly.']);
});

describe('on a terminal', () => {
  const shown = (what: string) => {
    const file = work.write('terminal.jsonrpc', `### s\n# @name s\n${what}\n`);
    return work.terminal(['watch', `${file}#s`, ...urls()], { env: env(), columns: 120 });
  };

  test('a line for each update, and below them how the stream does', async () => {
    for (const [, , what] of OVER) {
      const terminal = shown(what);
      const live = await terminal.shows('● live · ');
      await terminal.shows('/s · slot ', live);
      assert.match(terminal.screen, /\d\d:\d\d:\d\d\.\d{3}/);
      await terminal.shows(' not shown', live);
      if (what.startsWith('GRPC')) await terminal.shows(' · lag ', live);
      terminal.type('\x03');
      assert.equal(await terminal.ended(), 0);
    }
  });

  test('a cut connection says so, where it was', async () => {
    for (const [over, , what] of OVER) {
      const terminal = shown(what);
      const live = await terminal.shows('● live · ');
      await terminal.shows('/s · slot ', live);
      await local.admin('POST', '/streams/drop');
      const away = await terminal.shows('── away after slot ', live);
      await terminal.shows(
        over === 'gRPC' ? 'replayed, nothing is missing' : 'what came in between is not known',
        away,
      );
      await terminal.shows('1 reconnect', away);
      terminal.type('\x03');
      assert.equal(await terminal.ended(), 0);
    }
  });

  test('an account shows its balance and what changed', async () => {
    const { address } = local.ready.wallet;
    const terminal = work.terminal(['watch', address, ...urls()], { env: env(), columns: 120 });
    const first = await terminal.shows(' SOL');
    await local.cheat('fund', { address, lamports: 5_000_000_000 });
    await terminal.shows('+', first);
    await terminal.shows(' SOL', first);
    terminal.type('\x03');
    assert.equal(await terminal.ended(), 0);
  });

  test('NO_COLOR turns colours off', async () => {
    const file = work.write('plain.jsonrpc', '### s\n# @name s\nWS\n{"method":"slotSubscribe"}\n');
    const terminal = work.terminal(['watch', `${file}#s`, ...urls(), '--count', '3'], {
      env: { ...env(), NO_COLOR: '1' },
    });
    assert.equal(await terminal.ended(), 0);
    assert.doesNotMatch(terminal.screen, /\u001b\[\d+m/);
    assert.match(terminal.screen, /3 updates/);
  });
});
