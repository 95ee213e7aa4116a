// The errors of transactions and of their instructions: one table each, with both numberings and the sentence that nodes
// have for people. A name's place is its number in bincode, which gRPC carries.

/** The number in LiteSVM, whose enums exist only in its types, and the sentence. */
type ErrorTable = Readonly<Record<string, readonly [number: number | undefined, text?: string]>>;

/** LiteSVM gives an object instead of a number. */
const OBJECT = undefined;

/** `solana_transaction_error::TransactionError`. */
const TRANSACTION_ERRORS = {
  AccountInUse: [0, 'Account in use'],
  AccountLoadedTwice: [1, 'Account loaded twice'],
  AccountNotFound: [2, 'Attempt to debit an account but found no record of a prior credit.'],
  ProgramAccountNotFound: [3, 'Attempt to load a program that does not exist'],
  InsufficientFundsForFee: [4, 'Insufficient funds for fee'],
  InvalidAccountForFee: [5, 'This account may not be used to pay transaction fees'],
  AlreadyProcessed: [6, 'This transaction has already been processed'],
  BlockhashNotFound: [7, 'Blockhash not found'],
  InstructionError: [OBJECT],
  CallChainTooDeep: [8, 'Loader call chain is too deep'],
  MissingSignatureForFee: [9, 'Transaction requires a fee but has no signature present'],
  InvalidAccountIndex: [10, 'Transaction contains an invalid account reference'],
  SignatureFailure: [11, 'Transaction did not pass signature verification'],
  InvalidProgramForExecution: [12, 'This program may not be used for executing instructions'],
  SanitizeFailure: [13, 'Transaction failed to sanitize accounts offsets correctly'],
  ClusterMaintenance: [14, 'Transactions are currently disabled due to cluster maintenance'],
  AccountBorrowOutstanding: [15, 'Transaction processing left an account with an outstanding borrowed reference'],
  WouldExceedMaxBlockCostLimit: [16, 'Transaction would exceed max Block Cost Limit'],
  UnsupportedVersion: [17, 'Transaction version is unsupported'],
  InvalidWritableAccount: [18, 'Transaction loads a writable account that cannot be written'],
  WouldExceedMaxAccountCostLimit: [19, 'Transaction would exceed max account limit within the block'],
  WouldExceedAccountDataBlockLimit: [20, 'Transaction would exceed account data limit within the block'],
  TooManyAccountLocks: [21, 'Transaction locked too many accounts'],
  AddressLookupTableNotFound: [22, "Transaction loads an address table account that doesn't exist"],
  InvalidAddressLookupTableOwner: [23, 'Transaction loads an address table account with an invalid owner'],
  InvalidAddressLookupTableData: [24, 'Transaction loads an address table account with invalid data'],
  InvalidAddressLookupTableIndex: [25, 'Transaction address table lookup uses an invalid index'],
  InvalidRentPayingAccount: [26, 'Transaction leaves an account with a lower balance than rent-exempt minimum'],
  WouldExceedMaxVoteCostLimit: [27, 'Transaction would exceed max Vote Cost Limit'],
  WouldExceedAccountDataTotalLimit: [28, 'Transaction would exceed total account data limit'],
  DuplicateInstruction: [OBJECT],
  InsufficientFundsForRent: [OBJECT],
  MaxLoadedAccountsDataSizeExceeded: [29, 'Transaction exceeded max loaded accounts data size cap'],
  InvalidLoadedAccountsDataSizeLimit: [31, 'LoadedAccountsDataSizeLimit set for transaction must be greater than 0.'],
  ResanitizationNeeded: [30, 'ResanitizationNeeded'],
  ProgramExecutionTemporarilyRestricted: [OBJECT],
  UnbalancedTransaction: [32, 'Sum of account balances before and after transaction do not match'],
  ProgramCacheHitMaxLimit: [33, 'Program cache hit max limit'],
  CommitCancelled: [34, 'CommitCancelled'],
} as const satisfies ErrorTable;

