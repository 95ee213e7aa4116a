// Why a transaction failed, from a node's JSON or from bincode, and in words.
import { ByteReader } from '../../encoding/bytes';
import type { Programs, TransactionFailure } from '../decoded';
import { anchorError, instructionError, programError, transactionError, unnamedNext } from '../errors/known';
import { crash, programCause } from '../errors/causes';
import type { KnownError } from '../errors/model';
import { ownWords, type OwnWords } from '../errors/ownWords';
import { integerOf, isJsonArray, member, variantName, type JsonValue } from '../../json/json';
import { addressName } from '../../chain/addresses';
import { firstFailure } from './logs';
import type { NamedError } from './parts';

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
export function errorFromJson(err: JsonValue | undefined): NamedError | undefined {
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

function causeFromJson(cause: JsonValue | undefined): Pick<NamedError, 'cause' | 'custom'> {
  const name = variantName(cause);
  return name === undefined ? {} : { cause: name, ...numbered('custom', member(cause, name)) };
}

function numbered(key: 'instruction' | 'account' | 'custom', value: JsonValue | undefined): Partial<NamedError> {
  const number = integerOf(value);
  return number === undefined ? {} : { [key]: Number(number) };
}

/** `TransactionError.err` of Yellowstone. */
export function errorFromBincode(bytes: Uint8Array): NamedError {
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
  /** Its log about its error. */
  readonly said?: OwnWords;
}

/** The program that failed first by the logs, or `outer`, that of the instruction that failed. */
export function failedProgram(logs: readonly string[], outer: string | undefined): FailedProgram {
  const failed = firstFailure(logs);
  const said = failed === undefined ? undefined : ownWords(failed.lines);
  return {
    program: failed?.program ?? outer,
    ...(failed !== undefined && { words: failed.words }),
    ...(said !== undefined && { said }),
    usesAnchor: (failed?.lines ?? logs).some((line) => line.startsWith('Program log: AnchorError ')),
  };
}

/** A transaction error's meaning, with the next step if known. A program's IDL takes precedence over the tables. */
export function describeFailure(error: NamedError, failed: FailedProgram, known: Programs): TransactionFailure {
  const { name, instruction, cause, custom, account } = error;
  const { words, ...meaning } =
    custom === undefined ? runtimeMeaning(name, cause, failed, known) : customMeaning(custom, failed, known);
  const where = account === undefined ? '' : ` (account ${account + 1} of the transaction)`;
  // Words about another error, which the program got over, explain nothing.
  const isAbout = failed.said !== undefined && failed.said.number === custom;
  return {
    text: `${words}${where}.`,
    ...meaning,
    ...(instruction === undefined ? {} : { instruction }),
    ...(custom === undefined ? {} : { custom }),
    ...(account === undefined ? {} : { account }),
    ...(isAbout && { words: failed.said }),
  };
}

/** A whole sentence: which instruction failed, and why. */
export const failureSentence = ({ instruction, text }: TransactionFailure): string =>
  instruction === undefined ? text : `Instruction ${instruction + 1} failed: ${text}`;

/** `words`: the part of the sentence that says why. */
type Meaning = Pick<TransactionFailure, 'name' | 'source' | 'next'> & { readonly words: string };

function runtimeMeaning(name: string, cause: string | undefined, failed: FailedProgram, programs: Programs): Meaning {
  // Names come from a node: only the letters of an unknown name are used.
  if (cause === 'Custom')
    return { ...sourceOf(failed, programs), words: "the program's own error, whose number the node did not say" };
  const ofProgram =
    cause === undefined || failed.program === undefined ? undefined : programCause(failed.program, cause);
  const known = ofProgram ?? (cause === undefined ? transactionError(name) : causeMeaning(cause, failed));
  const spelled = known?.name ?? (cause ?? name).slice(0, 100).replace(/[^A-Za-z0-9]/g, '');
  return {
    ...(ofProgram === undefined ? { source: 'runtime' } : sourceOf(failed, programs)),
    ...meaningOf(known, spelled),
    words: `${known?.text ?? wordsOf(spelled)} (${spelled})`,
  };
}

/** The general meaning of an error, with the details of a crash if the log has them. */
function causeMeaning(cause: string, { words }: FailedProgram): KnownError | undefined {
  const general = instructionError(cause);
  const crashed = cause === 'ProgramFailedToComplete' && words !== undefined ? crash(words) : undefined;
  return general && { ...general, ...crashed };
}

/** The program by the best name that it has. */
const sourceOf = ({ program }: FailedProgram, programs: Programs): Pick<Meaning, 'source'> =>
  program === undefined ? {} : { source: addressName(program) ?? programs.idl(program)?.name ?? program };

function customMeaning(custom: number, failed: FailedProgram, known: Programs): Meaning {
  const { program, usesAnchor, said } = failed;
  const own = sourceOf(failed, known);
  const idl = program === undefined ? undefined : known.idl(program);
  const listed = idl?.errors.get(custom);
  if (listed !== undefined) {
    const message = listed.message === undefined ? '' : `: ${listed.message}`;
    return { ...own, name: listed.name, words: `${listed.name}${message} (${custom})` };
  }
  const built = program === undefined ? undefined : programError(program, custom);
  const found = built ?? (usesAnchor || idl?.usesAnchor === true ? anchorError(custom) : undefined);
  if (found === undefined && said?.number === custom)
    return { ...own, name: said.name, words: `${said.name}: ${said.message} (${custom})` };
  if (found === undefined) {
    const words = `the program's own error ${custom} (0x${custom.toString(16)})`;
    return { ...own, words, ...(idl === undefined && { next: unnamedNext(custom) }) };
  }
  return {
    ...(built === undefined ? { source: 'Anchor' } : own),
    ...meaningOf(found, found.name),
    words: `${found.text} (${found.name}, error ${custom})`,
  };
}

const meaningOf = (known: KnownError | undefined, name: string): Pick<Meaning, 'name' | 'next'> => ({
  name,
  ...(known === undefined ? {} : { next: known.next }),
});

/** `AccountNotFound` → `account not found`. */
const wordsOf = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
