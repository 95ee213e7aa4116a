// Compiles the value of `$transaction` into the message that its wallets sign. Pure: addresses of wallets, blockhash, mints,
// lookup tables and the simulated limit are handed in.
import { addressWithSeed, programAddress } from '../../solana/chain/programAddress';
import { integerOf, isJsonArray, isJsonObject, member, type JsonObject, type JsonValue } from '../../solana/json/json';
import { writtenBytes } from '../../solana/json/writtenBytes';
import { isPublicKey } from '../../solana/chain/keys';
import { INSTRUCTION_COMPUTE_UNITS, MAX_COMPUTE_UNITS, MAX_LOADED_BYTES } from '../../solana/chain/limits';
import { writeMessage, type AccountMeta, type UncompiledInstruction } from '../../solana/wire/messageWriter';
import type { Message, TransactionConfig } from '../../solana/wire/transactionTypes';
import {
  associatedAddress,
  createAssociated,
  createWithSeed,
  loadedDataLimit,
  memo,
  transfer,
  transferChecked,
  unitLimit,
  unitPrice,
} from '../../solana/wire/wellKnown';
import { unitsOf } from '../../solana/wire/writtenArguments';
import { writtenAmount, transactionFaults } from '../methods/transactions/check';
import { metaOfValue, programNamed, resolveCall } from '../methods/transactions/idlCall';
import { createsReceiver } from './writtenInstructions';
import type { Compiled, MintFacts, TransactionContext, TransactionNeeds } from './model';
import type { InstructionWorld, TransactionFault, TransactionPath } from '../methods/transactions/model';

const MICRO = 1_000_000n;

/** The reads from the chain that must come first. */
export function needsOf(transaction: JsonValue): TransactionNeeds {
  const given = member(transaction, 'instructions');
  const mints = new Set<string>();
  for (const one of isJsonArray(given) ? given : [])
    for (const name of ['transferToken', 'createAta']) {
      const mint = member(member(one, name), 'mint');
      if (typeof mint === 'string' && isPublicKey(mint)) mints.add(mint);
    }
  return {
    mints: [...mints],
    tables: textsOf(member(transaction, 'lookupTables')),
    simulates: member(transaction, 'computeUnitLimit') === 'simulate',
  };
}

const textsOf = (value: JsonValue | undefined): string[] => [
  ...new Set((isJsonArray(value) ? value : []).filter((one) => typeof one === 'string')),
];

const NOTHING_UNKNOWN = (): boolean => false;

/** The faults that prevent building it, found before anything is asked of a node. */
export const faultsBefore = (
  transaction: JsonValue,
  { programs, wallet }: Pick<InstructionWorld, 'programs' | 'wallet'>,
): readonly TransactionFault[] => transactionFaults(transaction, { programs, wallet, isUnknown: NOTHING_UNKNOWN });

export function compileTransaction(transaction: JsonValue, context: TransactionContext): Compiled {
  const before = faultsBefore(transaction, context);
  if (before.length > 0 || !isJsonObject(transaction)) return { ok: false, faults: before };
  return new Compiler(transaction, context).compile();
}

/** Stops with a fault at a place; stays inside this file. */
class Stopped extends Error {
  constructor(
    readonly path: TransactionPath,
    message: string,
  ) {
    super(message);
    this.name = 'Stopped';
  }
}

class Compiler {
  constructor(
    private readonly given: JsonObject,
    private readonly context: TransactionContext,
  ) {}

  compile(): Compiled {
    try {
      return this.#compile();
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      const { path, message } = error;
      return { ok: false, faults: [{ code: 'wrong-type', path, target: 'value', message }] };
    }
  }

