// Builds the decoded transaction from its parts: instructions and logs as trees, balance changes, the error.
import type {
  BalanceChange,
  DecodedField,
  DecodedInstruction,
  DecodedTransaction,
  DecodedValue,
  Programs,
  TransactionAccount,
} from '../decoded';
import { failedProgram, describeFailure } from './failure';
import { decodeInstruction } from './instructions';
import { logTree } from './logs';
import type { PartInstruction, PartMeta, TransactionParts } from './parts';

/** Calls nest no deeper than this on any cluster. */
const MAX_HEIGHT = 16;

export function buildTransaction(parts: TransactionParts, known: Programs): DecodedTransaction {
  const { meta, signatures } = parts;
  const [signature] = signatures;
  const [payer] = parts.accounts;
  return {
    version: parts.version,
    ...(parts.config === undefined ? {} : { config: parts.config }),
    ...(signature === undefined ? {} : { signature }),
    signatures,
    ...(payer?.address === undefined ? {} : { feePayer: payer.address }),
    ...(parts.blockhash === undefined ? {} : { blockhash: parts.blockhash }),
    ...(parts.slot === undefined ? {} : { slot: parts.slot }),
    ...(parts.blockTime === undefined ? {} : { blockTime: parts.blockTime }),
    accounts: accountsOf(parts),
    instructions: instructionTree(parts, knowingDecimals(known, parts)),
    logs: logTree(meta?.logs ?? [], known, meta?.unreadLines),
    balances: meta === undefined ? [] : [...lamportChanges(parts, meta), ...tokenChanges(parts, meta)],
    ...(meta === undefined ? {} : outcomeOf(parts, meta, known)),
    hasRun: meta !== undefined,
    ...(meta !== undefined && meta.inner === undefined && { isInnerUnknown: true }),
  };
}

/** Amounts of tokens get the decimals of the mint, or of the token account, that the instruction names. */
function withDecimals<T extends Omit<DecodedInstruction, 'inner'>>(instruction: T, { decimals }: Programs): T {
  if (decimals === undefined) return instruction;
  const addresses = instruction.accounts.flatMap(({ address }) => address ?? []);
  return { ...instruction, fields: sized(instruction.fields, addresses, decimals) };
}

type DecimalsOf = (address: string) => number | undefined;

/** Raw amounts get the decimals of the first address that has some; those of a batch's parts, by the part's addresses. */
function sized(
  fields: readonly DecodedField[],
  addresses: readonly string[],
  decimalsOf: DecimalsOf,
): readonly DecodedField[] {
  return fields.map((field): DecodedField => {
    const { value } = field;
    if (value.kind === 'list' && value.items[0]?.kind === 'fields')
      return { ...field, value: { ...value, items: value.items.map((part) => sizedPart(part, decimalsOf)) } };
    if (value.kind !== 'integer' || value.unit?.kind !== 'tokens' || value.unit.decimals !== undefined) return field;
    const decimals = addresses.map(decimalsOf).find((found) => found !== undefined);
    return decimals === undefined ? field : { ...field, value: { ...value, unit: { kind: 'tokens', decimals } } };
  });
}

function sizedPart(part: DecodedValue, decimalsOf: DecimalsOf): DecodedValue {
  if (part.kind !== 'fields') return part;
  const addresses = part.fields.flatMap(({ value }) => (value.kind === 'pubkey' ? value.address : []));
  return { ...part, fields: sized(part.fields, addresses, decimalsOf) };
}

/** The transaction itself says the decimals of the mints and of the token accounts whose balances it touched. */
function knowingDecimals(known: Programs, { accounts, meta }: TransactionParts): Programs {
  const held = [...(meta?.tokensBefore ?? []), ...(meta?.tokensAfter ?? [])];
  if (held.length === 0) return known;
  const byAddress = new Map(
    held.flatMap(({ account, mint, decimals }) =>
      [mint, accounts[account]?.address].map((address) => [address, decimals] as const),
    ),
  );
  return { ...known, decimals: (address) => byAddress.get(address) ?? known.decimals?.(address) };
}

function accountsOf({ accounts, meta }: TransactionParts): readonly TransactionAccount[] {
  return accounts.map((account, index) => {
    const before = meta?.before[index];
    const after = meta?.after[index];
    return {
      ...account,
      isFeePayer: index === 0,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    };
  });
}

