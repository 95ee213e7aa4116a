// Streams that a service compresses for the HTTP/2 client: what is offered, what is read, and hostile frames, which end the
// stream as a typed error within the bound of messages.
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { ServiceError } from '../../../core/service/errors';
import type { Subscription } from '../../../net/api';
import { member } from '../../../core/solana/json/json';
import type { ServerHttp2Stream } from 'node:http2';
import { unzstd } from '../../../core/solana/encoding/zstd';
import { assertWithin } from '../../support/night';
import {
  asking,
  callGrpc,
  framed,
  grpcService,
  openedGrpc,
  slotUpdate,
  SUBSCRIBE,
} from '../../support/wire/grpcServices';
import { take } from '../../support/wire/webSockets';

/** A slot update with forty names of filters, 754 bytes, as zstd 1.5.4 packs it at level 19. */
const PACKED = Buffer.from(
  'KLUv/WDyAc0CABJEDhGgbyxRnYn/A4EtSeX6tLmHQSIA4xpbKr03etfYUum9kbvGlkrvjbq4xpZK753royfag86FeMpIRimoEaC7/wbw5RBGiBFP+gFjSvDg3AQkrXq2VUlq',
  'base64',
);
const MESSAGE = unzstd(PACKED, 754) ?? new Uint8Array();

const flagged = (bytes: Uint8Array): Buffer => {
  const message = framed(bytes);
  message[0] = 1;
  return message;
};

const takeOne = async (stream: Subscription): Promise<void> => assert.equal((await take(stream, 1)).length, 1);

const accepting = (encodings: string) =>
  asking(SUBSCRIBE, '{"slots":{"all":{}}}', { headers: [['Grpc-Accept-Encoding', encodings]] });

/** A service that answers in an encoding; `offers` has each `grpc-accept-encoding` that it saw. */
async function serving(encoding: string | undefined, write: (stream: ServerHttp2Stream) => void) {
  const offers: string[] = [];
  const service = await grpcService(({ stream, headers }) => {
    offers.push(String(headers['grpc-accept-encoding']));
    const packed = encoding === undefined ? {} : { 'grpc-encoding': encoding };
    stream.respond({ ':status': 200, 'content-type': 'application/grpc', ...packed });
    write(stream);
  });
  return { ...service, offers };
}

test('the reference frame decodes to its text', () => {
  assert.equal(MESSAGE.length, 754);
});

describe('what is offered', () => {
  for (const [given, offered] of [
    ['zstd', 'zstd,identity'],
    ['zstd, gzip', 'zstd,gzip,identity'],
    ['GZIP,ZSTD,snappy', 'gzip,zstd,identity'],
    ['snappy', 'identity'],
    ['identity', 'identity'],
  ] as const)
    test(`for ${given}: ${offered}`, async (t) => {
      const service = await serving(undefined, (stream) => stream.write(slotUpdate(3n)));
      t.after(() => service.close());
      await openedGrpc(service.origin, { asked: accepting(given) }, takeOne);
      assert.deepEqual(service.offers, [offered.replace(',identity,identity', ',identity')]);
    });
});

describe("the endpoint's own compression", () => {
  const UNNAMED = asking(SUBSCRIBE, '{"slots":{"all":{}}}');
  for (const [compression, asked, offered] of [
    [undefined, UNNAMED, 'identity'],
    ['none', UNNAMED, 'identity'],
    ['zstd', UNNAMED, 'zstd,identity'],
    // grpc-js names what it unpacks.
    ['gzip', UNNAMED, 'identity,deflate,gzip'],
    ['gzip', accepting('zstd'), 'zstd,identity'],
    ['zstd', accepting('identity'), 'identity'],
  ] as const)
    test(`${compression ?? 'left out'}: a stream offers ${offered}`, async (t) => {
      const service = await serving(undefined, (stream) => stream.write(slotUpdate(3n)));
      t.after(() => service.close());
      await openedGrpc(service.origin, { asked, ...(compression && { compression }) }, takeOne);
      assert.deepEqual(service.offers, [offered]);
    });

  test('a call offers the encodings of its client, regardless of the endpoint', async () => {
    const service = await serving(undefined, (stream) => stream.end());
    await callGrpc(service.origin, { compression: 'zstd' });
    await service.close();
    assert.ok(service.offers.length > 0 && service.offers.every((offered) => !offered.includes('zstd')));
  });
});

