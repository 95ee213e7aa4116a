// Default sources of an instruction's accounts as IDL files define them, in one form for Anchor and Codama. Never throws;
// an account with an unknown source has to be named.
import { known } from '../../common/known';
import { isJsonArray, isJsonObject, member, type JsonValue } from '../../json/json';
import { isPublicKey } from '../../chain/keys';
import type { IdlAccountSource, IdlField, IdlPart, IdlType } from './model';
import { textAt } from './problems';

/** Seeds of one address (Solana, MAX_SEEDS). */
const MAX_SEEDS = 16;

/** `pda` of an account in an Anchor IDL since 0.30: seeds of constants, arguments and accounts. */
export function anchorSource(account: JsonValue, args: readonly IdlField[]): IdlAccountSource | undefined {
  const pda = member(account, 'pda');
  const given = member(pda, 'seeds');
  if (!isJsonArray(given) || given.length >= MAX_SEEDS) return undefined;
  const seeds = given.map((seed) => anchorPart(seed, args));
  const program = member(pda, 'program');
  const owner = isJsonObject(program) ? anchorPart(program, args) : undefined;
  if (program !== undefined && program !== null && owner === undefined) return undefined;
  return derivedFrom(seeds, owner);
}

/** Undefined where one of the seeds is not known. */
function derivedFrom(
  parts: readonly (IdlPart | undefined)[],
  program: IdlPart | undefined,
): IdlAccountSource | undefined {
  const seeds = parts.filter((part) => part !== undefined);
  return seeds.length < parts.length ? undefined : known({ kind: 'derived', seeds, program });
}

function anchorPart(seed: JsonValue, args: readonly IdlField[]): IdlPart | undefined {
  const path = textAt(seed, 'path') ?? '';
  switch (textAt(seed, 'kind')) {
    case 'const': {
      const bytes = member(seed, 'value');
      return isJsonArray(bytes) && bytes.length <= 32 && bytes.every((one) => typeof one === 'number')
        ? { kind: 'constant', bytes: Uint8Array.from(bytes) }
        : undefined;
    }
    case 'arg': {
      const [first = '', ...rest] = path.split('.');
      const arg = args.find(({ name }) => name === first);
      return arg === undefined ? undefined : { kind: 'argument', path: [first, ...rest], type: arg.type };
    }
    // A path continues into the account's data, which was not read.
    case 'account':
      return path === '' || path.includes('.') ? undefined : { kind: 'account', name: path };
    default:
      return undefined;
  }
}

/** The program around an account, as known to the reader of a Codama document. */
export interface CodamaContext {
  /** The `pdaNode`s of the program. */
  readonly pdas: readonly JsonValue[];
  readonly address: string | undefined;
  readonly args: readonly IdlField[];
  readonly type: (node: JsonValue | undefined) => IdlType;
  readonly encoded: (type: IdlType, value: JsonValue | undefined) => Uint8Array | undefined;
}

/** The default value of an account in a Codama document. */
export function codamaSource(value: JsonValue | undefined, context: CodamaContext): IdlAccountSource | undefined {
  switch (textAt(value, 'kind')) {
    case 'identityValueNode':
    case 'payerValueNode':
      return { kind: 'wallet' };
    case 'accountValueNode': {
      const name = textAt(value, 'name');
      return name === undefined ? undefined : { kind: 'same', name };
    }
    case 'pdaValueNode':
      return derived(value, context);
    default:
      return undefined;
  }
}

function derived(value: JsonValue | undefined, context: CodamaContext): IdlAccountSource | undefined {
  const named = member(value, 'pda');
  const pda =
    textAt(named, 'kind') === 'pdaNode'
      ? named
      : context.pdas.find((one) => textAt(one, 'name') === textAt(named, 'name'));
  const nodes = member(pda, 'seeds');
  if (pda === undefined || !isJsonArray(nodes) || nodes.length >= MAX_SEEDS) return undefined;
  const values = member(value, 'seeds');
  const given = isJsonArray(values) ? values : [];
  const program = textAt(pda, 'programId') ?? context.address;
  return derivedFrom(
    nodes.map((node) => codamaPart(node, given, context)),
    program === undefined || !isPublicKey(program) ? undefined : { kind: 'address', address: program },
  );
}

function codamaPart(seed: JsonValue, given: readonly JsonValue[], context: CodamaContext): IdlPart | undefined {
  const type = context.type(member(seed, 'type'));
  if (textAt(seed, 'kind') === 'constantPdaSeedNode') {
    const value = member(seed, 'value');
    if (textAt(value, 'kind') === 'programIdValueNode')
      return context.address === undefined ? undefined : { kind: 'address', address: context.address };
    const bytes = context.encoded(type, value);
    return bytes === undefined ? undefined : { kind: 'constant', bytes };
  }
  const name = textAt(seed, 'name');
  const value = member(
    given.find((one) => textAt(one, 'name') === name),
    'value',
  );
  const of = textAt(value, 'name');
  switch (textAt(value, 'kind')) {
    case 'accountValueNode':
      return of === undefined ? undefined : { kind: 'account', name: of };
    case 'argumentValueNode': {
      const arg = context.args.find((one) => one.name === of);
      return of === undefined || arg === undefined ? undefined : { kind: 'argument', path: [of], type };
    }
    case 'publicKeyValueNode': {
      const address = textAt(value, 'publicKey');
      return address === undefined || !isPublicKey(address) ? undefined : { kind: 'address', address };
    }
    default: {
      const bytes = value === undefined ? undefined : context.encoded(type, value);
      return bytes === undefined ? undefined : { kind: 'constant', bytes };
    }
  }
}
