// POST /local/rpc: the ledger's cheat codes as JSON-RPC, each with one object as its params. Reads the params exactly and
// refuses members it does not know.
import {
  integerOf,
  isJsonArray,
  isJsonObject,
  member,
  type JsonObject,
  type JsonValue,
} from '../../core/solana/json/json';
import { keyBytes } from '../../core/solana/chain/keys';
import type { RpcOutcome, WireJson } from '../api';
import { restError, type HttpReply } from '../http/answer';
import { envelopeOf, errorReply, outcomeBody } from '../http/envelope';
import { TOKEN_PROGRAM, TOKEN_PROGRAMS } from '../ledger/accounts/addresses';
import { LedgerInputError, type AccountPatch, type Cheats } from '../node/open';
import { strictBase64 } from '../rpc/format/filters';
import { addressOf } from './fork';

const U64_MAX = 2n ** 64n - 1n;
/** Transfers per second that the service makes for streams to show. */
const MAX_TRAFFIC = 1_000;

/** A mistake in the params; the message is for people. */
class BadParams extends Error {}

/** One cheat code: the members it takes, and what it does. */
interface Cheat {
  readonly takes: readonly string[];
  /** The result; `true` if there is nothing to report. */
  run(cheats: Cheats, params: JsonObject): WireJson | void;
}

const CHEATS: ReadonlyMap<string, Cheat> = new Map(
  Object.entries<Cheat>({
    fund: {
      takes: ['address', 'lamports'],
      run: (cheats, params) => cheats.fund(text(params, 'address'), integer(params, 'lamports')),
    },
    setAccount: {
      takes: ['address', 'lamports', 'owner', 'data', 'executable', 'rentEpoch'],
      run: (cheats, params) => cheats.setAccount(text(params, 'address'), accountPatch(params)),
    },
    setTokenAccount: { takes: ['address', 'mint', 'owner', 'amount', 'program', 'state'], run: setTokenAccount },
    loadProgram: {
      takes: ['address', 'elf'],
      run: (cheats, params) => cheats.loadProgram(text(params, 'address'), base64(params, 'elf')),
    },
    timeTravel: {
      takes: ['slot', 'epoch', 'timestamp'],
      run: (cheats, params) =>
        cheats.timeTravel({
          ...optional(params, 'slot'),
          ...optional(params, 'epoch'),
          ...optional(params, 'timestamp'),
        }),
    },
    pauseClock: { takes: [], run: (cheats) => cheats.pauseClock() },
    resumeClock: { takes: [], run: (cheats) => cheats.resumeClock() },
    nextSlot: { takes: ['count'], run: (cheats, params) => cheats.nextSlot(optional(params, 'count').count ?? 1) },
    finalize: { takes: [], run: (cheats) => cheats.finalize() },
    profile: {
      takes: ['signature'],
      run: (cheats, params) =>
        cheats.profile(text(params, 'signature')).map(({ units = null, ...rest }) => ({ ...rest, units })),
    },
    snapshot: {
      takes: ['name'],
      run: (cheats, params) => cheats.snapshot(member(params, 'name') === undefined ? undefined : text(params, 'name')),
    },
    snapshots: { takes: [], run: (cheats) => cheats.snapshots() },
    restore: { takes: ['name'], run: (cheats, params) => cheats.restore(text(params, 'name')) },
    reset: { takes: [], run: (cheats) => cheats.reset() },
    traffic: {
      takes: ['perSecond'],
      run: (cheats, params) => {
        const perSecond = Number(integer(params, 'perSecond'));
        if (perSecond > MAX_TRAFFIC) throw new BadParams(`"perSecond" must be 0 to ${MAX_TRAFFIC}`);
        cheats.traffic(perSecond);
      },
    },
  }),
);

/** The accounts that a call may read or change. */
export function accountsOfCall(body: JsonValue | undefined): readonly string[] {
  const params = member(body, 'params');
  return ['address', 'mint'].flatMap((name) => addressOf(member(params, name)) ?? []);
}

export const CHEAT_NAMES: readonly string[] = [...CHEATS.keys()];

/** Answers one JSON-RPC request; batches are not taken here. */
export function answerCheat(cheats: Cheats, body: JsonValue | undefined): HttpReply {
  if (body === undefined) return restError(400, 'The body must be a JSON-RPC request');
  const envelope = envelopeOf(body);
  if (envelope.kind === 'invalid') return { status: 200, body: errorReply(envelope.id, envelope.error) };
  return {
    status: 200,
    body: outcomeBody(envelope.id ?? 'null', runCheat(cheats, envelope.method, envelope.params)),
  };
}