/** `solana_instruction::error::InstructionError`. */
const INSTRUCTION_ERRORS = {
  GenericError: [0, 'generic instruction error'],
  InvalidArgument: [1, 'invalid program argument'],
  InvalidInstructionData: [2, 'invalid instruction data'],
  InvalidAccountData: [3, 'invalid account data for instruction'],
  AccountDataTooSmall: [4, 'account data too small for instruction'],
  InsufficientFunds: [5, 'insufficient funds for instruction'],
  IncorrectProgramId: [6, 'incorrect program id for instruction'],
  MissingRequiredSignature: [7, 'missing required signature for instruction'],
  AccountAlreadyInitialized: [8, 'instruction requires an uninitialized account'],
  UninitializedAccount: [9, 'instruction requires an initialized account'],
  UnbalancedInstruction: [10, 'sum of account balances before and after instruction do not match'],
  ModifiedProgramId: [11, 'instruction illegally modified the program id of an account'],
  ExternalAccountLamportSpend: [12, 'instruction spent from the balance of an account it does not own'],
  ExternalAccountDataModified: [13, 'instruction modified data of an account it does not own'],
  ReadonlyLamportChange: [14, 'instruction changed the balance of a read-only account'],
  ReadonlyDataModified: [15, 'instruction modified data of a read-only account'],
  DuplicateAccountIndex: [16, 'instruction contains duplicate accounts'],
  ExecutableModified: [17, 'instruction changed executable bit of an account'],
  RentEpochModified: [18, 'instruction modified rent epoch of an account'],
  NotEnoughAccountKeys: [19, 'insufficient account keys for instruction'],
  AccountDataSizeChanged: [20, "program other than the account's owner changed the size of the account data"],
  AccountNotExecutable: [21, 'instruction expected an executable account'],
  AccountBorrowFailed: [22, 'instruction tries to borrow reference for an account which is already borrowed'],
  AccountBorrowOutstanding: [23, 'instruction left account with an outstanding borrowed reference'],
  DuplicateAccountOutOfSync: [24, 'instruction modifications of multiply-passed account differ'],
  Custom: [OBJECT],
  InvalidError: [25, 'program returned invalid error code'],
  ExecutableDataModified: [26, 'instruction changed executable accounts data'],
  ExecutableLamportChange: [27, 'instruction changed the balance of an executable account'],
  ExecutableAccountNotRentExempt: [28, 'executable accounts must be rent exempt'],
  UnsupportedProgramId: [29, 'Unsupported program id'],
  CallDepth: [30, 'Cross-program invocation call depth too deep'],
  MissingAccount: [31, 'An account required by the instruction is missing'],
  ReentrancyNotAllowed: [32, 'Cross-program invocation reentrancy not allowed for this instruction'],
  MaxSeedLengthExceeded: [33, 'Length of the seed is too long for address generation'],
  InvalidSeeds: [34, 'Provided seeds do not result in a valid address'],
  InvalidRealloc: [35, 'Failed to reallocate account data'],
  ComputationalBudgetExceeded: [36, 'Computational budget exceeded'],
  PrivilegeEscalation: [37, 'Cross-program invocation with unauthorized signer or writable account'],
  ProgramEnvironmentSetupFailure: [38, 'Failed to create program execution environment'],
  ProgramFailedToComplete: [39, 'Program failed to complete'],
  ProgramFailedToCompile: [40, 'Program failed to compile'],
  Immutable: [41, 'Account is immutable'],
  IncorrectAuthority: [42, 'Incorrect authority provided'],
  BorshIoError: [52],
  AccountNotRentExempt: [43, 'An account does not have enough lamports to be rent-exempt'],
  InvalidAccountOwner: [44, 'Invalid account owner'],
  ArithmeticOverflow: [45, 'Program arithmetic overflowed'],
  UnsupportedSysvar: [46, 'Unsupported sysvar'],
  IllegalOwner: [47, 'Provided owner is not allowed'],
  MaxAccountsDataAllocationsExceeded: [48, 'Accounts data allocations exceeded the maximum allowed per transaction'],
  MaxAccountsExceeded: [49, 'Max accounts exceeded'],
  MaxInstructionTraceLengthExceeded: [50, 'Max instruction trace length exceeded'],
  BuiltinProgramsMustConsumeComputeUnits: [51, 'Builtin programs must consume compute units'],
} as const satisfies ErrorTable;

/** The names in the order of bincode. */
export const transactionErrorNames: readonly string[] = Object.keys(TRANSACTION_ERRORS);
export const instructionErrorNames: readonly string[] = Object.keys(INSTRUCTION_ERRORS);

/** The names by LiteSVM's numbers. */
export const nativeTransactionErrors = byNumber(TRANSACTION_ERRORS);
export const nativeInstructionErrors = byNumber(INSTRUCTION_ERRORS);

function byNumber(table: ErrorTable): ReadonlyMap<number, string> {
  return new Map(Object.entries(table).flatMap(([name, [number]]) => (number === undefined ? [] : [[number, name]])));
}

/** The sentences by name. */
export const transactionErrorTexts = textsOf(TRANSACTION_ERRORS);
export const instructionErrorTexts = textsOf(INSTRUCTION_ERRORS);

function textsOf(table: ErrorTable): ReadonlyMap<string, string | undefined> {
  return new Map(Object.entries(table).map(([name, [, text]]) => [name, text]));
}
