// One instruction in words: by the tables of well-known programs, then by the program's IDL. Never throws.
import { addressName } from '../../chain/addresses';
import { fieldsValue, MAX_ITEMS, NO_VALUE, pubkeyOf, readRows } from '../layout';
import { ByteReader } from '../../encoding/bytes';
import type { DecodedField, DecodedInstruction, DecodedValue, InstructionAccount, Programs } from '../decoded';
import { decodeArguments, recordOf } from '../idl/decode';
import type { IdlInstruction } from '../idl/model';
import { fieldsFromJson } from './json';
import { eventOf } from './logs';
import type { PartAccount, PartInstruction } from './parts';
import { PROGRAM_SHAPES } from '../../layouts/programs';
import { BATCH, type InstructionShape } from '../../layouts/shape';

/** Data prefix of the self-call with which an Anchor program records an event. */
const EVENT_TAG = Uint8Array.of(0xe4, 0x45, 0xa5, 0x2e, 0x51, 0xcb, 0x9a, 0x1d);

interface Reading {
  readonly name?: string;
  readonly fields: readonly DecodedField[];
  readonly roles: readonly string[];
  /** As in DecodedInstruction. */
  readonly unread?: string;
}

/** An instruction's name, from its first bytes only; `undefined` if neither a table nor an IDL has it. */
export function instructionName(program: string, data: Uint8Array, known: Programs): string | undefined {
  return knownShape(program, new ByteReader(data))?.name ?? readWithIdl(program, { data, accounts: [] }, known)?.name;
}

/** `inner` is left empty: who builds the tree fills it. */
export function decodeInstruction(
  instruction: PartInstruction,
  accounts: readonly PartAccount[],
  path: readonly number[],
  known: Programs,
): Omit<DecodedInstruction, 'inner'> {
  if (instruction.kind === 'parsed') {
    const fields = fieldsFromJson(instruction.info);
    return {
      path,
      ...programOf(instruction.program),
      ...(instruction.name === undefined ? {} : { name: instruction.name }),
      fields,
      accounts: [],
    };
  }
  const program = accounts[instruction.program]?.address ?? '?';
  const named = instruction.accounts.map((index) => accounts[index]);
  const { name, fields, roles, unread }: Reading =
    readKnown(program, instruction.data, named) ?? readWithIdl(program, instruction, known) ?? UNKNOWN;
  return {
    path,
    ...programOf(program, known),
    ...(name === undefined ? {} : { name }),
    fields,
    accounts: withRoles(named, roles),
    data: instruction.data,
    ...(unread === undefined ? {} : { unread }),
  };
}

const UNKNOWN: Reading = { fields: [], roles: [] };

function programOf(program: string, known?: Programs): Pick<DecodedInstruction, 'program' | 'programName'> {
  const name = addressName(program) ?? known?.idl(program)?.name;
  return { program, ...(name === undefined ? {} : { programName: name }) };
}

const REPEATED = '…';

/** Roles only one account can have. Newer programs need no sysvars, and newer clients leave them out of the list. */
const FIXED_ROLES: ReadonlyMap<string, string> = new Map([
  ['clockSysvar', 'SysvarC1ock11111111111111111111111111111111'],
  ['rentSysvar', 'SysvarRent111111111111111111111111111111111'],
  ['stakeHistorySysvar', 'SysvarStakeHistory1111111111111111111111111'],
  ['slotHashesSysvar', 'SysvarS1otHashes111111111111111111111111111'],
  ['recentBlockhashesSysvar', 'SysvarRecentB1ockHashes11111111111111111111'],
  ['stakeConfigAccount', 'StakeConfig11111111111111111111111111111111'],
]);

/** Gives each account its role; a role for another account than the one at its index is skipped. */
function withRoles(
  accounts: readonly (PartAccount | undefined)[],
  roles: readonly string[],
): readonly InstructionAccount[] {
  let next = 0;
  return accounts.map((account) => {
    while (isAnother(roles[next], account?.address)) next++;
    const role = roles[next];
    const isRepeated = role?.endsWith(REPEATED) === true;
    if (!isRepeated) next++;
    return {
      ...(role === undefined ? {} : { role: isRepeated ? role.slice(0, -REPEATED.length) : role }),
      address: account?.address,
      isSigner: account?.isSigner ?? false,
      isWritable: account?.isWritable ?? false,
    };
  });
}

function isAnother(role: string | undefined, address: string | undefined): boolean {
  const only = role === undefined ? undefined : FIXED_ROLES.get(role);
  return only !== undefined && address !== undefined && only !== address;
}

function readKnown(
  program: string,
  data: Uint8Array,
  accounts: readonly (PartAccount | undefined)[],
): Reading | undefined {
  const reader = new ByteReader(data);
  const shape = knownShape(program, reader);
  if (shape === BATCH) return readBatch(program, reader, accounts);
  return shape === undefined ? undefined : readShape(shape, reader);
}