  #compile(): Compiled {
    const { wallet, feePayer, signers = [], blockhash, tables } = this.context;
    const version = versionOf(member(this.given, 'version'));
    const list = member(this.given, 'instructions');
    const own = (isJsonArray(list) ? list : []).flatMap((one, index) =>
      this.#instruction(one, ['instructions', index]),
    );
    const paid = [...own, ...this.#tip()];
    const limit = this.#limit(paid.length, version);
    const written = writeMessage({
      version,
      feePayer: feePayer ?? wallet,
      blockhash,
      instructions: version === 1 ? paid : [...this.#budget(limit, paid.length), ...paid],
      tables: textsOf(member(this.given, 'lookupTables')).map((address, index) => ({
        address,
        addresses: tables.get(address) ?? stop(['lookupTables', index], 'There is no such lookup table.'),
      })),
      ...(version === 1 && { config: this.#config(limit ?? MAX_COMPUTE_UNITS) }),
    });
    if (!written.ok) return stop([], `The transaction cannot be built: ${written.reason}.`);
    const known = new Set([wallet, feePayer, ...signers]);
    const other = written.signers.find((address) => !known.has(address));
    if (other !== undefined)
      return stop(
        [],
        `${other} has to sign it, and is not the wallet ${wallet}: name the wallet of that address in "signers".`,
      );
    const idle = signers.findIndex((address) => !written.signers.includes(address));
    if (idle >= 0) return stop(['signers', idle], `Nothing here is signed by this wallet, ${signers[idle] ?? ''}.`);
    return { ok: true, version, message: written.message, signers: written.signers };
  }

  #instruction(one: JsonValue, path: TransactionPath): readonly UncompiledInstruction[] {
    const { wallet } = this.context;
    if (!isJsonObject(one)) return [];
    const of = (name: string): JsonObject | undefined => {
      const given = member(one, name);
      return isJsonObject(given) ? given : undefined;
    };
    const sent = of('transfer');
    if (sent !== undefined)
      return [transfer({ from: this.#from(sent), to: textAt(sent, 'to'), lamports: amountAt(sent, 'lamports') })];
    const text = member(one, 'memo');
    if (typeof text === 'string') return [memo({ text, signer: wallet })];
    const token = of('transferToken');
    if (token !== undefined) return this.#token(token, [...path, 'transferToken']);
    const ata = of('createAta');
    if (ata !== undefined) return [this.#ata(ata, [...path, 'createAta'])];
    const account = of('createAccount');
    if (account !== undefined) return [this.#account(account, [...path, 'createAccount'])];
    return [member(one, 'instruction') === undefined ? this.#raw(one) : this.#call(one, path)];
  }

  #mint(given: JsonObject, path: TransactionPath): MintFacts {
    const facts = this.context.mints.get(textAt(given, 'mint'));
    return facts ?? stop([...path, 'mint'], 'There is no such mint.');
  }

  #associated(owner: string, mint: string, tokenProgram: string): string {
    return associatedAddress(owner, mint, tokenProgram) ?? stop([], 'An address of a token account cannot be derived.');
  }

  /** Who gives what is transferred. */
  #from(given: JsonObject): string {
    return member(given, 'from') === undefined ? this.context.wallet : textAt(given, 'from');
  }

  #token(given: JsonObject, path: TransactionPath): readonly UncompiledInstruction[] {
    const { wallet } = this.context;
    const from = this.#from(given);
    const { decimals, tokenProgram } = this.#mint(given, path);
    const mint = textAt(given, 'mint');
    const to = textAt(given, 'to');
    const text = member(given, 'amount');
    const amount = text === undefined ? amountAt(given, 'rawAmount') : unitsOf(writtenAmount(text), decimals);
    if (amount === undefined)
      return stop([...path, 'amount'], `This amount does not fit: the mint has ${decimals} decimals.`);
    const destination = this.#associated(to, mint, tokenProgram);
    const source = this.#associated(from, mint, tokenProgram);
    const created = createAssociated({
      payer: wallet,
      account: destination,
      owner: to,
      mint,
      tokenProgram,
      isNew: false,
    });
    return [
      ...(createsReceiver(given) ? [created] : []),
      transferChecked({ source, mint, destination, owner: from, amount, decimals, tokenProgram }),
    ];
  }

  #ata(given: JsonObject, path: TransactionPath): UncompiledInstruction {
    const { wallet } = this.context;
    const { tokenProgram } = this.#mint(given, path);
    const mint = textAt(given, 'mint');
    const owner = member(given, 'owner') === undefined ? wallet : textAt(given, 'owner');
    const account = this.#associated(owner, mint, tokenProgram);
    const isNew = member(given, 'idempotent') === false;
    return createAssociated({ payer: wallet, account, owner, mint, tokenProgram, isNew });
  }

  #account(given: JsonObject, path: TransactionPath): UncompiledInstruction {
    const { wallet } = this.context;
    const seed = textAt(given, 'seed');
    const owner = textAt(given, 'owner');
    const to = addressWithSeed(wallet, seed, owner) ?? stop([...path, 'seed'], 'A seed has at most 32 bytes.');
    return createWithSeed({
      from: wallet,
      to,
      seed,
      owner,
      lamports: amountAt(given, 'lamports'),
      space: amountAt(given, 'space'),
    });
  }

  #raw(given: JsonObject): UncompiledInstruction {
    const name = textAt(given, 'program');
    const list = member(given, 'accounts');
    const accounts = (isJsonArray(list) ? list : [])
      .map((one) => metaOfValue(one))
      .filter((one): one is AccountMeta => one !== undefined);
    const program = isPublicKey(name) ? name : (programNamed(this.context.programs, name)?.address ?? name);
    return { program, accounts, data: writtenBytes(member(given, 'data') ?? []) ?? new Uint8Array(0) };
  }

  #call(given: JsonObject, path: TransactionPath): UncompiledInstruction {
    const { programs, wallet } = this.context;
    const { instruction } = resolveCall(given, {
      programs,
      wallet,
      isUnknown: NOTHING_UNKNOWN,
      derive: programAddress,
    });
    return instruction ?? stop(path, 'An account of this instruction cannot be derived and must be named.');
  }

