// Compression by the service: off by default; else uses the first encoding of the client that it offers,
// for messages that gain by it; read by the raw protocol, by grpc-js and by our own client.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http2 from 'node:http2';
import { after, before, describe, test } from 'node:test';
import * as zlib from 'node:zlib';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { member } from '../../../core/solana/json/json';
import { unzstd } from '../../../core/solana/encoding/zstd';
import { frame, FrameReader } from '../../../proto/frames';
import { SubscribeRequestSchema, SubscribeUpdateSchema, type SubscribeUpdate } from '../../../proto';
import { helpText, readOptions } from '../../../localnet/options';
import { newSigner } from '../../support/data/v1Transactions';
import { startTestLedger, type Localnet } from '../../support/process/localnet';
import { asking, openedGrpc, SUBSCRIBE } from '../../support/wire/grpcServices';
import { keysOf } from '../../support/wire/wire';
import { take } from '../../support/wire/webSockets';

/** Node has a compressor from 22.15 on. */
const HAS_ZSTD = 'zstdCompressSync' in zlib;
const SYSTEM = '11111111111111111111111111111111';
/** Bytes of an account's data: of little entropy, and longer than one message of HTTP/2. */
const DATA = Buffer.from(Array.from({ length: 60_000 }, (_, at) => at % 7));

/** The services of these tests, by what they were started to compress with. */
const services = new Map<string, Localnet>();

async function serviceWith(compression: string): Promise<Localnet> {
  const known = services.get(compression);
  if (known !== undefined) return known;
  const local = await startTestLedger(compression === 'none' ? [] : ['--grpc-compression', compression], {
    clock: 'slots',
  });
  services.set(compression, local);
  return local;
}

const EVERY = HAS_ZSTD ? 'gzip,zstd' : 'gzip';
let local: Localnet;
before(async () => {
  local = await serviceWith(EVERY);
});
after(() => Promise.all([...services.values()].map((one) => one.stop())));

const write = (to: string, service = local) =>
  service.cheat('setAccount', { address: to, lamports: 10 ** 10, owner: SYSTEM, data: DATA.toString('base64') });

interface Seen {
  readonly encoding: unknown;
  /** Bytes on the wire of the messages that came compressed, and those of all others. */
  readonly packed: readonly Uint8Array[];
  readonly plain: readonly Uint8Array[];
}

/** The messages of a stream up to the first that holds the account's data. */
async function subscribed(service: Localnet, accepted: string | undefined): Promise<Seen> {
  const to = (await newSigner()).address;
  const { grpcUrl, keys } = service.ready;
  const session = http2.connect(grpcUrl);
  const call = session.request({
    ':method': 'POST',
    ':path': `/${SUBSCRIBE}`,
    'content-type': 'application/grpc',
    te: 'trailers',
    authorization: `Bearer ${keys.grpc.key}`,
    ...(accepted === undefined ? {} : { 'grpc-accept-encoding': accepted }),
  });
  const request = create(SubscribeRequestSchema, {
    accounts: { ['name'.repeat(30)]: { account: [to] } },
  });
  const [packed, plain]: [Uint8Array[], Uint8Array[]] = [[], []];
  const reader = new FrameReader(() => undefined);
  const done = new Promise<void>((resolve) => {
    call.on('data', (chunk: Buffer) =>
      reader.read(chunk, (bytes, start, end, isCompressed) => {
        const message = Buffer.from(bytes.subarray(start, end));
        (isCompressed ? packed : plain).push(message);
        if (isCompressed || message.length > DATA.length) resolve();
      }),
    );
  });
  call.write(frame(toBinary(SubscribeRequestSchema, request)));
  const [headers] = (await once(call, 'response')) as [Record<string, unknown>];
  const pinged = create(SubscribeRequestSchema, { ping: { id: 1 } });
  call.write(frame(toBinary(SubscribeRequestSchema, pinged)));
  await write(to, service);
  await done;
  session.destroy();
  return { encoding: headers['grpc-encoding'], packed, plain };
}

const dataOf = (bytes: Uint8Array | undefined): Buffer => {
  const update: SubscribeUpdate = fromBinary(SubscribeUpdateSchema, bytes ?? new Uint8Array());
  assert.equal(update.updateOneof.case, 'account');
  return Buffer.from(update.updateOneof.value.account?.data ?? []);
};

describe('the encoding of a response', () => {
  const zstd = HAS_ZSTD ? 'zstd' : undefined;
  for (const [offered, accepted, expected] of [
    // The default of grpc-js.
    ['none', 'identity,deflate,gzip', undefined],
    ['none', 'zstd,gzip', undefined],
    ['gzip', 'zstd', undefined],
    ['gzip', 'zstd,gzip', 'gzip'],
    [EVERY, undefined, undefined],
    [EVERY, 'identity', undefined],
    [EVERY, 'snappy', undefined],
    [EVERY, 'gzip', 'gzip'],
    [EVERY, 'identity,deflate,gzip', 'gzip'],
    [EVERY, 'gzip, zstd', 'gzip'],
    [EVERY, 'zstd', zstd],
    [EVERY, 'zstd,gzip', zstd ?? 'gzip'],
  ] as const)
    test(`started with ${offered}, for ${accepted ?? 'no header'}: ${expected ?? 'none'}`, async () => {
      const { encoding, packed, plain } = await subscribed(await serviceWith(offered), accepted);
      assert.equal(encoding, expected);
      if (expected === undefined) {
        assert.equal(packed.length, 0);
        // The answer to the ping may come before the account or after it.
        assert.deepEqual(dataOf(plain.find(({ length }) => length > DATA.length)), DATA);
        return;
      }
      const [message] = packed;
      assert.ok(message && message.length < DATA.length / 10, `${message?.length} bytes`);
      const unpacked = expected === 'gzip' ? zlib.gunzipSync(message) : unzstd(message, 1_000_000);
      assert.deepEqual(dataOf(unpacked), DATA);
      // The greeting, a ping, is too short to gain.
      assert.ok(plain.every(({ length }) => length < 1024));
    });
});

test('a name that is not a compression is refused', () => {
  for (const names of ['snappy', 'gzip,', 'gzip,none', ''])
    assert.deepEqual(readOptions(['--grpc-compression', names]).ok, false, names);
});

test('zstd is offered where Node.js has it, and else refused with the version that it needs', () => {
  const read = readOptions(['--grpc-compression', 'gzip,zstd']);
  assert.equal(read.ok, HAS_ZSTD);
  assert.equal(
    read.ok ? '' : read.message,
    HAS_ZSTD ? '' : `--grpc-compression: not allowed: gzip,zstd; zstd needs Node.js 22.15; this is ${process.version}`,
  );
  assert.match(helpText(), /--grpc-compression NAMES .*gzip, zstd/);
});

describe('our client reads it', () => {
  for (const encodings of ['gzip', 'zstd', 'zstd, gzip'])
    test(`with grpc-accept-encoding: ${encodings}`, async () => {
      const to = (await newSigner()).address;
      const asked = asking(SUBSCRIBE, JSON.stringify({ accounts: { all: { account: [to] } } }), {
        headers: [['grpc-accept-encoding', encodings]],
      });
      const { grpcUrl, keys } = local.ready;
      await openedGrpc(grpcUrl, { asked, options: { keys: keysOf({ grpc: keys.grpc.key }) } }, async (stream) => {
        await write(to);
        const [message] = await take(stream, 1);
        const account = member(member(message, 'account'), 'account');
        const { length } = JSON.stringify(account);
        assert.ok(length > DATA.length, `${length}`);
      });
    });
});