function instructionTree(parts: TransactionParts, known: Programs): readonly DecodedInstruction[] {
  const inner = new Map<number, PartInstruction[]>();
  for (const { index, instructions } of parts.meta?.inner ?? []) {
    inner.set(index, [...(inner.get(index) ?? []), ...instructions]);
  }
  return parts.instructions.map((instruction, index) => {
    const calls = { list: inner.get(index) ?? [], next: 0, accounts: parts.accounts, known };
    return {
      ...withDecimals(decodeInstruction(instruction, parts.accounts, [index], known), known),
      inner: callTree(calls, [index], 2),
    };
  });
}

/** The calls of one instruction, in the order in which they were made, as they are read into a tree. */
interface CallList {
  readonly list: readonly PartInstruction[];
  /** Index of the first call that is not read yet. */
  next: number;
  readonly accounts: TransactionParts['accounts'];
  readonly known: Programs;
}

/** Reads the calls at `height` and those below them; a node that gives no heights yields one flat list. */
function callTree(calls: CallList, path: readonly number[], height: number): readonly DecodedInstruction[] {
  const found: DecodedInstruction[] = [];
  for (;;) {
    const call = calls.list[calls.next];
    if (call === undefined || (call.height ?? height) < height) return found;
    calls.next++;
    const place = [...path, found.length];
    const below = height < MAX_HEIGHT ? calls.list[calls.next]?.height : undefined;
    found.push({
      ...withDecimals(decodeInstruction(call, calls.accounts, place, calls.known), calls.known),
      inner: below !== undefined && below > height ? callTree(calls, place, height + 1) : [],
    });
  }
}

function lamportChanges({ accounts }: TransactionParts, { before, after }: PartMeta): readonly BalanceChange[] {
  return accounts.flatMap(({ address }, index): BalanceChange[] => {
    const was = before[index];
    const is = after[index];
    if (address === undefined || was === undefined || is === undefined || was === is) return [];
    return [{ kind: 'lamports', account: address, before: was, after: is }];
  });
}

/** An account that is on one side only was made or closed: the other side is nothing. */
function tokenChanges(
  { accounts }: TransactionParts,
  { tokensBefore, tokensAfter }: PartMeta,
): readonly BalanceChange[] {
  if (tokensBefore === undefined || tokensAfter === undefined) return [];
  const before = new Map(tokensBefore.map((holding) => [`${holding.account} ${holding.mint}`, holding]));
  const after = new Map(tokensAfter.map((holding) => [`${holding.account} ${holding.mint}`, holding]));
  const places = new Set([...before.keys(), ...after.keys()]);
  return [...places].flatMap((place): BalanceChange[] => {
    const was = before.get(place);
    const is = after.get(place);
    const holding = is ?? was;
    const address = holding === undefined ? undefined : accounts[holding.account]?.address;
    if (holding === undefined || address === undefined) return [];
    const { mint, decimals, owner } = holding;
    const formerOwner = is?.owner === undefined || is.owner === was?.owner ? undefined : was?.owner;
    if (was?.amount === is?.amount && formerOwner === undefined) return [];
    return [
      {
        kind: 'tokens',
        account: address,
        ...(owner === undefined ? {} : { owner }),
        ...(formerOwner === undefined ? {} : { formerOwner }),
        mint,
        decimals,
        before: was?.amount ?? 0n,
        after: is?.amount ?? 0n,
      },
    ];
  });
}

function outcomeOf(
  parts: TransactionParts,
  { error, fee, computeUnits, returnData, logs }: PartMeta,
  known: Programs,
): Pick<DecodedTransaction, 'error' | 'fee' | 'computeUnits' | 'returnData'> {
  return {
    ...(error && { error: describeFailure(error, failedProgram(logs, programAt(parts, error.instruction)), known) }),
    ...(fee === undefined ? {} : { fee }),
    ...(computeUnits === undefined ? {} : { computeUnits }),
    ...(returnData === undefined ? {} : { returnData }),
  };
}

/** The program of an outer instruction. */
function programAt(parts: TransactionParts, instruction: number | undefined): string | undefined {
  const outer = instruction === undefined ? undefined : parts.instructions[instruction];
  if (outer === undefined) return undefined;
  return outer.kind === 'parsed' ? outer.program : parts.accounts[outer.program]?.address;
}