  #tip(): readonly UncompiledInstruction[] {
    const tip = member(this.given, 'tip');
    if (!isJsonObject(tip)) return [];
    const to = member(tip, 'account') ?? this.context.tipAccount;
    if (typeof to !== 'string')
      return stop(['tip'], 'The request goes to no sender whose tip accounts are known: name the "account".');
    return [transfer({ from: this.context.wallet, to, lamports: amountAt(tip, 'lamports') })];
  }

  /** Undefined where the runtime's own limit holds. */
  #limit(instructions: number, version: Message['version']): number | undefined {
    const given = member(this.given, 'computeUnitLimit');
    if (typeof given === 'number') return given;
    if (given === 'simulate') return this.context.simulatedLimit ?? MAX_COMPUTE_UNITS;
    const isPriced = member(member(this.given, 'priorityFee'), 'lamports') !== undefined;
    // A fee in all is a price for units that are counted; version 1 has no units unless it asks.
    return isPriced || version === 1
      ? Math.min(MAX_COMPUTE_UNITS, INSTRUCTION_COMPUTE_UNITS * instructions)
      : undefined;
  }

  #budget(limit: number | undefined, instructions: number): readonly UncompiledInstruction[] {
    const units = BigInt(limit ?? Math.min(MAX_COMPUTE_UNITS, INSTRUCTION_COMPUTE_UNITS * instructions));
    const fee = member(this.given, 'priorityFee');
    const lamports = integerOf(member(fee, 'lamports'));
    // The runtime rounds the fee up: the highest price whose fee is not above what was asked for.
    const price = lamports === undefined ? integerOf(member(fee, 'microLamports')) : (lamports * MICRO) / units;
    const loaded = integerOf(member(this.given, 'loadedAccountsDataLimit'));
    return [
      ...(limit === undefined ? [] : [unitLimit(limit)]),
      ...(price === undefined ? [] : [unitPrice(price)]),
      ...(loaded === undefined ? [] : [loadedDataLimit(Number(loaded))]),
    ];
  }

  #config(limit: number): TransactionConfig {
    const fee = member(this.given, 'priorityFee');
    const price = integerOf(member(fee, 'microLamports'));
    const priorityFee =
      price === undefined ? integerOf(member(fee, 'lamports')) : (price * BigInt(limit) + MICRO - 1n) / MICRO;
    return {
      ...(priorityFee === undefined ? {} : { priorityFee }),
      computeUnitLimit: limit,
      // Version 1 may load none unless it asks.
      loadedAccountsDataSizeLimit: Number(integerOf(member(this.given, 'loadedAccountsDataLimit')) ?? MAX_LOADED_BYTES),
    };
  }
}

function stop(path: TransactionPath, message: string): never {
  throw new Stopped(path, message);
}

/** The shape was checked before: text where text is due. */
const textAt = (value: JsonObject, key: string): string => {
  const text = member(value, key);
  return typeof text === 'string' ? text : '';
};

const amountAt = (value: JsonObject, key: string): bigint => integerOf(member(value, key)) ?? 0n;

function versionOf(value: JsonValue | undefined): Message['version'] {
  return value === 'legacy' || value === 1 ? value : 0;
}
