// A plain gRPC client for tests: @grpc/grpc-js with the generated messages, against the real service.
//
//   const { client } = testGeyser(['--plan', 'Shared Metal']);
//   const { slot } = await client.unary(Geyser.method.getSlot);
//   const stream = client.subscribe();
//   stream.send({ slots: { all: {} } });
//   const update = await stream.next((update) => update.updateOneof.case === 'slot');
//
// A stream keeps what arrives; `next` looks through it from where the last `next` stopped.
import {
  create,
  fromBinary,
  toBinary,
  type DescMessage,
  type MessageInitShape,
  type MessageShape,
} from '@bufbuild/protobuf';
import {
  Client,
  type ChannelOptions,
  credentials,
  Metadata,
  type ServiceError,
  type StatusObject,
} from '@grpc/grpc-js';
import type { CompressedAccountFilterSet } from '@triton-one/yellowstone-grpc';
import {
  Geyser,
  SubscribeRequestSchema,
  SubscribeUpdateSchema,
  type SubscribeUpdate,
  type SubscribeUpdateGossip,
} from '../../../proto';
import { startTestLedger, type HowItStarts, type Localnet, type ReadyLine } from '../../support/process/localnet';
import { later, shared } from '../../support/shared';

type Case = SubscribeUpdate['updateOneof']['case'];
export type UpdateOf<Wanted extends Case> = SubscribeUpdate & {
  readonly updateOneof: { readonly case: Wanted } & Extract<SubscribeUpdate['updateOneof'], { case: Wanted }>;
};

export interface UnaryMethod<Input extends DescMessage, Output extends DescMessage> {
  readonly name: string;
  readonly input: Input;
  readonly output: Output;
}

export interface TestStream {
  /** Everything that has arrived. */
  readonly updates: readonly SubscribeUpdate[];
  /** How the stream ended; rejects never. */
  readonly ended: Promise<StatusObject>;
  /** The first update after those already looked at; rejects when the stream ends before. */
  next(wanted: (update: SubscribeUpdate) => boolean): Promise<SubscribeUpdate>;
  /** The same for one kind, narrowed. */
  nextOf<Wanted extends NonNullable<Case>>(
    kind: Wanted,
    wanted?: (update: UpdateOf<Wanted>) => boolean,
  ): Promise<UpdateOf<Wanted>>;
  /** Resolves with the pong: everything requested before is in force by then. */
  settled(): Promise<void>;
  send(request: MessageInitShape<typeof SubscribeRequestSchema>): void;
  /** Sends these bytes as a message. */
  sendRaw(message: Uint8Array): void;
  halfClose(): void;
  pause(): void;
  resume(): void;
  cancel(): void;
}

export interface TestClient {
  unary<Input extends DescMessage, Output extends DescMessage>(
    method: UnaryMethod<Input, Output>,
    request?: MessageInitShape<Input>,
    metadata?: Readonly<Record<string, string>>,
    query?: string,
  ): Promise<MessageShape<Output>>;
  subscribe(metadata?: Readonly<Record<string, string>>, path?: string): TestStream;
  /** Resolves with the first `count` messages of SubscribeGossip, then ends it. */
  gossip(count: number): Promise<readonly SubscribeUpdateGossip[]>;
  close(): void;
}

/** The service of a test file or `describe`, and a client of its gRPC with the first key. */
export function testGeyser(
  args: readonly string[] = [],
  how: HowItStarts = {},
): { readonly local: Localnet; readonly client: TestClient } {
  const both = shared(
    async () => {
      const local = await startTestLedger(args, how);
      return { local, client: geyserClient(local) };
    },
    async ({ local, client }) => {
      client.close();
      await local.stop();
    },
  );
  return { local: later(() => both.local), client: later(() => both.client) };
}

