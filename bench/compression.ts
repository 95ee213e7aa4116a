// P18: what compression of a gRPC stream saves and costs, on full blocks captured from the local service: compressed as
// the service does it, unpacked as our client does it.
import { keyPort } from '../cli/session/keys';
import { settle } from '../net/target/target';
import { createNet } from '../net/transports';
import { unpackerOf, type Unpacker } from '../net/grpc/unpack';
import { Secret } from '../core/service/keys/secret';
import type { PreparedRequest } from '../core/requests/run/model';
import { compressionFor, COMPRESSIONS } from '../localnet/geyser/framing';
import { interleaved, median, ratioOf, type Measured } from './measure';
import { benchService, type BenchService } from './localnet/service';

const ROUNDS = 7;
/** Messages, and how often a turn goes through them. */
const MESSAGES = 40;
const TURNS = 5;
/** The traffic that makes updates: the service's own transfers between all sorts of accounts, per second. */
const TRAFFIC = ['--traffic', '200'];

/** Messages below 1,024 bytes the service sends as they are: blocks are what compresses. */
const BLOCKS = '{"blocks":{"all":{"includeTransactions":true,"includeAccounts":true}}}';

/** The first messages of a stream, uncompressed. */
async function captured({ ready }: BenchService): Promise<readonly Buffer[]> {
  const request: PreparedRequest = {
    transport: 'GRPC',
    method: 'geyser.Geyser/Subscribe',
    body: BLOCKS,
    ids: ['1'],
    isBatch: false,
    headers: [],
    timeoutMs: 10_000,
  };
  const profile = { name: 'bench', grpcUrl: ready.grpcUrl };
  const target = settle({ profile, source: 'user' }, request);
  if (!target.ok) throw new Error(target.error.message);
  const keys = new Map([['grpc', new Secret(ready.keys.grpc.key)]] as const);
  const net = createNet({ keys: keyPort(keys, new Set([new URL(ready.grpcUrl).origin])) });
  const messages: Buffer[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      const opened = net.openRaw(target.value, request, {
        signal: new AbortController().signal,
        take: (bytes, start, end) => {
          messages.push(Buffer.from(bytes.subarray(start, end)));
          if (messages.length === MESSAGES) resolve();
        },
      });
      opened.then((stream) => (stream.ok ? undefined : reject(new Error(stream.error.message))), reject);
    });
  } finally {
    await net.close();
  }
  return messages.slice(0, MESSAGES);
}

interface Packed {
  readonly messages: readonly { readonly bytes: Buffer; readonly unpack: Unpacker | undefined }[];
  readonly bytes: number;
}

/** The messages as they are on the wire; short ones are sent as they are. */
function packed(messages: readonly Buffer[], encoding: string): Packed {
  const compression = compressionFor([encoding], encoding);
  const unpack = unpackerOf(encoding, [encoding], 'bench');
  const sent = messages.map((message) => {
    const short = compression?.pack([message], message.length);
    return short === undefined ? { bytes: message, unpack: undefined } : { bytes: Buffer.from(short), unpack };
  });
  for (const [at, { bytes, unpack: own }] of sent.entries())
    if (!(own?.(bytes) ?? bytes).equals(messages[at] ?? Buffer.alloc(0))) throw new Error(`${encoding} lost something`);
  return { messages: sent, bytes: sent.reduce((sum, { bytes }) => sum + bytes.length, 0) };
}

/** Microseconds a message, each of which is kept as a client keeps it: unpacked, else copied. */
const reading =
  ({ messages }: Packed) =>
  async (): Promise<number> => {
    const since = performance.now();
    for (let turn = 0; turn < TURNS; turn++)
      for (const { bytes, unpack } of messages) void (unpack?.(bytes) ?? Buffer.from(bytes));
    return ((performance.now() - since) * 1_000) / (messages.length * TURNS);
  };

export async function measureCompression(): Promise<readonly Measured[]> {
  const service = await benchService([], TRAFFIC);
  try {
    return await rowsOf(await captured(service));
  } finally {
    await service.stop();
  }
}

async function rowsOf(messages: readonly Buffer[]): Promise<readonly Measured[]> {
  const plain = packed(messages, 'identity');
  const each = `${messages.length} blocks of ${(plain.bytes / messages.length / 1_000).toFixed(1)} kB`;
  const rows: Measured[] = [];
  for (const [encoding, atMost] of [
    ['gzip', 0.5],
    ['zstd', 0.5],
  ] as const) {
    const names = [
      `full blocks in ${encoding}, bytes to uncompressed`,
      `unpacking them, time to copying them`,
    ] as const;
    if (!COMPRESSIONS.includes(encoding)) {
      const note = `this Node compresses no ${encoding}; 22.15 does`;
      rows.push({ goal: 'P18', name: names[0], bound: { atMost }, absent: 'no peer', note });
      continue;
    }
    const one = packed(messages, encoding);
    rows.push({ goal: 'P18', name: names[0], figure: one.bytes / plain.bytes, bound: { atMost }, note: each });
    const [unpacked = [], copied = []] = await interleaved(ROUNDS, [reading(one), reading(plain)]);
    const note = `${median(unpacked).toFixed(0)} to ${median(copied).toFixed(1)} µs each`;
    rows.push({ goal: 'P18', name: names[1], figure: ratioOf(unpacked, copied), note });
  }
  return rows;
}
