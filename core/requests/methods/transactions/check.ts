// Finds in the value of `$transaction` what cannot be built: by the table of its members, then what the members mean
// together, and the calls of programs against their IDLs. The same for the editor and for a run.
import { checkField } from '../checkValue';
import { Reporter } from '../reporter';
import {
  isJsonArray,
  isJsonObject,
  JsonNumber,
  member,
  type JsonObject,
  type JsonValue,
} from '../../../solana/json/json';
import { writtenBytes } from '../../../solana/json/writtenBytes';
import { isPublicKey } from '../../../solana/chain/keys';
import type { Programs } from '../../../solana/decode/decoded';
import { NAMED_INSTRUCTIONS, PROGRAM_FIELDS, TRANSACTION_BODY, TRANSACTION_KEY } from '../records/transactionBody';
import { programNamed, resolveCall } from './idlCall';
import type { InstructionWorld, TransactionFault, TransactionPath } from './model';

/** Names the wallet of the endpoint. */
const OWN_WALLET = '$wallet';

/** The object that is a transaction to be built; undefined for any other value. */
export function writtenTransaction(value: JsonValue | undefined): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, TRANSACTION_KEY) ? value[TRANSACTION_KEY] : undefined;
}

/** Every fault that can be seen before anything is asked of a node, each once. */
export function transactionFaults(transaction: JsonValue, world: InstructionWorld): readonly TransactionFault[] {
  const shape = shapeFaults(transaction, world);
  const places = shape.map(({ path }) => path);
  return [...shape, ...meaningFaults(transaction, world, places)];
}

/** Checks the members against each other. `shape`: places with faults in their shape, which are not checked further. */
export function meaningFaults(
  transaction: JsonValue,
  world: CheckedAgainst,
  shape: readonly TransactionPath[],
): readonly TransactionFault[] {
  return faultsIn(transaction, world).filter(({ path }) => shape.every((one) => !overlaps(one, path)));
}

/** Without IDLs the calls of programs are not judged. */
type CheckedAgainst = Omit<InstructionWorld, 'programs'> & { readonly programs: Programs | undefined };

/** By the table of members alone. */
export function shapeFaults(
  transaction: JsonValue,
  { isUnknown }: Pick<InstructionWorld, 'isUnknown'>,
): TransactionFault[] {
  const report = new Reporter({ isUnknown });
  const [field] = TRANSACTION_BODY.fields;
  if (field !== undefined) checkField(report, field, transaction, { parent: undefined, step: TRANSACTION_KEY });
  return report.problems.map(({ code, path, target, message }) => ({
    code,
    path: path.slice(1),
    target: target === 'key' ? 'key' : 'value',
    message,
  }));
}

const overlaps = (a: TransactionPath, b: TransactionPath): boolean =>
  a.length <= b.length ? a.every((step, at) => b[at] === step) : b.length > 2 && b.every((step, at) => a[at] === step);

function faultsIn(transaction: JsonValue, world: CheckedAgainst): TransactionFault[] {
  const faults: TransactionFault[] = [];
  const version = member(transaction, 'version') ?? 0;
  if (member(transaction, 'lookupTables') !== undefined && version !== 0 && !world.isUnknown(version))
    faults.push(fault('conflicting-fields', ['lookupTables'], 'Only version 0 reads lookup tables.', 'key'));
  const fee = member(transaction, 'priorityFee');
  if (isJsonObject(fee) && Object.keys(fee).length === 0)
    faults.push(fault('missing-field', ['priorityFee'], 'Say "lamports" or "microLamports".'));
  for (const { name, path } of walletsNamed(transaction))
    if (name !== undefined && !world.isUnknown(name) && (isPublicKey(name) || /[/\\]|\.json$/.test(name)))
      faults.push(fault('wrong-type', path, NOT_A_NAME));
  const instructions = member(transaction, 'instructions');
  for (const [index, one] of (isJsonArray(instructions) ? instructions : []).entries()) {
    if (!isJsonObject(one)) continue;
    for (const found of instructionFaults(one, world))
      faults.push({ ...found, path: ['instructions', index, ...found.path] });
  }
  return faults;
}

const NOT_A_NAME =
  'A wallet goes by its name, neither by address nor by file: you name its keypair file in your own configuration.';

export interface NamedWallet {
  /** Undefined: the endpoint's own. */
  readonly name: string | undefined;
  readonly path: TransactionPath;
}

/** The wallets that a transaction names to pay and to sign, in order: the fee payer first. */
export function walletsNamed(transaction: JsonValue): readonly NamedWallet[] {
  const payer = member(transaction, 'feePayer');
  const signers = member(transaction, 'signers');
  return [
    ...walletAt(payer, ['feePayer']),
    ...(isJsonArray(signers) ? signers : []).flatMap((signer, index) => walletAt(signer, ['signers', index])),
  ];
}

