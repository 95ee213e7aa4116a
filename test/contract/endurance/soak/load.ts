// The load of a soak: readers, senders, subscribers that come and go, and some that do not read what they are sent.
// Everything runs until its `over` is aborted; the work done is counted.
import { once } from 'node:events';
import http from 'node:http';
import http2 from 'node:http2';
import { setTimeout as pause } from 'node:timers/promises';
import { create, toBinary } from '@bufbuild/protobuf';
import { WebSocket } from 'ws';
import { decodeBase58 } from '../../../../core/solana/encoding/base58';
import { CommitmentLevel, Geyser, SubscribeRequestSchema } from '../../../../proto';
import { transferBytes } from '../../../../bench/localnet/transfer';
import { type ReadyLine, walletOf } from '../../../support/process/localnet';
import { freshKey } from '../../rpc/rpc-harness';
import { chance } from '../fuzz-random';
import { v1Wire } from '../fuzz-v1';

export interface Counts {
  answers: number;
  transfers: number;
  notifications: number;
  updates: number;
  /** Reconnections. */
  reconnects: number;
  /** Readers that did not read and were cut off for it. */
  cutOff: number;
}

/** Messages after which a subscriber leaves and comes back. */
const STAY = 2_000;
/** Updates of others after which a stream that reads nothing is far behind. */
const BEHIND = 60_000;
const RECEIVERS = 2_000;

