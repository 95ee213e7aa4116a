// The window of P10 and P11, a separate process, whose processor time is the receiver's: `node child.mjs panel|paused`.
// Prints what it saw as JSON; bench/panel.ts compares.
import path from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { requestFile } from '../requests';
import { streamLoad, type StreamLoad } from '../streams/load';
import type { RunningServer } from '../../test/support/lsp/serverProcess';
import { fed } from './fed';
import { Panel, serverFor, watched } from './play';

const PACE = 50_000;
/** The ring is full and the code is warm after so many. */
const WARM_UPDATES = 250_000;
const ROUNDS = 5;
const ROUND_MS = 2_000;
const HIDDEN_MS = 5_000;
const PAUSED_MS = 30_000;
/** Completions asked for in each round, and how long a person waits between two letters at the least. */
const LETTERS = 80;
const LETTER_MS = 40;
const BLOCKS = 2_000;
const FILE = 'file:///requests/typed.jsonrpc';

export interface PanelSeen {
  readonly pace: number;
  /** Updates a second that were sent while the panel was looked at. */
  readonly rate: number;
  /** Messages to the panel in its busiest second, and while it was hidden. */
  readonly busiest: number;
  readonly whileHidden: number;
  /** Processor time of the receiver for an update, in microseconds, round by round: ours and one by one. */
  readonly ours: readonly number[];
  readonly oneByOne: readonly number[];
  /** Each letter's completion, and the delays of the server's main thread: while updates pour in, and while none do. */
  readonly completion: Typed;
  readonly quiet: Typed;
  readonly sent: number;
  readonly counted: number;
  readonly dropped: number;
  readonly kept: number;
  /** The load generator's share of one core. */
  readonly generatorBusy: number;
}

/** Of each round, in milliseconds. */
export interface Typed {
  readonly median: readonly number[];
  readonly p99: readonly number[];
  readonly lagP99: readonly number[];
}

export interface PausedSeen {
  readonly before: number;
  readonly after: number;
  readonly sent: number;
  readonly counted: number;
  readonly dropped: number;
  readonly kept: number;
  readonly pausedMs: number;
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** The panel's counts once everything sent has arrived. */
async function counts(load: StreamLoad, panel: Panel) {
  const { updates: sent } = await load.hold();
  const tick = await panel.until(({ total }) => total >= sent);
  return { sent, counted: tick.total, dropped: tick.dropped, kept: tick.next - tick.first };
}

/** Types letters in the middle of a large file and waits for what is offered at each. */
class Typist {
  #version = 1;
  #line = 0;

  constructor(private readonly server: RunningServer) {}

  async open(): Promise<void> {
    const text = requestFile(BLOCKS, true);
    const lines = text.split('\n');
    this.#line = lines.findIndex((line, at) => at > lines.length / 2 && line.startsWith('{"method":"'));
    await this.server.open(FILE, text);
  }

  async letters(count: number): Promise<readonly number[]> {
    const waits: number[] = [];
    const { connection } = this.server;
    const at = { line: this.#line, character: '{"method":"get'.length };
    for (let letter = 0; letter < count; letter++) {
      const since = performance.now();
      const end = letter % 2 === 0 ? at : { ...at, character: at.character + 1 };
      await connection.sendNotification('textDocument/didChange', {
        textDocument: { uri: FILE, version: ++this.#version + 1 },
        contentChanges: [{ range: { start: at, end }, text: letter % 2 === 0 ? 'B' : '' }],
      });
      const offered = await connection.sendRequest<unknown>('textDocument/completion', {
        textDocument: { uri: FILE },
        position: at,
      });
      waits.push(performance.now() - since);
      if (!JSON.stringify(offered).includes('getBalance')) throw new Error('Nothing was offered.');
      await pass(Math.max(0, LETTER_MS - (performance.now() - since)));
    }
    return waits;
  }
}

/** Types a round's letters and notes how long each waited. */
async function typing(typist: Typist, server: RunningServer, into: Rounds): Promise<void> {
  await watched(server);
  const waits = [...(await typist.letters(LETTERS))].sort((a, b) => a - b);
  into.lagP99.push((await watched(server)).p99Ms);
  into.median.push(waits[Math.floor(LETTERS / 2)] ?? NaN);
  into.p99.push(waits[Math.floor(LETTERS * 0.99)] ?? NaN);
}

type Rounds = { readonly [K in keyof Typed]: number[] };
const noRounds = (): Rounds => ({ median: [], p99: [], lagP99: [] });

async function withStream<T>(work: (load: StreamLoad, server: RunningServer, panel: Panel) => Promise<T>): Promise<T> {
  const load = await streamLoad(path.join(import.meta.dirname, '..'), PACE);
  try {
    const server = await serverFor(load.ports.grpc);
    try {
      const panel = await Panel.open(server);
      await panel.until(({ total }) => total >= WARM_UPDATES);
      return await work(load, server, panel);
    } finally {
      await server.stop();
    }
  } finally {
    await load.stop();
  }
}

const seePanel = (): Promise<PanelSeen> =>
  withStream(async (load, server, panel) => {
    const typist = new Typist(server);
    await typist.open();
    await typist.letters(LETTERS);
    const ours: number[] = [];
    let sent = 0;
    const oneByOne: number[] = [];
    let generatorCpu = 0;
    let generatorMs = 0;
    for (let round = -1; round < ROUNDS; round++) {
      panel.show();
      const [cpu, at, total] = [cpuMs(), performance.now(), panel.tick?.total ?? 0];
      const generator = await load.sent();
      await pass(ROUND_MS);
      const updates = (panel.tick?.total ?? 0) - total;
      const [took, ms] = [cpuMs() - cpu, performance.now() - at];
      const generated = await load.sent();
      generatorCpu += generated.cpuMs - generator.cpuMs;
      sent += generated.updates - generator.updates;
      generatorMs += ms;
      panel.hide();
      const other = await fed(PACE, ROUND_MS);
      if (round < 0) continue;
      ours.push((took / updates) * 1_000);
      oneByOne.push((other.cpuMs / other.updates) * 1_000);
    }
    const before = panel.messages;
    await pass(HIDDEN_MS);
    const whileHidden = panel.messages - before;
    panel.show();
    const [completion, quiet] = [noRounds(), noRounds()];
    for (let round = 0; round < ROUNDS; round++) {
      await typing(typist, server, completion);
      await load.hold();
      await typing(typist, server, quiet);
      await load.pour();
    }
    await panel.rest();
    if (panel.shown === 0) throw new Error('The panel shows nothing.');
    return {
      pace: PACE,
      rate: (sent / generatorMs) * 1_000,
      busiest: panel.busiest,
      whileHidden,
      ours,
      oneByOne,
      completion,
      quiet,
      generatorBusy: generatorCpu / generatorMs,
      ...(await counts(load, panel)),
    };
  });

const seePaused = (): Promise<PausedSeen> =>
  withStream(async (load, server, panel) => {
    panel.pause();
    const { rss: before } = await watched(server);
    const since = performance.now();
    let after = before;
    // The highest of what is seen on the way, not where it happens to end.
    while (performance.now() - since < PAUSED_MS) {
      await pass(ROUND_MS / 4);
      after = Math.max(after, (await watched(server)).rss);
    }
    const pausedMs = performance.now() - since;
    return { before, after, pausedMs, ...(await counts(load, panel)) };
  });

const seen = process.argv[2] === 'paused' ? seePaused() : seePanel();
seen.then(
  (figures) => process.stdout.write(JSON.stringify(figures), () => process.exit(0)),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