const walletAt = (name: JsonValue | undefined, path: TransactionPath): readonly NamedWallet[] =>
  typeof name === 'string' ? [{ name: name === OWN_WALLET ? undefined : name, path }] : [];

const fault = (
  code: TransactionFault['code'],
  path: TransactionPath,
  message: string,
  target: TransactionFault['target'] = 'value',
): TransactionFault => ({ code, path, target, message });

const NAMES = NAMED_INSTRUCTIONS.map(({ name }) => name);
const OF_PROGRAMS = PROGRAM_FIELDS.map(({ name }) => name);

/** An instruction of one kind, and what that kind needs. */
function instructionFaults(one: JsonObject, world: CheckedAgainst): readonly TransactionFault[] {
  const keys = Object.keys(one);
  if (keys.some((key) => world.isUnknown(key))) return [];
  const named = keys.filter((key) => NAMES.includes(key));
  const [first, second] = named;
  if (second !== undefined)
    return [
      fault('conflicting-fields', [second], `An instruction does one thing: ${first ?? ''} is there already.`, 'key'),
    ];
  const ofProgram = keys.find((key) => OF_PROGRAMS.includes(key));
  if (first !== undefined && ofProgram !== undefined)
    return [fault('conflicting-fields', [ofProgram], `"${ofProgram}" is not part of "${first}".`, 'key')];
  if (first === 'transferToken') return tokenFaults(member(one, first), world);
  if (first !== undefined) return [];
  if (ofProgram === undefined)
    return keys.some((key) => !OF_PROGRAMS.includes(key) && !NAMES.includes(key))
      ? []
      : [fault('missing-field', [], `An instruction is ${NAMES.join(', ')}, or has a "program".`)];
  if (!keys.includes('program')) return [fault('missing-field', [], 'The "program" of the instruction is missing.')];
  return keys.includes('instruction') ? idlFaults(one, world) : rawFaults(one, world);
}

function tokenFaults(given: JsonValue | undefined, { isUnknown }: CheckedAgainst): readonly TransactionFault[] {
  const amount = member(given, 'amount');
  if (amount === undefined && member(given, 'rawAmount') === undefined)
    return [fault('missing-field', ['transferToken'], 'Say the "amount" in whole tokens, or the "rawAmount".')];
  return amount === undefined || isUnknown(amount) || /^\d{1,20}(?:\.\d+)?$/.test(writtenAmount(amount))
    ? []
    : [fault('wrong-type', ['transferToken', 'amount'], 'An amount is digits with a point, such as "12.50".')];
}

/** An amount as it is written; empty for any other value. */
export function writtenAmount(value: JsonValue | undefined): string {
  if (value instanceof JsonNumber) return value.text;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function idlFaults(call: JsonObject, { programs, ...world }: CheckedAgainst): readonly TransactionFault[] {
  if (Object.hasOwn(call, 'data'))
    return [fault('conflicting-fields', ['data'], 'The arguments make the data: leave one of them out.', 'key')];
  return programs === undefined ? [] : resolveCall(call, { ...world, programs }).faults;
}

function rawFaults(call: JsonObject, { programs, isUnknown }: CheckedAgainst): readonly TransactionFault[] {
  const program = member(call, 'program');
  const data = member(call, 'data');
  if (data === undefined)
    return [fault('missing-field', [], 'Name the "instruction" of the IDL, or give the "data" of a raw one.')];
  const faults: TransactionFault[] = [];
  if (
    typeof program === 'string' &&
    !isUnknown(program) &&
    !isPublicKey(program) &&
    programs !== undefined &&
    programNamed(programs, program) === undefined
  )
    faults.push(
      fault('enum-value', ['program'], 'This is neither an address nor the name of an IDL of the workspace.'),
    );
  if (!isUnknown(data) && writtenBytes(data) === undefined)
    faults.push(
      fault(
        'wrong-type',
        ['data'],
        'Bytes are an array of byte values, or text such as "hex:0102", "base58:…", "base64:…", "text:…".',
      ),
    );
  const accounts = member(call, 'accounts');
  if (isJsonObject(accounts))
    faults.push(
      fault('wrong-type', ['accounts'], 'Without "instruction" the accounts are a list in the order of the program.'),
    );
  for (const name of ['args', 'remainingAccounts'])
    if (Object.hasOwn(call, name))
      faults.push(fault('conflicting-fields', [name], `"${name}" goes with the "instruction" of an IDL.`, 'key'));
  return faults;
}
