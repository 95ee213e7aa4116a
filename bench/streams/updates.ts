// The account updates that the load generator sends, as the bytes of their gRPC frames.
import { create, toBinary } from '@bufbuild/protobuf';
import { SubscribeUpdateSchema } from '../../proto';

/** Data of a token account, the kind there is most of. Bytes. */
export const DATA = Buffer.alloc(165, 5);
/** A balance of it: the rent of its bytes at 5,080 lamports each. */
export const LAMPORTS = 1_488_440n;
export const SLOT = 312_345_678;

/** One update of the `account`-th account, all of a Yellowstone update's fields filled. */
function accountUpdate(account: number, slot: number): Uint8Array {
  const pubkey = Buffer.alloc(32, 1);
  pubkey.writeUInt32BE(account + 1, 0);
  return toBinary(
    SubscribeUpdateSchema,
    create(SubscribeUpdateSchema, {
      filters: ['all'],
      updateOneof: {
        case: 'account',
        value: {
          slot: BigInt(slot),
          account: {
            pubkey,
            owner: Buffer.alloc(32, 2),
            lamports: LAMPORTS,
            rentEpoch: 18446744073709551615n,
            data: DATA,
            writeVersion: 1_234_567_890n + BigInt(account),
            txnSignature: Buffer.alloc(64, 3),
          },
        },
      },
      createdAt: { seconds: 1_700_000_000n, nanos: 123_456_789 },
    }),
  );
}

/** gRPC's frame of an update. All frames have the same length. */
export function accountFrame(account: number, slot: number): Buffer {
  const message = accountUpdate(account, slot);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}