export class SoakLoad {
  readonly counts: Counts = { answers: 0, transfers: 0, notifications: 0, updates: 0, reconnects: 0, cutOff: 0 };
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 16 });

  constructor(
    private readonly ready: ReadyLine,
    private readonly over: AbortSignal,
  ) {}

  /** Runs all of it; rejects where the service answers what it must not. */
  async run(): Promise<void> {
    const receivers = Array.from({ length: RECEIVERS }, (_, at) => freshKey(`receiver ${at}`).address);
    await Promise.all([
      this.#read(receivers),
      this.#read(receivers),
      this.#send(receivers, false),
      this.#send(receivers, true),
      this.#subscribe(false),
      this.#subscribe(false),
      this.#subscribe(true),
      this.#stream(false),
      this.#stream(false),
      this.#stream(true),
    ]);
    this.#agent.destroy();
  }

  /** Every kind of read in turn. */
  async #read(receivers: readonly string[]): Promise<void> {
    const system = '11111111111111111111111111111111';
    for (let turn = 0; !this.over.aborted; turn++) {
      const address = receivers[turn % receivers.length];
      const slot = await this.#call('getSlot', [{ commitment: 'confirmed' }]);
      await this.#call('getBalance', [address]);
      await this.#call('getAccountInfo', [address, { encoding: 'jsonParsed' }]);
      await this.#call('getSignaturesForAddress', [address, { limit: 20 }]);
      await this.#call('getMultipleAccounts', [receivers.slice(0, 100), { encoding: 'base64+zstd' }]);
      if (turn % 10 === 0) await this.#call('getBlock', [slot, { maxSupportedTransactionVersion: 1 }]);
      if (turn % 50 === 0) await this.#call('getProgramAccounts', [system, { dataSlice: { offset: 0, length: 0 } }]);
    }
  }

  /** `isV1`: transactions of version 1, each with another configuration. */
  async #send(receivers: readonly string[], isV1: boolean): Promise<void> {
    const wallet = walletOf(this.ready);
    let blockhash = '';
    for (let turn = 0; !this.over.aborted; turn++) {
      if (turn % 50 === 0) {
        const latest = await this.#call('getLatestBlockhash', [{ commitment: 'confirmed' }]);
        blockhash = (latest as { readonly value: { readonly blockhash: string } }).value.blockhash;
      }
      // No two alike: the same bytes would be refused the second time.
      const to = receivers[turn % RECEIVERS] ?? '';
      const wire = isV1
        ? v1Wire((count) => this.#chance.below(count), wallet, blockhash, decodeBase58(to))
        : transferBytes(wallet, to, 1_000_000 + ++this.#sent, blockhash);
      await this.#call('sendTransaction', [wire.toString('base64'), { encoding: 'base64', skipPreflight: true }]);
      this.counts.transfers++;
    }
  }
  #sent = 0;
  readonly #chance = chance(1);

  async #call(method: string, params: readonly unknown[]): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const text = await this.#post(body);
    const answer = JSON.parse(text) as { readonly result?: unknown; readonly error?: { readonly code: number } };
    this.counts.answers++;
    // Two senders are faster than the plan allows, and a block may be gone already.
    if (answer.error !== undefined && ![429, -32001, -32004, -32007, -32009].includes(answer.error.code))
      throw new Error(`${method}: ${text.slice(0, 300)}`);
    return answer.result;
  }

  #post(body: string): Promise<string> {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${this.ready.keys.rpc.key}` };
    return new Promise((resolve, reject) => {
      const request = http.request(this.ready.rpcUrl, { method: 'POST', agent: this.#agent, headers }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part)).on('error', reject);
        response.on('end', () => resolve(Buffer.concat(parts).toString('utf8')));
      });
      request.on('error', reject).end(body);
    });
  }

  /** WebSockets subscribed to everything, one after another; `slow`: they stop reading until the service closes them. */
  async #subscribe(slow: boolean): Promise<void> {
    while (!this.over.aborted) {
      const socket = new WebSocket(`${this.ready.wsUrl}?api_key=${this.ready.keys.rpc.key}`);
      socket.on('error', () => undefined);
      await once(socket, 'open');
      const closed = this.#closed(socket, () => socket.terminate());
      for (const [method, params] of [
        ['logsSubscribe', ['all', { commitment: 'processed' }]],
        ['programSubscribe', ['11111111111111111111111111111111', { encoding: 'base64', commitment: 'confirmed' }]],
        ['blockSubscribe', ['all', { maxSupportedTransactionVersion: 1 }]],
        ['slotsUpdatesSubscribe', []],
      ] as const)
        socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
      let heard = 0;
      socket.on('message', () => {
        this.counts.notifications++;
        if (++heard === STAY) socket.terminate();
      });
      if (slow) socket.pause();
      await closed;
      if (slow && !this.over.aborted) this.counts.cutOff++;
      this.counts.reconnects++;
    }
  }

  /** The same over gRPC. */
  async #stream(slow: boolean): Promise<void> {
    while (!this.over.aborted) {
      const session = http2.connect(this.ready.grpcUrl);
      session.on('error', () => undefined);
      const stream = session.request({
        ':method': 'POST',
        ':path': `/${Geyser.typeName}/${Geyser.method.subscribe.name}`,
        'content-type': 'application/grpc',
        te: 'trailers',
        authorization: `Bearer ${this.ready.keys.grpc.key}`,
      });
      stream.on('error', () => undefined);
      const closed = this.#closed(stream, () => session.destroy());
      stream.write(subscription());
      let heard = 0;
      if (slow) stream.pause();
      else
        stream.on('data', () => {
          this.counts.updates++;
          if (++heard === STAY) session.destroy();
        });
      if (slow) void this.#untilBehind().then(() => stream.resume());
      await closed;
      session.destroy();
      if (slow && !this.over.aborted) this.counts.cutOff++;
      this.counts.reconnects++;
    }
  }

  /**
   * Waits until other streams received so much that one which reads nothing must have fallen behind. Only a reader that
   * reads again learns that it was closed.
   */
  async #untilBehind(): Promise<void> {
    const enough = this.counts.updates + BEHIND;
    while (!this.over.aborted && this.counts.updates < enough) await pause(1_000, undefined, { ref: false });
  }

  /** Resolves once it is closed; the end of the soak closes it. */
  #closed(emitter: NodeJS.EventEmitter, close: () => void): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => close();
      this.over.addEventListener('abort', end);
      emitter.once('close', () => {
        this.over.removeEventListener('abort', end);
        resolve();
      });
      if (this.over.aborted) close();
    });
  }
}

/** Everything at processed, blocks with all they hold. */
function subscription(): Buffer {
  const everything = { transactions: { all: {} }, accounts: { all: {} }, slots: { all: {} } };
  const blocks = { all: { includeTransactions: true, includeAccounts: true, includeEntries: true } };
  const commitment = CommitmentLevel.PROCESSED;
  const message = toBinary(
    SubscribeRequestSchema,
    create(SubscribeRequestSchema, { ...everything, blocks, commitment }),
  );
  const frame = Buffer.alloc(5 + message.length);
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, 5);
  return frame;
}