/** The instruction of these bytes, by its program's table; leaves the reader after the discriminator. */
function knownShape(program: string, reader: ByteReader): InstructionShape | undefined {
  const shapes = PROGRAM_SHAPES.get(program);
  if (shapes === undefined) return undefined;
  if (shapes.kind === 'single') return shapes.shape;
  // Early clients create token accounts without any data: the first instruction of that program.
  const isEmpty = reader.left === 0 && shapes.width === 1;
  const number = isEmpty ? 0 : shapes.width === 1 ? reader.u8() : reader.u32();
  const shape = reader.failed ? undefined : shapes.shapes[number];
  const inner = shape?.inner?.[reader.bytes[reader.at] ?? -1];
  if (inner !== undefined) reader.u8();
  return inner ?? shape;
}

/** Each part takes the accounts that are next. Parts that do not fit the data and the accounts are not read at all. */
function readBatch(program: string, reader: ByteReader, accounts: readonly (PartAccount | undefined)[]): Reading {
  const items: DecodedValue[] = [];
  let [taken, more] = [0, 0];
  while (reader.left > 0) {
    const from = taken;
    taken += reader.u8();
    const data = reader.take(reader.u8());
    if (reader.failed || taken > accounts.length)
      return { name: BATCH.name, fields: [], roles: [], unread: 'its parts do not fit its data and its accounts' };
    if (items.length === MAX_ITEMS) more++;
    else items.push(readPart(program, data, accounts.slice(from, taken)));
  }
  const value: DecodedValue = { kind: 'list', items, ...(more > 0 && { more }) };
  return { name: BATCH.name, fields: [{ name: 'instructions', value }], roles: [] };
}

/** One instruction of a batch, its accounts among its fields. A batch within a batch is not run, and not read. */
function readPart(program: string, data: Uint8Array, given: readonly (PartAccount | undefined)[]): DecodedValue {
  const reader = new ByteReader(data);
  const shape = data.length === 0 ? undefined : knownShape(program, reader);
  const reading = shape === undefined || shape === BATCH ? undefined : readShape(shape, reader);
  const accounts = withRoles(given, reading?.roles ?? []).map(({ role, address }, at): DecodedField => {
    const value: DecodedValue = address === undefined ? NO_VALUE : pubkeyOf(address);
    return { name: role ?? `account ${at + 1}`, value };
  });
  const isRead = reading !== undefined && reading.unread === undefined;
  const rest: readonly DecodedField[] = isRead
    ? reading.fields
    : [{ name: 'data', value: { kind: 'bytes', bytes: data } }];
  return fieldsValue([...accounts, ...rest], reading?.name);
}

/** An instruction that is cut short keeps its name; its bytes say the rest. */
function readShape({ name, roles, rows }: InstructionShape, reader: ByteReader): Reading {
  const fields = readRows(reader, rows);
  return {
    name,
    roles,
    fields: fields ?? [],
    ...(fields === undefined && { unread: 'the data ends before its last field' }),
  };
}

function readWithIdl(
  program: string,
  { data, accounts }: Pick<Extract<PartInstruction, { kind: 'raw' }>, 'data' | 'accounts'>,
  known: Programs,
): Reading | undefined {
  const idl = known.idl(program);
  if (idl === undefined) return undefined;
  if (EVENT_TAG.every((byte, at) => data[at] === byte)) {
    const event = eventOf(data.subarray(EVENT_TAG.length), program, known);
    if (event === undefined) return { ...UNKNOWN, unread: 'no event of the IDL begins with these bytes and fits them' };
    return { name: `event ${event.name}`, fields: event.fields, roles: [] };
  }
  const instruction = recordOf(idl.instructions, data);
  if (instruction === undefined) return { ...UNKNOWN, unread: 'no instruction of the IDL begins with these bytes' };
  const { name } = instruction;
  const roles = rolesOf(instruction, accounts.length);
  const read = decodeArguments(idl, instruction, data);
  if ('fields' in read) return { name, roles, fields: read.fields };
  return { name, roles, fields: [], unread: `it does not fit the IDL: ${read.unread}` };
}

/** The roles in order. Omitted optional accounts must be all of them, otherwise it is unknown which. */
function rolesOf({ accounts, omitsOptional }: IdlInstruction, given: number): readonly string[] {
  const required = accounts.filter(({ isOptional, isRepeated }) => !isOptional && isRepeated !== true);
  const isShort = omitsOptional === true && given <= required.length;
  return (isShort ? required : accounts).map(({ name, isRepeated }) =>
    isRepeated === true ? `${name}${REPEATED}` : name,
  );
}
