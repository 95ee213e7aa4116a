// The calls with one answer. What they say of the ledger is what JSON-RPC says, but for the names of the fields.
import { create, toBinary, type DescMessage, type MessageShape } from '@bufbuild/protobuf';
import { Geyser, type CommitmentLevel } from '../../proto';
import { decodeProto, TooManyValues } from '../../proto/decode';
import type { JsonValue } from '../../core/solana/json/json';
import type { RpcEngine, WireJson } from '../api';
import { VERSION } from '../version';
import { wireAt } from '../wireJson';
import { levelOf } from './levels';
import type { UpdateLog } from './log';
import { GrpcFailure } from './status';

export interface UnarySources {
  readonly engine: RpcEngine;
  readonly log: UpdateLog;
}

/** Reads a request and makes its answer. Throws GrpcFailure. */
export type Unary = (sources: UnarySources, request: Uint8Array) => Promise<Uint8Array>;

/** Servers of this interface add so many blocks to a height; JSON-RPC adds 150, after which the hash has really run out. */
const LAST_VALID_BLOCKS = 300;
const INVALID_PARAMS = -32602;

/** The unary methods by name. */
export const UNARY: Readonly<Record<string, Unary>> = {
  Ping: unary(Geyser.method.ping, async (_sources, { count }) => ({ count })),
  GetVersion: unary(Geyser.method.getVersion, async ({ engine }) => {
    const solana = wireAt(await resultOf(engine, 'getVersion'), 'solana-core');
    return { version: JSON.stringify({ version: { package: 'solana-rpc-workbench', version: VERSION, solana } }) };
  }),
  GetSlot: unary(Geyser.method.getSlot, async (sources, { commitment }) => ({
    slot: wholeNumber(await ask(sources, 'getSlot', commitment)),
  })),
  GetBlockHeight: unary(Geyser.method.getBlockHeight, async (sources, { commitment }) => ({
    blockHeight: wholeNumber(await ask(sources, 'getBlockHeight', commitment)),
  })),
  GetLatestBlockhash: unary(Geyser.method.getLatestBlockhash, async (sources, { commitment }) => {
    const [answer, height] = await Promise.all([
      ask(sources, 'getLatestBlockhash', commitment),
      ask(sources, 'getBlockHeight', commitment),
    ]);
    return {
      slot: wholeNumber(wireAt(answer, 'context', 'slot')),
      blockhash: textOf(wireAt(answer, 'value', 'blockhash')),
      lastValidBlockHeight: wholeNumber(height) + BigInt(LAST_VALID_BLOCKS),
    };
  }),
  IsBlockhashValid: unary(Geyser.method.isBlockhashValid, async (sources, { blockhash, commitment }) => {
    const answer = await ask(sources, 'isBlockhashValid', commitment, blockhash);
    return { slot: wholeNumber(wireAt(answer, 'context', 'slot')), valid: wireAt(answer, 'value') === true };
  }),
  SubscribeReplayInfo: unary(Geyser.method.subscribeReplayInfo, async ({ log }) => {
    const first = log.firstSlot;
    return first === undefined ? {} : { firstAvailable: BigInt(first) };
  }),
};

type Fields<Output extends DescMessage> = Parameters<typeof create<Output>>[1];

function unary<Input extends DescMessage, Output extends DescMessage>(
  { input, output }: { readonly input: Input; readonly output: Output },
  answer: (sources: UnarySources, request: MessageShape<Input>) => Promise<Fields<Output>>,
): Unary {
  return async (sources, bytes) => {
    const request = decodedInput(input, bytes);
    return toBinary(output, create(output, await answer(sources, request)));
  };
}

/** Decodes a message. Throws GrpcFailure for invalid bytes. */
export function decodedInput<Input extends DescMessage>(input: Input, bytes: Uint8Array): MessageShape<Input> {
  try {
    return decodeProto(input, bytes);
  } catch (error) {
    if (error instanceof TooManyValues) throw new GrpcFailure('RESOURCE_EXHAUSTED', `A message of ${error.message}`);
    throw new GrpcFailure('INVALID_ARGUMENT', `The message is not a valid ${input.typeName}`);
  }
}

async function ask(
  { engine }: UnarySources,
  method: string,
  commitment: CommitmentLevel | undefined,
  ...before: string[]
): Promise<WireJson | undefined> {
  return resultOf(engine, method, [...before, { commitment: levelOf(commitment) }]);
}

async function resultOf(engine: RpcEngine, method: string, params?: JsonValue): Promise<WireJson | undefined> {
  const outcome = await engine.call(method, params, { staked: false });
  if (outcome.ok) return outcome.result;
  const code = outcome.error.code === INVALID_PARAMS ? 'INVALID_ARGUMENT' : 'INTERNAL';
  throw new GrpcFailure(code, outcome.error.message);
}

function wholeNumber(value: WireJson | undefined): bigint {
  if (typeof value === 'bigint' || typeof value === 'number') return BigInt(value);
  throw new Error('The ledger answered no whole number');
}

function textOf(value: WireJson | undefined): string {
  if (typeof value === 'string') return value;
  throw new Error('The ledger answered no text');
}