/** `metadata` is sent with every call that sets none; by default the first gRPC key as Bearer. */
export function geyserClient(
  local: { readonly ready: Pick<ReadyLine, 'grpcUrl' | 'keys'> },
  metadata: Readonly<Record<string, string>> = { authorization: `Bearer ${local.ready.keys.grpc.key}` },
  options: ChannelOptions = {},
): TestClient {
  const client = new Client(new URL(local.ready.grpcUrl).host, credentials.createInsecure(), {
    'grpc.max_receive_message_length': 64 * 1024 * 1024,
    'grpc.use_local_subchannel_pool': 1,
    ...options,
  });
  return {
    unary: <Input extends DescMessage, Output extends DescMessage>(
      { name, input, output }: UnaryMethod<Input, Output>,
      request?: MessageInitShape<Input>,
      own = metadata,
      query = '',
    ) =>
      new Promise<MessageShape<Output>>((resolve, reject) => {
        client.makeUnaryRequest(
          `/${Geyser.typeName}/${name}${query}`,
          (message: MessageShape<Input>) => Buffer.from(toBinary(input, message)),
          (bytes) => fromBinary(output, bytes),
          create(input, request),
          metadataOf(own),
          (error, answer) => (error === null ? resolve(answer as MessageShape<Output>) : reject(error)),
        );
      }),
    gossip: async (count) => {
      const { name, input, output } = Geyser.method.subscribeGossip;
      const call = client.makeServerStreamRequest(
        `/${Geyser.typeName}/${name}`,
        (message: MessageShape<typeof input>) => Buffer.from(toBinary(input, message)),
        (bytes) => fromBinary(output, bytes),
        create(input),
        metadataOf(metadata),
      );
      const found: SubscribeUpdateGossip[] = [];
      try {
        for await (const message of call) if (found.push(message as SubscribeUpdateGossip) === count) break;
      } finally {
        call.cancel();
      }
      return found;
    },
    subscribe: (own = metadata, path = `/${Geyser.typeName}/Subscribe`) => openStream(client, own, path),
    close: () => client.close(),
  };
}

/** The error that a call ends with; rejects when it ends well. */
export async function failureOf(call: Promise<unknown>): Promise<ServiceError> {
  try {
    await call;
  } catch (error) {
    return error as ServiceError;
  }
  throw new Error('The call did not fail');
}

function metadataOf(values: Readonly<Record<string, string>>): Metadata {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(values)) metadata.set(name, value);
  return metadata;
}

function openStream(client: Client, metadata: Readonly<Record<string, string>>, path: string): TestStream {
  const call = client.makeBidiStreamRequest(
    path,
    (message: Uint8Array) => Buffer.from(message),
    (bytes) => fromBinary(SubscribeUpdateSchema, bytes),
    metadataOf(metadata),
  );
  const updates: SubscribeUpdate[] = [];
  let looked = 0;
  let over = false;
  let pongs = 0;
  const wake = new Set<() => void>();
  const wakeAll = (): void => {
    for (const waiter of [...wake]) waiter();
  };
  call.on('data', (update: SubscribeUpdate) => {
    updates.push(update);
    wakeAll();
  });
  // The status says it better, and comes for every end.
  call.on('error', () => undefined);
  const ended = new Promise<StatusObject>((resolve) => {
    call.on('status', (status: StatusObject) => {
      over = true;
      wakeAll();
      resolve(status);
    });
  });
  const next: TestStream['next'] = async (wanted) => {
    for (;;) {
      while (looked < updates.length) {
        const update = updates[looked++];
        if (update !== undefined && wanted(update)) return update;
      }
      if (over) {
        const { code, details } = await ended;
        throw new Error(`The stream ended with ${code}: ${details}`);
      }
      await new Promise<void>((resolve) => {
        const waiter = (): void => {
          wake.delete(waiter);
          resolve();
        };
        wake.add(waiter);
      });
    }
  };
  const send: TestStream['send'] = (request) => {
    call.write(toBinary(SubscribeRequestSchema, create(SubscribeRequestSchema, request)));
  };
  return {
    updates,
    ended,
    next,
    nextOf: async (kind, wanted = () => true) =>
      (await next((update) => update.updateOneof.case === kind && wanted(update as UpdateOf<typeof kind>))) as UpdateOf<
        typeof kind
      >,
    settled: async () => {
      const id = ++pongs;
      send({ ping: { id } });
      await next(({ updateOneof }) => updateOneof.case === 'pong' && updateOneof.value.id === id);
    },
    send,
    sendRaw: (message) => {
      call.write(message);
    },
    halfClose: () => call.end(),
    pause: () => call.pause(),
    resume: () => call.resume(),
    cancel: () => call.cancel(),
  };
}

/** A compressed set of addresses, as the filters take it. */
export function cuckooOf(set: CompressedAccountFilterSet) {
  const { data, bucketCount, entriesPerBucket, fingerprintBits, hashSeed } = set.toProto();
  return { data, bucketCount, entriesPerBucket, fingerprintBits, hashSeed: BigInt(hashSeed) };
}
