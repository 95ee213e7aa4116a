// P15: answers of the local service per second over HTTP while a WebSocket and a gRPC subscriber receive everything,
// compared with the same work as bare calls of its engine, and with a server that answers a constant. The load is from a
// separate process.
import { LiteSvm, Account } from 'litesvm/dist/internal.js';
import { decodeBase58 } from '../../core/solana/encoding/base58';
import { keypairFromSeed } from '../../localnet/ledger/wallets/keys';
import type { Figures } from './load';
import { loadGenerator } from './loadProcess';
import { interleaved, median, ratioOf, type Measured } from '../measure';
import { constantServer, type ConstantServer } from './constant';
import { measureIdle } from './idle';
import { measureMemory } from './memory';
import { measurePace } from './pace';
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

/** The figures of one kind of call, over the rounds. */
class Kind {
  readonly figures: Figures[] = [];
  readonly processor: number[] = [];

  constructor(
    private readonly service: Pick<BenchService, 'processorSeconds'>,
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

  /** Microseconds of processor time of one call, in words. */
  get spent(): string {
    return `${median(this.processor.slice(1)).toFixed(0)} us of its processor each`;
  }

  rows(
    name: string,
    { atLeast, toBare }: KindBounds,
    perSecond: readonly number[],
    bare: readonly number[],
  ): Measured[] {
    // The first round warmed up.
    const counted = this.figures.slice(1);
    const waits = (of: (figures: Figures) => number): number => median(counted.map(of));
    const common = { goal: 'P15' };
    const note = `${perSecond.map((value) => value.toFixed(0)).join(', ')}; ${this.spent}`;
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

/** Measures, in order: idle cost, pace, rates, the effect of large reads on others, memory, the start from a state file. */
export async function measureLocalnet(): Promise<readonly Measured[]> {
  return [
    ...(await measureIdle()),
    ...(await measurePace()),
    ...(await measureRates()),
    ...(await measureReads()),
    ...(await measureMemory()),
    ...(await measureState()),
  ];
}

async function measureRates(): Promise<readonly Measured[]> {
  const [service, constant] = [await benchService(), await constantServer()];
  try {
    return await measured(service, constant);
  } finally {
    await service.stop();
    await constant.stop();
  }
}

async function measured(service: BenchService, constant: ConstantServer): Promise<readonly Measured[]> {
  const load = await loadGenerator(service);
  const constantLoad = await loadGenerator(constant);
  const subscribers = await subscribe(service);
  const bare = new BareEngine();
  try {
    const balances = new Kind(service, () => load.run({ kind: 'balances', count: BALANCES }));
    const constants = new Kind(constant, () => constantLoad.run({ kind: 'balances', count: BALANCES }));
    const transfers = new Kind(service, () => load.run({ kind: 'transfers', count: TRANSFERS }));
    const [asked = [], constantAsked = [], bareAsked = [], sent = [], bareSent = []] = await interleaved(ROUNDS, [
      balances.work,
      constants.work,
      () => Promise.resolve(bare.balances()),
      transfers.work,
      () => Promise.resolve(bare.transfers()),
    ]);
    const all = TRANSFERS * (ROUNDS + 1);
    // Without the subscribers' notifications the rates above are of something else.
    await until(() => subscribers.notifications() >= all && subscribers.updates() >= 3 * all, 'the subscribers');
    return [
      ...balances.rows('getBalance', { atLeast: 10_000, toBare: 600 }, asked, bareAsked),
      {
        goal: 'P15',
        name: "a constant answer of Node's bare HTTP server, to getBalance",
        figure: ratioOf(constantAsked, asked),
        bound: { atMost: 3 },
        note: `${median(constantAsked).toFixed(0)} constants per second; ${constants.spent}`,
      },
      ...transfers.rows('transfers', { atLeast: 3_000, toBare: 14 }, sent, bareSent),
    ];
  } finally {
    subscribers.close();
    await load.stop();
    await constantLoad.stop();
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
