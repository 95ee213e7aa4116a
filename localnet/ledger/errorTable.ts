// The errors of transactions and of their instructions: one table each, with both numberings. A name's place is its number
// in bincode, which gRPC carries; its value is its number in LiteSVM, whose enums exist only in its types.

/** LiteSVM gives an object instead of a number. */
const OBJECT = undefined;

/** `solana_transaction_error::TransactionError`. */
const TRANSACTION_ERRORS = {
  AccountInUse: 0,
  AccountLoadedTwice: 1,
  AccountNotFound: 2,
  ProgramAccountNotFound: 3,
  InsufficientFundsForFee: 4,
  InvalidAccountForFee: 5,
  AlreadyProcessed: 6,
  BlockhashNotFound: 7,
  InstructionError: OBJECT,
  CallChainTooDeep: 8,
  MissingSignatureForFee: 9,
  InvalidAccountIndex: 10,
  SignatureFailure: 11,
  InvalidProgramForExecution: 12,
  SanitizeFailure: 13,
  ClusterMaintenance: 14,
  AccountBorrowOutstanding: 15,
  WouldExceedMaxBlockCostLimit: 16,
  UnsupportedVersion: 17,
  InvalidWritableAccount: 18,
  WouldExceedMaxAccountCostLimit: 19,
  WouldExceedAccountDataBlockLimit: 20,
  TooManyAccountLocks: 21,
  AddressLookupTableNotFound: 22,
  InvalidAddressLookupTableOwner: 23,
  InvalidAddressLookupTableData: 24,
  InvalidAddressLookupTableIndex: 25,
  InvalidRentPayingAccount: 26,
  WouldExceedMaxVoteCostLimit: 27,
  WouldExceedAccountDataTotalLimit: 28,
  DuplicateInstruction: OBJECT,
  InsufficientFundsForRent: OBJECT,
  MaxLoadedAccountsDataSizeExceeded: 29,
  InvalidLoadedAccountsDataSizeLimit: 31,
  ResanitizationNeeded: 30,
  ProgramExecutionTemporarilyRestricted: OBJECT,
  UnbalancedTransaction: 32,
  ProgramCacheHitMaxLimit: 33,
  CommitCancelled: 34,
} as const satisfies Record<string, number | undefined>;

/** `solana_instruction::error::InstructionError`. */
const INSTRUCTION_ERRORS = {
  GenericError: 0,
  InvalidArgument: 1,
  InvalidInstructionData: 2,
  InvalidAccountData: 3,
  AccountDataTooSmall: 4,
  InsufficientFunds: 5,
  IncorrectProgramId: 6,
  MissingRequiredSignature: 7,
  AccountAlreadyInitialized: 8,
  UninitializedAccount: 9,
  UnbalancedInstruction: 10,
  ModifiedProgramId: 11,
  ExternalAccountLamportSpend: 12,
  ExternalAccountDataModified: 13,
  ReadonlyLamportChange: 14,
  ReadonlyDataModified: 15,
  DuplicateAccountIndex: 16,
  ExecutableModified: 17,
  RentEpochModified: 18,
  NotEnoughAccountKeys: 19,
  AccountDataSizeChanged: 20,
  AccountNotExecutable: 21,
  AccountBorrowFailed: 22,
  AccountBorrowOutstanding: 23,
  DuplicateAccountOutOfSync: 24,
  Custom: OBJECT,
  InvalidError: 25,
  ExecutableDataModified: 26,
  ExecutableLamportChange: 27,
  ExecutableAccountNotRentExempt: 28,
  UnsupportedProgramId: 29,
  CallDepth: 30,
  MissingAccount: 31,
  ReentrancyNotAllowed: 32,
  MaxSeedLengthExceeded: 33,
  InvalidSeeds: 34,
  InvalidRealloc: 35,
  ComputationalBudgetExceeded: 36,
  PrivilegeEscalation: 37,
  ProgramEnvironmentSetupFailure: 38,
  ProgramFailedToComplete: 39,
  ProgramFailedToCompile: 40,
  Immutable: 41,
  IncorrectAuthority: 42,
  BorshIoError: 52,
  AccountNotRentExempt: 43,
  InvalidAccountOwner: 44,
  ArithmeticOverflow: 45,
  UnsupportedSysvar: 46,
  IllegalOwner: 47,
  MaxAccountsDataAllocationsExceeded: 48,
  MaxAccountsExceeded: 49,
  MaxInstructionTraceLengthExceeded: 50,
  BuiltinProgramsMustConsumeComputeUnits: 51,
} as const satisfies Record<string, number | undefined>;

type ErrorTable = Readonly<Record<string, number | undefined>>;

/** The names in the order of bincode. */
export const transactionErrorNames: readonly string[] = Object.keys(TRANSACTION_ERRORS);
export const instructionErrorNames: readonly string[] = Object.keys(INSTRUCTION_ERRORS);

/** The names by LiteSVM's numbers. */
export const nativeTransactionErrors = byNumber(TRANSACTION_ERRORS);
export const nativeInstructionErrors = byNumber(INSTRUCTION_ERRORS);

function byNumber(table: ErrorTable): ReadonlyMap<number, string> {
  return new Map(Object.entries(table).flatMap(([name, number]) => (number === undefined ? [] : [[number, name]])));
}
