// P15: what the local service answers per second over HTTP while a WebSocket and a gRPC subscriber are told of everything,
// beside the same work as bare calls of its engine. The load comes from a process of its own.
import { LiteSvm, Account } from 'litesvm/dist/internal.js';
import { decodeBase58 } from '../../core/values/encoding/base58';
import { keypairFromSeed } from '../../localnet/ledger/wallets/keys';
import type { Figures } from './load';
import { loadGenerator } from './loadProcess';
import { interleaved, median, ratioOf, type Measured } from '../measure';
import { measureIdle } from './idle';
import { measureMemory } from './memory';
import { measureReads } from './reads';
import { benchService, type BenchService } from './service';
import { measureState } from './state';
import { subscribe } from './subscribers';
import { transferBytes } from './transfer';

const ROUNDS = 7;
const BALANCES = 8_000;
const TRANSFERS = 3_000;
const BARE_BALANCES = 200_000;
const BARE_TRANSFERS = 3_000;
/** Milliseconds that the slowest of a hundred answers may take. */
const SLOWEST = 100;

interface KindBounds {
  /** Per second. */
  readonly atLeast: number;
  /** The most that bare calls of the engine may be faster. */
  readonly toBare: number;
}

/** What one kind of call came to, over the rounds. */
class Kind {
  readonly figures: Figures[] = [];
  readonly processor: number[] = [];

  constructor(
    private readonly service: BenchService,
    private readonly run: () => Promise<Figures>,
  ) {}

  readonly work = async (): Promise<number> => {
    const before = this.service.processorSeconds();
    const figures = await this.run();
    const after = this.service.processorSeconds();
    this.figures.push(figures);
    if (before !== undefined && after !== undefined) this.processor.push(((after - before) / figures.count) * 1e6);
    return figures.perSecond;
  };

  rows(
    name: string,
    { atLeast, toBare }: KindBounds,
    perSecond: readonly number[],
    bare: readonly number[],
  ): Measured[] {
    // The first round warmed up.
    const counted = this.figures.slice(1);
    const spent = median(this.processor.slice(1));
    const waits = (of: (figures: Figures) => number): number => median(counted.map(of));
    const common = { goal: 'P15' };
    const note = `${perSecond.map((value) => value.toFixed(0)).join(', ')}; ${spent.toFixed(0)} us of its processor each`;
    return [
      {
        ...common,
        name: `${name} per second`,
        figure: Math.round(median(perSecond)),
        unit: '/s',
        bound: { atLeast },
        note,
      },
      {
        ...common,
        name: `bare calls of the engine, to ${name}`,
        figure: ratioOf(bare, perSecond),
        bound: { atMost: toBare },
        note: `${median(bare).toFixed(0)} bare calls per second`,
      },
      {
        ...common,
        name: `${name}, the wait of the slowest in a hundred`,
        figure: Number(waits(({ p99 }) => p99).toFixed(1)),
        unit: 'ms',
        bound: { atMost: SLOWEST },
        note: `median ${waits(({ p50 }) => p50).toFixed(1)} ms, longest ${waits(({ longest }) => longest).toFixed(0)} ms`,
      },
    ];
  }
}

/** What it costs idle, then rates, then what large reads do to others, what it keeps, and what a start on a state file costs. */
export async function measureLocalnet(): Promise<readonly Measured[]> {
  return [
    ...(await measureIdle()),
    ...(await measureRates()),
    ...(await measureReads()),
    ...(await measureMemory()),
    ...(await measureState()),
  ];
}

async function measureRates(): Promise<readonly Measured[]> {
  const service = await benchService();
  try {
    return await measured(service);
  } finally {
    await service.stop();
  }
}

async function measured(service: BenchService): Promise<readonly Measured[]> {
  const load = await loadGenerator(service);
  const subscribers = await subscribe(service);
  const bare = new BareEngine();
  try {
    const balances = new Kind(service, () => load.run({ kind: 'balances', count: BALANCES }));
    const transfers = new Kind(service, () => load.run({ kind: 'transfers', count: TRANSFERS }));
    const [asked = [], bareAsked = [], sent = [], bareSent = []] = await interleaved(ROUNDS, [
      balances.work,
      () => Promise.resolve(bare.balances()),
      transfers.work,
      () => Promise.resolve(bare.transfers()),
    ]);
    const all = TRANSFERS * (ROUNDS + 1);
    // Without the subscribers' notifications the rates above are of something else.
    await until(() => subscribers.notifications() >= all && subscribers.updates() >= 3 * all, 'the subscribers');
    return [
      ...balances.rows('getBalance', { atLeast: 10_000, toBare: 1_100 }, asked, bareAsked),
      ...transfers.rows('transfers', { atLeast: 3_000, toBare: 22 }, sent, bareSent),
    ];
  } finally {
    subscribers.close();
    await load.stop();
  }
}

/** Waits until it is so; gives up after a minute. */
async function until(so: () => boolean, who: string): Promise<void> {
  for (let left = 600; !so(); left--) {
    if (left === 0) throw new Error(`Gave up waiting for ${who}.`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** The engine without anything around it. */
class BareEngine {
  readonly #vm = new LiteSvm();
  readonly #payer = keypairFromSeed(new Uint8Array(32).fill(77));
  readonly #payee = keypairFromSeed(new Uint8Array(32).fill(78));
  #sent = 0;

  constructor() {
    this.#vm.setTransactionHistory(0n);
    const owner = new Uint8Array(32);
    for (const { publicKey } of [this.#payer, this.#payee])
      this.#vm.setAccount(publicKey, new Account(10n ** 15n, new Uint8Array(), owner, false, 0n));
  }

  balances(): number {
    const since = performance.now();
    for (let left = BARE_BALANCES; left > 0; left--) this.#vm.getBalance(this.#payee.publicKey);
    return BARE_BALANCES / ((performance.now() - since) / 1000);
  }

  transfers(): number {
    const blockhash = this.#vm.latestBlockhash();
    if (decodeBase58(blockhash)?.length !== 32) throw new Error('The engine has no blockhash.');
    const wires = Array.from({ length: BARE_TRANSFERS }, () =>
      transferBytes(this.#payer, this.#payee.address, 1_000_000 + ++this.#sent, blockhash),
    );
    const since = performance.now();
    for (const wire of wires) this.#vm.sendVersionedTransaction(wire);
    return BARE_TRANSFERS / ((performance.now() - since) / 1000);
  }
}
