// Inputs for the fuzz: nearly valid calls, and random mutations of them. Sends nothing itself.
import { create, toBinary } from '@bufbuild/protobuf';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import type { Keypair } from '../../../localnet/ledger/wallets/keys';
import { METHOD_HANDLERS } from '../../../localnet/rpc/methods/table';
import { PUBSUB } from '../../../localnet/websocket/topics';
import { Geyser, SubscribeRequestSchema } from '../../../proto';
import { mutatedV1, v1Wire } from './fuzz-v1';
import { mutatedBytes, mutatedText, type Chance } from './fuzz-random';
import {
  ATA,
  compile,
  createAccount,
  MEMO,
  memo,
  signTransaction,
  SYSTEM,
  TOKEN,
  TOKEN_2022,
  transfer,
} from '../rpc/rpc-harness';

/** Ingredients of the inputs. */
export interface Material {
  readonly wallet: Keypair;
  /** A hash that transactions may still use. */
  blockhash: string;
}

/** Names that are not methods; each breaks a careless look-up. */
const STRANGE_NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', '', ' ', 'getbalance', 'ping', 'rpc.discover', '\u0000', 'getSlot\n', 'x'.repeat(5_000)]; // oxfmt-ignore
const SYSVARS = [
  'SysvarC1ock11111111111111111111111111111111',
  'SysvarS1otHashes111111111111111111111111111',
  'SysvarRent111111111111111111111111111111111',
];
const OWNERS = [SYSTEM, TOKEN, TOKEN_2022, ATA, MEMO, 'BPFLoader2111111111111111111111111111111111', 'BPFLoaderUpgradeab1e11111111111111111111111', 'AddressLookupTab1e1111111111111111111111111', 'Stake11111111111111111111111111111111111111', 'Vote111111111111111111111111111111111111111', 'NativeLoader1111111111111111111111111111111', 'Sysvar1111111111111111111111111111111111111']; // oxfmt-ignore
/** Members that configs have, each with values that are right somewhere. */
const CONFIG: Readonly<Record<string, readonly unknown[]>> = {
  commitment: ['processed', 'confirmed', 'finalized', 'recent'],
  encoding: ['base58', 'base64', 'base64+zstd', 'jsonParsed', 'json', 'binary'],
  dataSlice: [
    { offset: 0, length: 4 },
    { offset: 4294967295, length: 4294967295 },
    { offset: -1, length: 1 },
  ],
  filters: [[{ dataSize: 165 }], [{ memcmp: { offset: 0, bytes: '111' } }], [{ tokenAccountState: 1 }], []],
  minContextSlot: [0, 1, 10 ** 15],
  limit: [1, 1000, 0],
  before: [encodeBase58(new Uint8Array(64).fill(9))],
  until: [encodeBase58(new Uint8Array(64).fill(9))],
  maxSupportedTransactionVersion: [0, 1, 255, 256],
  transactionDetails: ['full', 'accounts', 'signatures', 'none'],
  rewards: [true, false],
  skipPreflight: [true, false],
  preflightCommitment: ['processed'],
  sigVerify: [true, false],
  replaceRecentBlockhash: [true, false],
  innerInstructions: [true],
  accounts: [{ addresses: [SYSTEM], encoding: 'base64' }],
  searchTransactionHistory: [true, false],
  mint: [TOKEN],
  programId: [TOKEN, TOKEN_2022],
  mentions: [[SYSTEM]],
  enableReceivedNotification: [true],
  sortResults: [false],
  withContext: [true],
  range: [{ firstSlot: 0 }, { firstSlot: 5, lastSlot: 1 }],
};
/** Answers megabytes: asked more seldom than the others. */
const SELDOM = 'getLeaderSchedule';

const methods = [...METHOD_HANDLERS.keys()];
const topics = [...PUBSUB.keys()];
const wholeNumbers = [0, 1, 2, 31, 255, 2 ** 31, 2 ** 32, 2 ** 53 - 1, -1];

export class Inputs {
  #calls = 0;

  constructor(
    private readonly random: Chance,
    private readonly material: Material,
  ) {}