function runCheat(cheats: Cheats, name: string, given: JsonValue | undefined): RpcOutcome {
  const cheat = CHEATS.get(name);
  if (cheat === undefined) {
    const message = `There is no cheat code of this name; there are ${CHEAT_NAMES.join(', ')}`;
    return { ok: false, error: { code: -32601, message } };
  }
  // By name, or by name as the first positional parameter.
  const params = isJsonArray(given) ? (given[0] ?? {}) : (given ?? {});
  try {
    if (!isJsonObject(params)) throw new BadParams('The params must be an object');
    const unknown = Object.keys(params).find((key) => !cheat.takes.includes(key));
    if (unknown !== undefined)
      throw new BadParams(`"${unknown}" is unknown; "${name}" takes ${cheat.takes.join(', ')}`);
    return { ok: true, result: cheat.run(cheats, params) ?? true };
  } catch (error) {
    if (!(error instanceof BadParams) && !(error instanceof LedgerInputError)) throw error;
    return { ok: false, error: { code: -32602, message: error.message } };
  }
}

/** By their numbers. */
const TOKEN_STATES: readonly string[] = ['uninitialized', 'initialized', 'frozen'];

/** In SPL Token's layout: no delegate, not native, no close authority. */
function setTokenAccount(cheats: Cheats, params: JsonObject): void {
  const program = member(params, 'program') === undefined ? TOKEN_PROGRAM : text(params, 'program');
  if (!TOKEN_PROGRAMS.has(program)) throw new BadParams('"program" must be a token program');
  const state = TOKEN_STATES.indexOf(member(params, 'state') === undefined ? 'initialized' : text(params, 'state'));
  if (state < 0) throw new BadParams('"state" must be uninitialized, initialized or frozen');
  const data = Buffer.alloc(165);
  data.set(address(params, 'mint'), 0);
  data.set(address(params, 'owner'), 32);
  data.writeBigUInt64LE(integer(params, 'amount'), 64);
  data.writeUInt8(state, 108);
  const account = { lamports: cheats.rent(data.length), owner: program, data: new Uint8Array(data) };
  cheats.setAccount(text(params, 'address'), account);
}

function accountPatch(params: JsonObject): AccountPatch {
  const executable = member(params, 'executable');
  if (executable !== undefined && typeof executable !== 'boolean')
    throw new BadParams('"executable" must be a boolean');
  const has = (name: string): boolean => member(params, name) !== undefined;
  return {
    ...(has('lamports') ? { lamports: integer(params, 'lamports') } : {}),
    ...(has('owner') ? { owner: text(params, 'owner') } : {}),
    ...(has('data') ? { data: base64(params, 'data') } : {}),
    ...(executable === undefined ? {} : { executable }),
    ...(has('rentEpoch') ? { rentEpoch: integer(params, 'rentEpoch') } : {}),
  };
}

function text(params: JsonObject, name: string): string {
  const value = member(params, name);
  if (typeof value !== 'string') throw new BadParams(`"${name}" must be a string`);
  return value;
}

function address(params: JsonObject, name: string): Uint8Array {
  const bytes = keyBytes(text(params, name));
  if (bytes === undefined) throw new BadParams(`"${name}" must be an address`);
  return bytes;
}

function integer(params: JsonObject, name: string): bigint {
  const value = integerOf(member(params, name));
  if (value === undefined || value < 0n || value > U64_MAX)
    throw new BadParams(`"${name}" must be an integer of 64 bits`);
  return value;
}

/** `{[name]: number}`, or nothing when it was left out. */
function optional<Name extends string>(params: JsonObject, name: Name): { readonly [key in Name]?: number } {
  if (member(params, name) === undefined) return {};
  const value = Number(integer(params, name));
  if (!Number.isSafeInteger(value)) throw new BadParams(`"${name}" is too large`);
  return { [name]: value } as { readonly [key in Name]?: number };
}

function base64(params: JsonObject, name: string): Uint8Array {
  const bytes = strictBase64(text(params, name));
  if (bytes === undefined) throw new BadParams(`"${name}" must be base64`);
  return bytes;
}
