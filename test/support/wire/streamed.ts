// Messages of streams for tests: Yellowstone updates written by the generated codec, and notifications as nodes write them.
import { create, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { pubSubShape } from '../../../core/service/streams/pubsub';
import { withDecodedFields } from '../../../core/service/streams/decodedFields';
import type { Shape } from '../../../core/service/streams/shape';
import { yellowstoneShape } from '../../../core/service/streams/yellowstone';
import { NO_PROGRAMS, type Programs } from '../../../core/solana/decode/decoded';
import { SubscribeUpdateSchema, type SubscribeUpdateTransactionInfoSchema } from '../../../proto/gen/geyser_pb';
import { keyOf, layOut } from '../data/layouts';

export const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
export const SYSTEM = '11111111111111111111111111111111';
export const SIGNATURE = encodeBase58(new Uint8Array(64).fill(9));
/** A program that nothing is known of. */
export const PROGRAM = encodeBase58(keyOf(0x11));
export const SUBSCRIBE = 'geyser.Geyser/Subscribe';

export const updateOf = (message: MessageInitShape<typeof SubscribeUpdateSchema>): Uint8Array =>
  toBinary(SubscribeUpdateSchema, create(SubscribeUpdateSchema, message));

type Info = MessageInitShape<typeof SubscribeUpdateTransactionInfoSchema>;
type Meta = NonNullable<Info['meta']>;

const LAMPORTS = layOut([4, 2], [8, 2_000_000_000n]);

/** Accounts: payer, target, PROGRAM, the system program. Calls the system program twice, and PROGRAM, which calls it. */
export const infoOf = (meta: Meta = {}, data: Uint8Array = Uint8Array.of(1, 2)): Info => ({
  signature: new Uint8Array(64).fill(9),
  transaction: {
    signatures: [new Uint8Array(64).fill(9)],
    message: {
      header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 2 },
      accountKeys: [keyOf(1), keyOf(2), keyOf(0x11), keyOf(0)],
      recentBlockhash: keyOf(8),
      instructions: [
        { programIdIndex: 3, accounts: Uint8Array.of(0, 1), data: LAMPORTS },
        { programIdIndex: 3, accounts: Uint8Array.of(0, 1), data: LAMPORTS },
        { programIdIndex: 2, accounts: Uint8Array.of(1, 0), data },
      ],
    },
  },
  meta: {
    fee: 5_000n,
    preBalances: [10_000_000_000n, 0n, 0n, 0n],
    postBalances: [3_999_995_000n, 6_000_000_000n, 0n, 0n],
    innerInstructions: [
      {
        index: 2,
        instructions: [{ programIdIndex: 3, accounts: Uint8Array.of(0, 1), data: LAMPORTS, stackHeight: 2 }],
      },
    ],
    logMessages: [
      `Program ${SYSTEM} invoke [1]`,
      `Program ${SYSTEM} success`,
      `Program ${PROGRAM} invoke [1]`,
      'Program log: Instruction: PayOut',
      `Program ${PROGRAM} consumed 1200 of 200000 compute units`,
      `Program ${PROGRAM} success`,
    ],
    computeUnitsConsumed: 1_500n,
    ...meta,
  } as Meta,
});

export const transactionUpdate = (info: Info = infoOf(), slot = 77n): Uint8Array =>
  updateOf({ filters: ['t'], updateOneof: { case: 'transaction', value: { slot, transaction: info } } });

export const blockUpdate = (count: number, slot = 77n): Uint8Array =>
  updateOf({
    filters: ['b'],
    updateOneof: {
      case: 'block',
      value: { slot, blockhash: 'x', transactions: Array.from({ length: count }, () => infoOf()) },
    },
  });

/** A notification with this result. */
export const notification = (method: string, result: unknown): Uint8Array =>
  Buffer.from(JSON.stringify({ jsonrpc: '2.0', method, params: { result, subscription: 1 } }));

export const updatesShape = (programs: Programs = NO_PROGRAMS, map = 'transactions'): Shape =>
  withDecodedFields({ shape: yellowstoneShape(SUBSCRIBE, { [map]: { a: {} } }), method: SUBSCRIBE }, () => programs);

export const notificationsShape = (method: string, programs: Programs = NO_PROGRAMS): Shape =>
  withDecodedFields({ shape: pubSubShape(method), method }, () => programs);
