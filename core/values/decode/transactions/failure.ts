// Why a transaction failed, from a node's JSON or from bincode, and in words.
import { ByteReader } from '../../encoding/bytes';
import type { Programs, TransactionFailure } from '../decoded';
import { anchorError, instructionError, programError, transactionError } from '../errors/known';
import { crash, programCause } from '../errors/causes';
import type { KnownError } from '../errors/model';
import { integerOf, isJsonArray, member, variantName, type JsonValue } from '../../json/json';
import { firstFailure } from './logs';
import type { TransactionError } from './parts';

/** In the order of their numbers in bincode. */
const ERRORS = (
  'AccountInUse AccountLoadedTwice AccountNotFound ProgramAccountNotFound InsufficientFundsForFee InvalidAccountForFee ' +
  'AlreadyProcessed BlockhashNotFound InstructionError CallChainTooDeep MissingSignatureForFee InvalidAccountIndex ' +
  'SignatureFailure InvalidProgramForExecution SanitizeFailure ClusterMaintenance AccountBorrowOutstanding ' +
  'WouldExceedMaxBlockCostLimit UnsupportedVersion InvalidWritableAccount WouldExceedMaxAccountCostLimit ' +
  'WouldExceedAccountDataBlockLimit TooManyAccountLocks AddressLookupTableNotFound InvalidAddressLookupTableOwner ' +
  'InvalidAddressLookupTableData InvalidAddressLookupTableIndex InvalidRentPayingAccount WouldExceedMaxVoteCostLimit ' +
  'WouldExceedAccountDataTotalLimit DuplicateInstruction InsufficientFundsForRent MaxLoadedAccountsDataSizeExceeded ' +
  'InvalidLoadedAccountsDataSizeLimit ResanitizationNeeded ProgramExecutionTemporarilyRestricted ' +
  'UnbalancedTransaction ProgramCacheHitMaxLimit CommitCancelled'
).split(' ');

const CAUSES = (
  'GenericError InvalidArgument InvalidInstructionData InvalidAccountData AccountDataTooSmall InsufficientFunds ' +
  'IncorrectProgramId MissingRequiredSignature AccountAlreadyInitialized UninitializedAccount UnbalancedInstruction ' +
  'ModifiedProgramId ExternalAccountLamportSpend ExternalAccountDataModified ReadonlyLamportChange ' +
  'ReadonlyDataModified DuplicateAccountIndex ExecutableModified RentEpochModified NotEnoughAccountKeys ' +
  'AccountDataSizeChanged AccountNotExecutable AccountBorrowFailed AccountBorrowOutstanding ' +
  'DuplicateAccountOutOfSync Custom InvalidError ExecutableDataModified ExecutableLamportChange ' +
  'ExecutableAccountNotRentExempt UnsupportedProgramId CallDepth MissingAccount ReentrancyNotAllowed ' +
  'MaxSeedLengthExceeded InvalidSeeds InvalidRealloc ComputationalBudgetExceeded PrivilegeEscalation ' +
  'ProgramEnvironmentSetupFailure ProgramFailedToComplete ProgramFailedToCompile Immutable IncorrectAuthority ' +
  'BorshIoError AccountNotRentExempt InvalidAccountOwner ArithmeticOverflow UnsupportedSysvar IllegalOwner ' +
  'MaxAccountsDataAllocationsExceeded MaxAccountsExceeded MaxInstructionTraceLengthExceeded ' +
  'BuiltinProgramsMustConsumeComputeUnits'
).split(' ');

/** `err` of a node: a name, or an object with one; `undefined` for null. */
export function errorFromJson(err: JsonValue | undefined): TransactionError | undefined {
  if (err === undefined || err === null) return undefined;
  const name = variantName(err);
  if (name === undefined) return { name: 'UnknownError' };
  const inside = member(err, name);
  if (name === 'InstructionError' && isJsonArray(inside)) {
    return { name, ...numbered('instruction', inside[0]), ...causeFromJson(inside[1]) };
  }
  const account = member(inside, 'account_index');
  if (account !== undefined) return { name, ...numbered('account', account) };
  return { name, ...numbered('instruction', inside) };
}

function causeFromJson(cause: JsonValue | undefined): Pick<TransactionError, 'cause' | 'custom'> {
  const name = variantName(cause);
  return name === undefined ? {} : { cause: name, ...numbered('custom', member(cause, name)) };
}

function numbered(key: 'instruction' | 'account' | 'custom', value: JsonValue | undefined): Partial<TransactionError> {
  const number = integerOf(value);
  return number === undefined ? {} : { [key]: Number(number) };
}