  /** The body of a POST: a call or a batch, right or mutated, or no JSON at all. */
  body(): Buffer {
    const { random } = this;
    switch (random.below(12)) {
      case 0:
        return random.bytes(random.below(400));
      case 1:
        return Buffer.from(this.#oddity());
      case 2:
        return Buffer.from(JSON.stringify(Array.from({ length: random.below(12) }, () => this.#call())));
      case 3:
      case 4:
      case 5:
        return Buffer.from(JSON.stringify(this.#call()));
      case 6:
        return mutatedBytes(random, Buffer.from(JSON.stringify(this.#call())));
      default:
        return Buffer.from(mutatedText(random, JSON.stringify(this.#call())));
    }
  }

  /** The body of a call that brings a transaction, mutated on the wire. */
  transaction(): Buffer {
    const { random } = this;
    const isV1 = random.once(2);
    const { wallet, blockhash } = this.material;
    const below = (count: number): number => random.below(count);
    const mutate = (bytes: Uint8Array): Buffer => mutatedBytes(random, bytes);
    const good = isV1 ? v1Wire(below, wallet, blockhash) : this.#wire();
    const wire = random.once(6) ? good : isV1 ? mutatedV1(below, good, wallet, mutate) : mutate(good);
    const config = random.pick<unknown>([
      { encoding: 'base64', skipPreflight: true },
      { encoding: 'base64', preflightCommitment: 'processed' },
      { encoding: 'base64', replaceRecentBlockhash: true },
      { encoding: 'base64', sigVerify: true, commitment: 'processed', innerInstructions: true },
    ]);
    const text = wire.toString('base64');
    switch (random.below(4)) {
      case 0:
        return this.#asked('getFeeForMessage', [
          mutate(isV1 ? good.subarray(0, -64) : good.subarray(65)).toString('base64'),
        ]);
      case 1:
        return this.#asked('simulateTransaction', [text, config]);
      case 2:
        return this.#asked('sendTransaction', [encodeBase58(wire), { skipPreflight: random.once(2) }]);
      default:
        return this.#asked('sendTransaction', [text, config]);
    }
  }

  /** A cheat code that writes accounts, with data its owner may not understand. */
  cheat(): Buffer {
    const { random } = this;
    const data = random.bytes(random.pick([0, 36, 80, 82, 165, 200, 355, 1000])).toString('base64');
    const address = this.#freshAddress();
    const owner = random.pick(OWNERS);
    const account = { address, owner, data, lamports: random.pick([0, 1, 10 ** 9]), executable: random.once(4) };
    const call = random.pick<readonly [string, unknown]>([
      ['setAccount', account],
      ['setAccount', account],
      ['loadProgram', { address, elf: data }],
      ['setTokenAccount', { address, mint: this.#address(), owner: this.#address(), amount: random.below(1000) }],
      ['fund', { address, lamports: random.pick(wholeNumbers) }],
    ]);
    const body = this.#asked(...call);
    return random.once(3) ? Buffer.from(mutatedText(random, body.toString())) : body;
  }

  /** A frame for the WebSocket, and whether it says it is binary. */
  frame(): { readonly data: Buffer; readonly binary: boolean } {
    const { random } = this;
    const call = { jsonrpc: '2.0', id: ++this.#calls, method: random.pick(topics), params: this.#params() };
    const text = JSON.stringify(random.once(8) ? [call, this.#call()] : call);
    const data = random.once(3) ? Buffer.from(text) : Buffer.from(mutatedText(random, text));
    return random.once(40) ? { data: random.bytes(64), binary: true } : { data, binary: false };
  }

  /** A gRPC call: its path, what is sent as messages, frames included, and whether the client ends or resets it. */
  grpc(): { readonly path: string; readonly bytes: Buffer; readonly ends: boolean } {
    const { random } = this;
    const method = random.pick(Geyser.methods);
    const path = `/${Geyser.typeName}/${random.once(30) ? random.pick(STRANGE_NAMES.slice(0, 5)) : method.name}`;
    const message = random.once(2) ? Buffer.from(this.#subscribe()) : random.bytes(random.below(40));
    const frame = framed(random.once(3) ? message : mutatedBytes(random, message));
    return { path, bytes: random.once(6) ? mutatedBytes(random, frame) : frame, ends: !random.once(10) };
  }

  /** A malformed HTTP/1.1 request, or a valid one in an odd form. */
  rawHttp(port: number): Buffer {
    const { random } = this;
    const body = this.body().toString('latin1');
    const head = `POST /sol HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n`;
    const text = `${head}Content-Length: ${body.length}\r\n\r\n${body}`;
    return Buffer.from(random.once(3) ? random.bytes(200).toString('latin1') : mutatedText(random, text), 'latin1');
  }

  #asked(method: string, params: unknown): Buffer {
    return Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: ++this.#calls, method, params }));
  }

  #call(): unknown {
    const { random } = this;
    const drawn = random.pick(methods);
    const known = drawn === SELDOM && !random.once(10) ? 'getSlot' : drawn;
    const method = random.once(20) ? random.pick(STRANGE_NAMES) : known;
    return { jsonrpc: '2.0', id: this.#id(), method, ...(random.once(12) ? {} : { params: this.#params() }) };
  }

  #id(): unknown {
    return this.random.once(10)
      ? this.random.pick<unknown>([null, '', 'x'.repeat(300), -1, 1.5, 2 ** 53, true, {}, []])
      : ++this.#calls;
  }

  #params(): unknown {
    const { random } = this;
    if (random.once(30)) return random.pick<unknown>([{}, null, 'text', 7]);
    return Array.from({ length: random.below(4) }, () => this.#param());
  }

  #param(): unknown {
    const { random } = this;
    switch (random.below(8)) {
      case 0:
      case 1:
        return this.#address();
      case 2:
        return random.pick(wholeNumbers);
      case 3:
        return encodeBase58(random.bytes(64));
      case 4:
        return [this.#address(), this.#freshAddress()];
      case 5:
        return random.pick<unknown>(['', 'all', null, true, [], 1.5, '0', 'x'.repeat(2_000), [[[[]]]]]);
      default:
        return this.#config();
    }
  }

  #config(): unknown {
    const { random } = this;
    const names = Object.keys(CONFIG);
    return Object.fromEntries(
      Array.from({ length: random.below(4) }, () => {
        const name = random.pick(names);
        const value = random.once(8) ? this.#param() : random.pick<unknown>(CONFIG[name] ?? [null]);
        return [name, value];
      }),
    );
  }

  #address(): string {
    return this.random.once(3)
      ? this.#freshAddress()
      : this.random.pick([...OWNERS, ...SYSVARS, this.material.wallet.address]);
  }

  #freshAddress(): string {
    return encodeBase58(this.random.bytes(this.random.once(10) ? this.random.below(70) : 32));
  }

  /** Texts that try a reader of JSON: deep, long, wide. */
  #oddity(): string {
    const { random } = this;
    const depth = 1 + random.below(5_000);
    const digits = '9'.repeat(1 + random.below(2_000));
    return random.pick([
      '['.repeat(depth),
      '['.repeat(depth) + ']'.repeat(depth),
      '{"a":'.repeat(depth),
      `{"jsonrpc":"2.0","id":${digits},"method":"getSlot"}`,
      `{"jsonrpc":"2.0","id":1,"method":"getBalance","params":[${digits}e${digits.slice(0, 5)}]}`,
      `{"jsonrpc":"2.0","id":1,"method":"getMultipleAccounts","params":[[${`"${SYSTEM}",`.repeat(200)}"x"]]}`,
      `{"__proto__":{"method":"getSlot"},"jsonrpc":"2.0","id":1,"constructor":1}`,
      `[${'1,'.repeat(random.below(3_000))}1]`,
      `"${'\\u0000'.repeat(random.below(3_000))}"`,
      ' '.repeat(random.below(20_000)),
    ]);
  }

  #wire(): Buffer {
    const { random, material } = this;
    const { wallet, blockhash } = material;
    const to = encodeBase58(random.bytes(32));
    const amount = BigInt(1_000_000 + random.below(1_000_000));
    const instructions = random.pick([
      [transfer(wallet.address, to, amount)],
      [memo(`fuzz ${random.below(1_000_000)}`), transfer(wallet.address, to, amount)],
      [createAccount(wallet.address, to, { lamports: 2_000_000n, space: 32, owner: SYSTEM })],
      [
        {
          program: random.pick(OWNERS),
          accounts: [{ address: to, writable: true }],
          data: random.bytes(random.below(40)),
        },
      ],
    ]);
    const message = compile(instructions, [wallet], blockhash, random.once(3) ? [] : undefined);
    return Buffer.from(signTransaction(message, [wallet]));
  }

  #subscribe(): Uint8Array {
    const { random } = this;
    const account = [this.#freshAddress()];
    return toBinary(
      SubscribeRequestSchema,
      create(SubscribeRequestSchema, {
        ...(random.once(2) ? { slots: { s: { filterByCommitment: random.once(2) } } } : {}),
        ...(random.once(2) ? { accounts: { a: { account, owner: [random.pick(OWNERS)] } } } : {}),
        ...(random.once(2) ? { transactions: { t: { accountInclude: account, vote: false } } } : {}),
        ...(random.once(3) ? { blocks: { b: { includeTransactions: true } }, entry: { e: {} } } : {}),
        ...(random.once(3) ? { blockFooter: { f: {} } } : {}),
        ...(random.once(3) ? { fromSlot: BigInt(random.below(200)) } : {}),
        ...(random.once(3) ? { accountsDataSlice: [{ offset: 0n, length: 32n }] } : {}),
      }),
    );
  }
}

/** One message in gRPC's framing. */
function framed(message: Uint8Array): Buffer {
  const frame = Buffer.alloc(5 + message.length);
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, 5);
  return frame;
}
