// An instruction by the names of an IDL: its arguments as bytes, its accounts by name, derived where nobody names them.
// Checks and builds in one walk, so that the editor finds what a run would refuse. Pure.
import { isJsonArray, isJsonObject, member, type JsonObject, type JsonValue } from '../../../solana/json/json';
import { encodeBase58 } from '../../../solana/encoding/base58';
import type { Programs } from '../../../solana/decode/decoded';
import type { EncodingFault } from '../../../solana/decode/idl/encoder';
import type {
  Idl,
  IdlAccountRole,
  IdlAccountSource,
  IdlInstruction,
  IdlPart,
  IdlType,
} from '../../../solana/decode/idl/model';
import { nearestName, sameName, withName } from '../../../solana/decode/names';
import { ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../../solana/chain/addresses';
import { isPublicKey, keyBytes } from '../../../solana/chain/keys';
import type { AccountMeta, UncompiledInstruction } from '../../../solana/wire/messageWriter';
import type { InstructionWorld, TransactionFault, TransactionPath } from './model';

/** Accounts of old IDLs, which name no address, by the name that Anchor gives them. */
const KNOWN_ACCOUNTS: Readonly<Record<string, string>> = {
  systemprogram: SYSTEM_PROGRAM,
  tokenprogram: TOKEN_PROGRAM,
  associatedtokenprogram: ASSOCIATED_TOKEN_PROGRAM,
  rent: 'SysvarRent111111111111111111111111111111111',
  clock: 'SysvarC1ock11111111111111111111111111111111',
  instructions: 'Sysvar1nstructions1111111111111111111111111',
};

export interface KnownProgram {
  /** Base58. */
  readonly address: string;
  readonly idl: Idl;
}

/** The program of this address or name that has an IDL. */
export function programNamed(programs: Programs, name: string): KnownProgram | undefined {
  const own = programs.idl(name);
  if (own !== undefined) return { address: name, idl: own };
  const all = [...(programs.all?.() ?? [])];
  const found = all.find(([, idl]) => idl.name === name) ?? all.find(([, idl]) => sameName(idl.name, name));
  return found === undefined ? undefined : { address: found[0], idl: found[1] };
}

/** The instruction of a call, where its program and its name are known. */
export function calledInstruction(
  programs: Programs,
  call: JsonObject,
): (KnownProgram & { readonly instruction: IdlInstruction }) | undefined {
  const name = member(call, 'program');
  const program = typeof name === 'string' ? programNamed(programs, name) : undefined;
  const of = member(call, 'instruction');
  const instruction =
    typeof of === 'string' && program !== undefined ? withName(program.idl.instructions, of) : undefined;
  return program === undefined || instruction === undefined ? undefined : { ...program, instruction };
}

export interface ResolvedCall {
  readonly faults: readonly TransactionFault[];
  /** Undefined where something is wrong, or not known yet. */
  readonly instruction?: UncompiledInstruction;
}

/** `call`: of the right shape (`fields.ts`), with `instruction`. Paths begin at the call. */
export function resolveCall(call: JsonObject, world: InstructionWorld): ResolvedCall {
  return new Call(call, world).resolve();
}

/** An address, or that it is only known in a run, or that nobody says it. */
type Found = { readonly kind: 'address'; readonly address: string } | { readonly kind: 'later' } | undefined;

const LATER: Found = { kind: 'later' };
const found = (address: string | undefined): Found =>
  address === undefined ? undefined : { kind: 'address', address };

class Call {
  readonly #faults: TransactionFault[] = [];
  /** Accounts that are being worked out: one may be derived from another. */
  readonly #open = new Set<string>();

  constructor(
    private readonly call: JsonObject,
    private readonly world: InstructionWorld,
  ) {}

  resolve(): ResolvedCall {
    const program = member(this.call, 'program') ?? '';
    const name = member(this.call, 'instruction') ?? '';
    if (typeof program !== 'string' || typeof name !== 'string') return { faults: [] };
    if (this.world.isUnknown(program) || this.world.isUnknown(name)) return { faults: [] };
    const { programs, isUnknown } = this.world;
    const known = programNamed(programs, program);
    if (known === undefined || programs.encoder === undefined) return this.#noProgram(program);
    const instruction = withName(known.idl.instructions, name);
    if (instruction === undefined) return this.#noInstruction(known.idl, name);
    const args = member(this.call, 'args');
    const data = programs.encoder.instruction(known.idl, instruction, args, isUnknown);
    if (!data.ok) for (const fault of data.faults) this.#argument(fault, args !== undefined);
    const accounts = this.#accounts(known, instruction);
    const isComplete = this.#faults.length === 0 && data.ok && accounts !== undefined;
    return {
      faults: this.#faults,
      ...(isComplete && { instruction: { program: known.address, accounts, data: data.bytes } }),
    };
  }

  #noProgram(program: string): ResolvedCall {
    const names = [...(this.world.programs.all?.() ?? [])].map(([, idl]) => idl.name);
    const near = isPublicKey(program) ? undefined : nearestName(program, names);
    const message = isPublicKey(program)
      ? 'No IDL of this program is known: put one into the workspace, or give "data" in place of "instruction".'
      : `"${program.slice(0, 44)}" is neither an address nor the name of an IDL of the workspace.`;
    return this.#unknown({ code: 'enum-value', path: ['program'], target: 'value', message }, near);
  }

  #noInstruction({ name: program, instructions }: Idl, name: string): ResolvedCall {
    const near = nearestName(
      name,
      instructions.map((one) => one.name),
    );
    const message = `The IDL of ${program} has no instruction "${name.slice(0, 44)}".`;
    return this.#unknown({ code: 'enum-value', path: ['instruction'], target: 'value', message }, near);
  }

  /** A fault of a name that nothing has, with the nearest name. */
  #unknown(fault: TransactionFault, near: string | undefined): ResolvedCall {
    this.#faults.push(
      near === undefined ? fault : { ...fault, message: `${fault.message} Did you mean "${near}"?`, near },
    );
    return { faults: this.#faults };
  }

  #argument({ kind, path, message, near }: EncodingFault, isGiven: boolean): void {
    this.#faults.push({
      code: ARGUMENT_CODES[kind],
      path: isGiven ? ['args', ...path] : [],
      target: kind === 'unknown' ? 'key' : 'value',
      message: kind === 'missing' && path.length === 0 ? `An argument is missing: ${message}` : message,
      ...(near !== undefined && { near }),
    });
  }

  #accounts({ address: program, idl }: KnownProgram, instruction: IdlInstruction): readonly AccountMeta[] | undefined {
    const given = member(this.call, 'accounts');
    if (isJsonArray(given)) {
      this.#fault('wrong-type', ['accounts'], 'With "instruction" the accounts go by their names: write an object.');
      return undefined;
    }
    this.#unknownNames(given, instruction);
    const metas: AccountMeta[] = [];
    const missing: string[] = [];
    let isComplete = true;
    for (const role of instruction.accounts) {
      if (role.isRepeated === true) continue;
      const one = this.#account(role.name, { program, idl, instruction });
      if (one?.kind === 'address') metas.push(metaOf(role, one.address));
      else if (one === undefined && role.isOptional) {
        // An optional account that is not given has the program's own address.
        if (instruction.omitsOptional !== true) metas.push({ address: program, isSigner: false, isWritable: false });
      } else {
        isComplete = false;
        if (one === undefined) missing.push(role.name);
      }
    }
    const isSaid = this.#faults.some(
      ({ path, near }) => path[0] === 'accounts' && missing.some((name) => name === near),
    );
    const unsaid = isSaid ? missing.filter((name) => !this.#faults.some(({ near }) => near === name)) : missing;
    if (unsaid.length > 0 && !this.#hasUnknownKey(given)) {
      const names = unsaid.map((name) => `"${name}"`).join(', ');
      const path = given === undefined ? [] : ['accounts'];
      this.#fault(
        'missing-field',
        path,
        `${unsaid.length === 1 ? 'The account' : 'The accounts'} ${names} cannot be derived and must be named.`,
      );
    }
    const more = member(this.call, 'remainingAccounts');
    for (const one of isJsonArray(more) ? more : []) {
      const meta = metaOfValue(one);
      if (meta === undefined) isComplete = false;
      else metas.push(meta);
    }
    return isComplete ? metas : undefined;
  }

  #hasUnknownKey(given: JsonValue | undefined): boolean {
    return isJsonObject(given) && Object.keys(given).some((key) => this.world.isUnknown(key));
  }

  #unknownNames(given: JsonValue | undefined, { accounts, name }: IdlInstruction): void {
    if (!isJsonObject(given)) return;
    for (const key of Object.keys(given)) {
      if (this.world.isUnknown(key) || accounts.some((role) => sameName(role.name, key))) continue;
      const open = accounts
        .map((role) => role.name)
        .filter((one) => !Object.keys(given).some((two) => sameName(one, two)));
      const message = `${name} has no account "${key.slice(0, 44)}".`;
      this.#unknown({ code: 'unknown-field', path: ['accounts', key], target: 'key', message }, nearestName(key, open));
    }
  }

  #fault(code: TransactionFault['code'], path: TransactionPath, message: string): void {
    this.#faults.push({ code, path, target: 'value', message });
  }

  #account(name: string, place: AccountPlace): Found {
    const given = member(this.call, 'accounts');
    const key = isJsonObject(given) ? Object.keys(given).find((one) => sameName(one, name)) : undefined;
    const value = key === undefined ? undefined : member(given, key);
    if (key !== undefined && value !== undefined && value !== null) return this.#named(value, key);
    const role = withName(place.instruction.accounts, name);
    if (role === undefined || this.#open.has(role.name)) return undefined;
    if (role.address !== undefined) return found(role.address);
    this.#open.add(role.name);
    try {
      return this.#derive(role, place);
    } finally {
      this.#open.delete(role.name);
    }
  }

  #named(value: JsonValue, key: string): Found {
    if (this.world.isUnknown(value)) return LATER;
    if (value === '$wallet') return this.#wallet();
    if (typeof value === 'string' && isPublicKey(value)) return found(value);
    const said = this.#faults.some(({ path }) => path[0] === 'accounts' && path[1] === key);
    if (!said)
      this.#fault(
        typeof value === 'string' ? 'not-base58' : 'wrong-type',
        ['accounts', key],
        'Expected the public key of an account, or "$wallet".',
      );
    return LATER;
  }

  #wallet(): Found {
    return this.world.wallet === undefined ? LATER : found(this.world.wallet);
  }

  #derive(role: IdlAccountRole, place: AccountPlace): Found {
    const { source } = role;
    if (source !== undefined) {
      const one = this.#fromSource(source, place);
      if (one !== undefined) return one;
    }
    // A signer that is not named otherwise is the wallet.
    if (role.isSigner === true && !role.isOptional) return this.#wallet();
    const last = role.name
      .slice(role.name.lastIndexOf('.') + 1)
      .replace(/_/g, '')
      .toLowerCase();
    return role.isOptional ? undefined : found(Object.hasOwn(KNOWN_ACCOUNTS, last) ? KNOWN_ACCOUNTS[last] : undefined);
  }

  #fromSource(source: IdlAccountSource, place: AccountPlace): Found {
    switch (source.kind) {
      case 'wallet':
        return this.#wallet();
      case 'same':
        return this.#account(source.name, place);
      case 'derived': {
        const owner = source.program === undefined ? keyBytes(place.program) : this.#part(source.program, place);
        const seeds = source.seeds.map((seed) => this.#part(seed, place));
        if (owner === undefined || seeds.includes(undefined)) return undefined;
        const known = seeds.filter((seed) => seed instanceof Uint8Array);
        if (!(owner instanceof Uint8Array) || known.length < seeds.length) return LATER;
        const { derive } = this.world;
        return derive === undefined ? LATER : found(derive(known, encodeBase58(owner))?.address);
      }
    }
  }

  /** The bytes of a seed; `later` where only a run knows them. */
  #part(part: IdlPart, place: AccountPlace): Uint8Array | 'later' | undefined {
    switch (part.kind) {
      case 'constant':
        return part.bytes;
      case 'address':
        return keyBytes(part.address);
      case 'account': {
        const account = this.#account(part.name, place);
        if (account?.kind === 'address') return keyBytes(account.address);
        // Another account of the instruction that nobody names is missing itself.
        return account?.kind ?? (withName(place.instruction.accounts, part.name) === undefined ? undefined : 'later');
      }
      case 'argument': {
        let value = member(this.call, 'args');
        for (const step of part.path) {
          const key = isJsonObject(value) ? Object.keys(value).find((one) => sameName(one, step)) : undefined;
          value = key === undefined ? undefined : member(value, key);
          if (value !== undefined && this.world.isUnknown(value)) return 'later';
        }
        const type = typeAt(place.idl, part.type, part.path.slice(1));
        if (type === undefined) return undefined;
        if (value === undefined) return 'later';
        const written = this.world.programs.encoder?.value(place.idl, withoutPrefix(type), value);
        return written?.ok === true ? written.bytes : 'later';
      }
    }
  }
}