/** `TransactionError.err` of Yellowstone. */
export function errorFromBincode(bytes: Uint8Array): TransactionError {
  const reader = new ByteReader(bytes);
  const name = ERRORS[reader.u32()] ?? 'UnknownError';
  switch (name) {
    case 'InstructionError': {
      const instruction = reader.u8();
      const cause = CAUSES[reader.u32()] ?? 'UnknownError';
      return { name, instruction, cause, ...(cause === 'Custom' ? { custom: reader.u32() } : {}) };
    }
    case 'DuplicateInstruction':
      return { name, instruction: reader.u8() };
    case 'InsufficientFundsForRent':
    case 'ProgramExecutionTemporarilyRestricted':
      return { name, account: reader.u8() };
    default:
      return { name };
  }
}

/** Which program an error number belongs to. */
export interface FailedProgram {
  /** Base58; undefined where it is not known. */
  readonly program: string | undefined;
  /** Its logs show an error of the Anchor framework. */
  readonly usesAnchor: boolean;
  /** Its last words. */
  readonly words?: string;
}

/** The program that failed first by the logs, or `outer`, that of the instruction that failed. */
export function failedProgram(logs: readonly string[], outer: string | undefined): FailedProgram {
  const failed = firstFailure(logs);
  return {
    program: failed?.program ?? outer,
    ...(failed !== undefined && { words: failed.words }),
    usesAnchor: logs.some((line) => line.startsWith('Program log: AnchorError ')),
  };
}

/** What a transaction's error means, with the next step where it is known. A program's IDL comes before the tables. */
export function failureOf(error: TransactionError, failed: FailedProgram, known: Programs): TransactionFailure {
  const { name, instruction, cause, custom, account } = error;
  const at = instruction === undefined ? '' : `Instruction ${instruction + 1} failed: `;
  const { words, ...meaning } =
    custom === undefined ? runtimeMeaning(name, cause, failed) : customMeaning(custom, failed, known);
  const where = account === undefined ? '' : ` (account ${account + 1} of the transaction)`;
  return {
    text: `${at}${words}${where}.`,
    ...meaning,
    ...(instruction === undefined ? {} : { instruction }),
    ...(custom === undefined ? {} : { custom }),
  };
}

/** `words`: the part of the sentence that says why. */
type Meaning = Pick<TransactionFailure, 'name' | 'source' | 'next'> & { readonly words: string };

function runtimeMeaning(name: string, cause: string | undefined, failed: FailedProgram): Meaning {
  const known = cause === undefined ? transactionError(name) : causeMeaning(cause, failed);
  // Names come from a node: of one that is not known only its letters are used.
  const spelled = known?.name ?? (cause ?? name).slice(0, 100).replace(/[^A-Za-z0-9]/g, '');
  return { source: 'runtime', ...meaningOf(known, spelled), words: `${known?.text ?? wordsOf(spelled)} (${spelled})` };
}

/** What a program, or its crash, says more than the name. */
function causeMeaning(cause: string, { program, words }: FailedProgram): KnownError | undefined {
  const ofProgram = program === undefined ? undefined : programCause(program, cause);
  if (ofProgram !== undefined) return ofProgram;
  const general = instructionError(cause);
  const crashed = cause === 'ProgramFailedToComplete' && words !== undefined ? crash(words) : undefined;
  return general && { ...general, ...crashed };
}

function customMeaning(custom: number, { program, usesAnchor }: FailedProgram, known: Programs): Meaning {
  const idl = program === undefined ? undefined : known.idl(program);
  const listed = idl?.errors.get(custom);
  if (listed !== undefined) {
    const message = listed.message === undefined ? '' : `: ${listed.message}`;
    return { source: 'idl', name: listed.name, words: `${listed.name}${message} (${custom})` };
  }
  const built = program === undefined ? undefined : programError(program, custom);
  const found = built ?? (usesAnchor || idl?.usesAnchor === true ? anchorError(custom) : undefined);
  if (found === undefined)
    return { source: 'program', words: `the program's own error ${custom} (0x${custom.toString(16)})` };
  const source = built === undefined ? 'anchor' : 'program';
  return { source, ...meaningOf(found, found.name), words: `${found.text} (${found.name}, error ${custom})` };
}

const meaningOf = (known: KnownError | undefined, name: string): Pick<Meaning, 'name' | 'next'> => ({
  name,
  ...(known === undefined ? {} : { next: known.next }),
});

/** `AccountNotFound` → `account not found`. */
const wordsOf = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
