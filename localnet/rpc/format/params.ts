// Reads the parameters of a call the way a node does: by position, strictly typed, unknown config fields ignored.
// Written from the service contract and from how nodes behave, on its own: nothing here is shared with the client side.
import {
  JsonNumber,
  integerOf,
  isJsonArray,
  isJsonObject,
  member,
  type JsonObject,
  type JsonValue,
} from '../../../core/solana/json/json';
import { judgeBase58 } from '../../../core/solana/chain/keys';
import { U64_MAX } from '../../ledger/accounts/addresses';
import type { Commitment } from '../../ledger/types';
import { RpcFailure, invalidParams } from '../failure';

/** The positional parameters of a call. Throws RpcFailure unless there are `least` to `most` of them. */
export function positional(params: JsonValue | undefined, least: number, most: number): readonly JsonValue[] {
  const list = params ?? [];
  if (!isJsonArray(list)) throw invalidParams('Invalid params: parameters are an array, in order.');
  if (most === 0 && list.length > 0)
    throw new RpcFailure(-32602, 'Invalid parameters: No parameters were expected', `Got ${list.length}`);
  if (list.length < least) throw invalidParams(`\`params\` should have at least ${least} argument(s)`);
  if (list.length > most)
    throw new RpcFailure(
      -32602,
      `Invalid parameters: Expected from ${least} to ${most} parameters.`,
      `Got ${list.length}`,
    );
  return list;
}

/** A config object; left out or null is an empty one. */
export function configOf(value: JsonValue | undefined): JsonObject {
  if (value === undefined || value === null) return {};
  if (!isJsonObject(value)) throw wrongParamType(value, 'a config object');
  return value;
}

export function stringOf(value: JsonValue | undefined): string {
  if (typeof value !== 'string') throw wrongParamType(value, 'a string');
  return value;
}

/** An address: base58 of exactly 32 bytes; answers the text. */
export function addressParam(value: JsonValue | undefined): string {
  fixedBytes(stringOf(value), 32, 44);
  return stringOf(value);
}

/** A signature: base58 of exactly 64 bytes; answers the text. */
export function signatureParam(value: JsonValue | undefined): string {
  fixedBytes(stringOf(value), 64, 88);
  return stringOf(value);
}

function fixedBytes(text: string, length: number, longest: number): void {
  if (text.length > longest) throw invalidParams('Invalid param: WrongSize');
  const { kind } = judgeBase58(text, length);
  if (kind === 'alphabet') throw invalidParams('Invalid param: Invalid');
  if (kind === 'length') throw invalidParams('Invalid param: WrongSize');
}

/** A list with at most `most` entries, each read by `read`. */
export function listOf<T>(value: JsonValue | undefined, most: number, read: (item: JsonValue) => T): T[] {
  if (!isJsonArray(value)) throw wrongParamType(value, 'a sequence');
  if (value.length > most) throw invalidParams(`Too many inputs provided; max ${most}`);
  return value.map(read);
}

/** Reads an integer of a type that a node names in its refusals. */
const integerIn =
  (type: string, least: bigint, most: bigint) =>
  (value: JsonValue | undefined): bigint => {
    if (typeof value !== 'number' && !(value instanceof JsonNumber)) throw wrongParamType(value, type);
    const integer = integerOf(value);
    if (integer === undefined) throw wrongParamType(value, type);
    if (integer < least || integer > most)
      throw invalidParams(`Invalid params: invalid value: integer \`${integer}\`, expected ${type}.`);
    return integer;
  };

const I64_MAX = 2n ** 63n - 1n;

export const u8Of = integerIn('u8', 0n, 255n);
export const u64Param = integerIn('u64', 0n, U64_MAX);
/** A length, an offset or a count. */
export const usizeOf = integerIn('usize', 0n, U64_MAX);
/** A length or an offset of account data: beyond the largest account all mean the same. */
export const lengthParam = (value: JsonValue | undefined): number => Math.min(Number(usizeOf(value)), 0xffffffff);
/** Unix seconds. */
export const i64Of = integerIn('i64', -I64_MAX - 1n, I64_MAX);

/** A slot or height that is only compared; here all are below 2^53. Use `u64Param` for values that an answer repeats. */
export const slotOf = (value: JsonValue | undefined): number => Number(u64Param(value));

/** A config member read by `read`; `undefined` when it is left out or null. */
export function optionalParam<T>(config: JsonObject, key: string, read: (value: JsonValue) => T): T | undefined {
  const value = member(config, key);
  return value === undefined || value === null ? undefined : read(value);
}

export function boolOf(value: JsonValue): boolean {
  if (typeof value !== 'boolean') throw wrongParamType(value, 'a boolean');
  return value;
}

/** One of the names given, spelled exactly. */
export function nameParam<T extends string>(names: readonly T[]): (value: JsonValue) => T {
  return (value) => {
    const text = stringOf(value);
    const found = names.find((name) => name === text);
    if (found !== undefined) return found;
    const list = names.map((name) => `\`${name}\``).join(', ');
    throw invalidParams(`Invalid params: unknown variant \`${text}\`, expected one of ${list}.`);
  };
}

const COMMITMENTS = ['processed', 'confirmed', 'finalized'] as const;
export const commitmentName = nameParam<Commitment>(COMMITMENTS);

/** The config's commitment, finalized when left out (the contract's default; and a node's). */
export function commitmentOf(config: JsonObject): Commitment {
  return optionalParam(config, 'commitment', commitmentName) ?? 'finalized';
}

/** Where a commitment reads what only complete blocks have, a blockhash or outcomes: the newest of them is confirmed at once. */
export const completeLevel = (commitment: Commitment): Commitment =>
  commitment === 'processed' ? 'confirmed' : commitment;

/** The commitment of a parameter that is nothing else: an object without one is refused, as on a node. */
export function bareCommitmentOf(value: JsonValue | undefined): Commitment {
  if (value === undefined || value === null) return 'finalized';
  const given = member(configOf(value), 'commitment');
  if (given === undefined) throw invalidParams('Invalid params: missing field `commitment`.');
  return commitmentName(given);
}

/** As `commitmentOf`, for calls that read confirmed blocks. */
export function confirmedCommitmentOf(config: JsonObject): Commitment {
  const commitment = commitmentOf(config);
  if (commitment === 'processed') throw invalidParams('Method does not support commitment below `confirmed`');
  return commitment;
}

/** -32602 that says what came and what was expected. */
export function wrongParamType(value: JsonValue | undefined, expected: string): RpcFailure {
  return invalidParams(`Invalid params: invalid type: ${describe(value)}, expected ${expected}.`);
}

function describe(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return 'null';
  if (value instanceof JsonNumber)
    return value.toBigInt() === undefined ? `floating point \`${value.text}\`` : `integer \`${value.text}\``;
  if (isJsonArray(value)) return 'sequence';
  if (isJsonObject(value)) return 'map';
  if (typeof value === 'number') return `integer \`${value}\``;
  return typeof value === 'string' ? `string ${JSON.stringify(value.slice(0, 80))}` : `boolean \`${String(value)}\``;
}