interface AccountPlace {
  /** Base58. */
  readonly program: string;
  readonly idl: Idl;
  readonly instruction: IdlInstruction;
}

const ARGUMENT_CODES: Readonly<Record<EncodingFault['kind'], TransactionFault['code']>> = {
  missing: 'missing-field',
  unknown: 'unknown-field',
  type: 'wrong-type',
  range: 'out-of-range',
  value: 'enum-value',
};

/** The type that a path leads to within a type. */
function typeAt(idl: Idl, type: IdlType, path: readonly string[]): IdlType | undefined {
  const body = type.kind === 'defined' ? idl.types.get(type.name)?.type : type;
  const [first, ...rest] = path;
  if (first === undefined) return type;
  const field = body?.kind === 'struct' ? withName(body.fields, first) : undefined;
  return field === undefined ? undefined : typeAt(idl, field.type, rest);
}

/** A seed has no length before its text or bytes. */
const withoutPrefix = (type: IdlType): IdlType => (type.kind === 'prefixed' ? type.of : type);

const metaOf = ({ isSigner, isWritable }: IdlAccountRole, address: string): AccountMeta => ({
  address,
  isSigner: isSigner === true,
  isWritable,
});

/** An account of a raw list: `{ "pubkey", "isSigner", "isWritable" }`. */
export function metaOfValue(value: JsonValue): AccountMeta | undefined {
  const address = member(value, 'pubkey');
  if (typeof address !== 'string' || !isPublicKey(address)) return undefined;
  return { address, isSigner: member(value, 'isSigner') === true, isWritable: member(value, 'isWritable') === true };
}