describe('what is read', () => {
  for (const [name, encoding, pack] of [
    ['zstd', 'zstd', () => PACKED],
    ['gzip along with zstd', 'gzip', () => gzipSync(MESSAGE)],
  ] as const)
    test(`${name}: packed and plain messages, whole and in pieces`, async (t) => {
      const wire = Buffer.concat([flagged(pack()), slotUpdate(10n), flagged(pack()), flagged(pack())]);
      const service = await serving(encoding, (stream) => {
        stream.write(wire);
        for (const byte of wire) stream.write(Buffer.of(byte));
      });
      t.after(() => service.close());
      await openedGrpc(service.origin, { asked: accepting('zstd, gzip') }, async (stream) => {
        const messages = await take(stream, 8);
        const slots = messages.map((message) => member(member(message, 'slot'), 'slot'));
        assert.deepEqual(slots, ['9', '10', '9', '9', '9', '10', '9', '9']);
        const filters = member(messages[0] ?? null, 'filters');
        assert.equal(Array.isArray(filters) && filters.length, 40);
      });
    });
});

const MAGIC = [0x28, 0xb5, 0x2f, 0xfd];
const BOUND = 64 * 1024 * 1024;
const BLOCK = 128 * 1024;
/** A block of that many equal bytes (RLE), the last one or not. */
const repeated = (count: number, isLast: boolean): number[] => {
  const head = (count << 3) | (1 << 1) | (isLast ? 1 : 0);
  return [head & 255, (head >> 8) & 255, head >> 16, 7];
};
const bomb = (blocks: number): Buffer =>
  Buffer.from([
    ...MAGIC,
    0,
    0x50,
    ...Array.from({ length: blocks }, (_, at) => repeated(BLOCK, at === blocks - 1)).flat(),
  ]);
const sized = (size: number, content: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(size));
  return Buffer.from([...MAGIC, 0xe0, ...bytes, ...content]);
};

const HOSTILE: Readonly<Record<string, Buffer>> = {
  'bytes that are no frame': Buffer.from('not zstd at all'),
  'a frame that is cut': PACKED.subarray(0, -10),
  'blocks of more than the bound': bomb(BOUND / BLOCK + 1),
  'a size of 2^60 bytes': sized(2 ** 60, repeated(8, true)),
  'a size above the bound by one': sized(BOUND + 1, repeated(8, true)),
  'a size that is not that of its content': sized(9, repeated(8, true)),
  'a window of 2^41 bytes': Buffer.from([...MAGIC, 0, 0xf8, ...repeated(8, true)]),
  'a dictionary': Buffer.from([...MAGIC, 1, 0x50, 9, ...repeated(8, true)]),
  'a block of a kind that does not exist': Buffer.from([...MAGIC, 0, 0x50, 0x47, 0, 0, 7]),
};

describe('hostile frames', () => {
  /** How an open stream ends once the service writes the message. */
  const endedBy = async (
    t: TestContext,
    encoding: string | undefined,
    message: Buffer,
    asked: string,
  ): Promise<ServiceError | undefined> => {
    let strike = (): void => undefined;
    const service = await serving(encoding, (stream) => {
      stream.write(slotUpdate(1n));
      strike = () => void stream.write(message);
    });
    t.after(() => service.close());
    let error: ServiceError | undefined;
    await openedGrpc(service.origin, { asked: accepting(asked) }, async (stream) => {
      await takeOne(stream);
      strike();
      assert.deepEqual(await take(stream, Infinity), []);
      error = stream.error;
    });
    return error;
  };

  for (const [name, bytes] of Object.entries(HOSTILE))
    test(`${name} ends the stream`, async (t) => {
      const before = process.memoryUsage().arrayBuffers;
      const error = await endedBy(t, 'zstd', flagged(bytes), 'zstd');
      assert.deepEqual(
        [error?.kind, /cannot be unpacked/.test(error?.message ?? '')],
        ['protocol', true],
        error?.message,
      );
      assertWithin(process.memoryUsage().arrayBuffers - before, 4 * BOUND);
    });

  test('exactly the bound is read', () => {
    assert.equal(unzstd(bomb(BOUND / BLOCK), BOUND)?.length, BOUND);
    assert.equal(unzstd(bomb(BOUND / BLOCK), BOUND - 1), undefined);
  });

  test('gzip of more than the bound ends the stream', async (t) => {
    const error = await endedBy(t, 'gzip', flagged(gzipSync(Buffer.alloc(BOUND + 1))), 'gzip, zstd');
    assert.match(error?.message ?? '', /above the bound/);
  });

  for (const [name, encoding, asked] of [
    ['without an encoding', undefined, 'zstd'],
    ['in an encoding that was not offered', 'gzip', 'zstd'],
    ['in an encoding that nobody knows', 'toString', 'zstd, toString'],
  ] as const)
    test(`a packed message ${name} was not asked for`, async (t) => {
      const error = await endedBy(t, encoding, flagged(PACKED), asked);
      assert.match(error?.message ?? '', /a compressed message that was not asked for/);
    });
});
