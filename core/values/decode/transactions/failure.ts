// Why a transaction failed, from a node's JSON or from bincode, and in words.
import { ByteReader } from '../../encoding/bytes';
import type { Programs, TransactionFailure } from '../decoded';
import { integerOf, isJsonArray, member, variantName, type JsonValue } from '../../json/json';
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

const TOKEN_ERRORS = [
  'the account would not be exempt from rent',
  'the tokens do not suffice',
  'the mint is not valid',
  'the account does not belong to this mint',
  'the owner does not match',
  'the supply is fixed',
  'the account is already in use',
  'the number of provided signers is not valid',
  'the number of required signers is not valid',
  'the account is not initialized',
  'native tokens do not support this instruction',
  'an account that is not native still holds tokens and cannot be closed',
  'the instruction is not valid',
  'the state is not valid for this',
  'an amount overflows',
  'the mint does not support this authority',
  'the mint cannot freeze accounts',
  'the account is frozen',
  'the decimals are not those of the mint',
  'the instruction is not supported for this account',
] as const;

/** What programs mean by their own numbers. */
const CUSTOM: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  [
    '11111111111111111111111111111111',
    [
      'an account with this address already exists',
      'the lamports do not suffice',
      'the program cannot own accounts',
      'the space asked for is not allowed',
      'the seed is too long',
      'the address does not come from this seed',
      'no recent blockhashes are known',
      'the nonce cannot be advanced in the block it was used in',
      'the nonce blockhash does not match',
    ],
  ],
  ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', TOKEN_ERRORS],
  ['TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb', TOKEN_ERRORS],
]);

/** One sentence. `program`: of the instruction that failed; its IDL, or a table, names its own errors. */
export function failureOf(error: TransactionError, program: string | undefined, known: Programs): TransactionFailure {
  const { name, instruction, cause, custom, account } = error;
  const at = instruction === undefined ? '' : `Instruction ${instruction + 1} failed: `;
  return {
    text: `${at}${reason()}.`,
    ...(instruction === undefined ? {} : { instruction }),
    ...(custom === undefined ? {} : { custom }),
  };

  function reason(): string {
    if (custom !== undefined) return customReason(custom, program, known);
    const words = wordsOf(cause ?? name);
    return account === undefined ? words : `${words} (account ${account + 1} of the transaction)`;
  }
}

function customReason(custom: number, program: string | undefined, known: Programs): string {
  const listed = program === undefined ? undefined : known.idl(program)?.errors.get(custom);
  if (listed !== undefined)
    return `${listed.name}${listed.message === undefined ? '' : `: ${listed.message}`} (${custom})`;
  const built = program === undefined ? undefined : CUSTOM.get(program)?.[custom];
  const number = `0x${custom.toString(16)}`;
  return built === undefined ? `the program's own error ${custom} (${number})` : `${built} (error ${custom})`;
}

/** `AccountNotFound` → `account not found`. Names come from a node: only their letters are used. */
function wordsOf(name: string): string {
  const words = name
    .slice(0, 100)
    .replace(/[^A-Za-z0-9]/g, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return `${words} (${name.slice(0, 100).replace(/[^A-Za-z0-9]/g, '')})`;
}
