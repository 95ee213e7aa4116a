// Errors of the runtime itself (Agave's `TransactionError` and `InstructionError`): what each means and what to do.
import type { ErrorRow } from './model';

const SEND_AGAIN = 'Sign with a new blockhash and send again';
const BLOCK_FULL = 'Send again; a higher priority fee gets it into an earlier block';
const REPORT = 'Send again; if it stays so, report it to who runs the node';
const TABLE = 'Check the table with getAccountInfo, and that it was extended at least one slot ago';

/** By the variant of `TransactionError`. `InstructionError` is explained by its cause. */
export const TRANSACTION_ERRORS: readonly ErrorRow[] = [
  ['AccountInUse', 'an account is locked by another transaction of the same batch', 'Send again'],
  ['AccountLoadedTwice', 'an account is listed twice', 'List each account once in the message'],
  [
    'AccountNotFound',
    'the fee payer has no lamports on this cluster',
    'Send SOL to the fee payer, or check the cluster',
  ],
  [
    'ProgramAccountNotFound',
    'a program of this transaction does not exist on this cluster',
    "Check the program's address and the cluster",
  ],
  [
    'InsufficientFundsForFee',
    "the fee payer's balance does not cover the fee",
    'Send SOL to the fee payer, or lower the priority fee',
  ],
  [
    'InvalidAccountForFee',
    'the fee payer is not an account of the System program',
    'Pay with a wallet that holds SOL and no data',
  ],
  ['AlreadyProcessed', 'this very transaction is in a block already', 'Look up its signature; do not send again'],
  ['BlockhashNotFound', 'the blockhash has expired, or is of another cluster', SEND_AGAIN],
  ['CallChainTooDeep', 'the loader needed too many calls to load a program', REPORT],
  ['MissingSignatureForFee', 'the fee payer has not signed', 'Sign with the key of the first account'],
  ['InvalidAccountIndex', 'an instruction names an account that is not listed', 'Build the message again'],
  ['SignatureFailure', 'a signature does not fit the message', 'Sign after the last change of the message'],
  [
    'InvalidProgramForExecution',
    'a program of this transaction cannot be run',
    'Check that the address is a deployed, executable program',
  ],
  ['SanitizeFailure', 'the transaction is not well formed', 'Decode it to see which rule it breaks'],
  ['ClusterMaintenance', 'the cluster takes no transactions now', 'Wait and send again'],
  ['AccountBorrowOutstanding', 'an account was still borrowed when the transaction ended', REPORT],
  ['WouldExceedMaxBlockCostLimit', 'the block had no room left', BLOCK_FULL],
  [
    'UnsupportedVersion',
    'the node does not take this version of transactions',
    'Use version 0, or a node of a newer release',
  ],
  [
    'InvalidWritableAccount',
    'an account that nobody may write is listed as writable',
    'List sysvars and programs as read-only',
  ],
  ['WouldExceedMaxAccountCostLimit', 'the block had no room left for a busy account', BLOCK_FULL],
  ['WouldExceedAccountDataBlockLimit', 'the block may allocate no more account data', BLOCK_FULL],
  ['TooManyAccountLocks', 'more accounts are listed than a transaction may lock', 'Split it into several transactions'],
  ['AddressLookupTableNotFound', 'a lookup table does not exist on this cluster', TABLE],
  ['InvalidAddressLookupTableOwner', 'a lookup table is not owned by the lookup table program', TABLE],
  ['InvalidAddressLookupTableData', 'a lookup table cannot be read', TABLE],
  ['InvalidAddressLookupTableIndex', 'an index is beyond the end of its lookup table', TABLE],
  [
    'InvalidRentPayingAccount',
    'an account would be left with less than its rent exemption',
    'Leave it rent-exempt, or close it to 0 lamports',
  ],
  ['WouldExceedMaxVoteCostLimit', 'the block had no room left for votes', 'Send again'],
  ['WouldExceedAccountDataTotalLimit', 'the cluster may allocate no more account data', 'Wait and send again'],
  ['DuplicateInstruction', 'a Compute Budget instruction of the same kind occurs twice', 'Keep one of each kind'],
  [
    'InsufficientFundsForRent',
    'an account would be left with less than its rent exemption',
    'Send it the missing lamports, or close it',
  ],
  [
    'MaxLoadedAccountsDataSizeExceeded',
    'its accounts hold more data than it may load',
    'Raise the limit on loaded account data; simulate shows the size',
  ],
  [
    'InvalidLoadedAccountsDataSizeLimit',
    'the limit on loaded account data is 0',
    'Set it above 0; simulate shows the size it needs',
  ],
  ['ResanitizationNeeded', 'a feature changed while the transaction waited', 'Send again'],
  [
    'ProgramExecutionTemporarilyRestricted',
    'a program may not run for the moment',
    'Wait until the program is available again',
  ],
  ['UnbalancedTransaction', 'lamports before and after do not add up', REPORT],
  ['ProgramCacheHitMaxLimit', 'the node had to load too many programs at once', 'Send again'],
  ['CommitCancelled', 'the node dropped its block before it was complete', 'Send again'],
];

const CHECK_ACCOUNTS = "Compare the instruction's accounts with what its program documents";
const CHECK_DATA = "Compare the instruction's data with what its program documents";
const PROGRAM_FAULT = 'Report it to the authors of the program';
const FUND = 'Send it lamports: getMinimumBalanceForRentExemption gives the amount';

/** By the variant of `InstructionError`. */
export const INSTRUCTION_ERRORS: readonly ErrorRow[] = [
  ['GenericError', 'the program gave no reason', 'Read the logs'],
  ['InvalidArgument', 'the program refused an argument', CHECK_DATA],
  ['InvalidInstructionData', 'the program cannot read the instruction data', CHECK_DATA],
  ['InvalidAccountData', 'an account does not hold what the program expects', CHECK_ACCOUNTS],
  ['AccountDataTooSmall', "an account's data is too small", 'Create it with the size that the program needs'],
  ['InsufficientFunds', 'an account holds too few lamports', 'Send it the missing lamports'],
  ['IncorrectProgramId', 'an account belongs to another program than expected', CHECK_ACCOUNTS],
  ['MissingRequiredSignature', 'an account that has to sign did not', 'List it as a signer and sign with its key'],
  ['AccountAlreadyInitialized', 'an account is initialized already', 'Skip the initialization, or use a new account'],
  ['UninitializedAccount', 'an account is not initialized', 'Initialize it first'],
  ['UnbalancedInstruction', 'lamports before and after the instruction do not add up', PROGRAM_FAULT],
  ['ModifiedProgramId', "a program changed an account's owner and may not", PROGRAM_FAULT],
  [
    'ExternalAccountLamportSpend',
    'a program took lamports from an account that it does not own',
    'Transfer them with the System program instead',
  ],
  ['ExternalAccountDataModified', 'a program changed data of an account that it does not own', PROGRAM_FAULT],
  ['ReadonlyLamportChange', 'lamports of a read-only account would change', 'List the account as writable'],
  ['ReadonlyDataModified', 'data of a read-only account would change', 'List the account as writable'],
  ['DuplicateAccountIndex', 'an account is given twice where it may occur once', CHECK_ACCOUNTS],
  ['ExecutableModified', "a program changed an account's executable flag and may not", PROGRAM_FAULT],
  ['RentEpochModified', "a program changed an account's rent epoch", PROGRAM_FAULT],
  ['NotEnoughAccountKeys', 'the instruction has too few accounts', CHECK_ACCOUNTS],
  ['AccountDataSizeChanged', "a program changed the size of an account's data and may not", PROGRAM_FAULT],
  ['AccountNotExecutable', 'the account called as a program is not executable', "Check the program's address"],
  ['AccountBorrowFailed', 'a program borrowed an account that is in use', PROGRAM_FAULT],
  ['AccountBorrowOutstanding', 'a program returned with an account still borrowed', PROGRAM_FAULT],
  ['DuplicateAccountOutOfSync', 'two views of one account differ', PROGRAM_FAULT],
  ['InvalidError', 'the program returned an error that does not exist', PROGRAM_FAULT],
  ['ExecutableDataModified', 'data of an executable account would change', PROGRAM_FAULT],
  ['ExecutableLamportChange', 'lamports of an executable account would change', CHECK_ACCOUNTS],
  ['ExecutableAccountNotRentExempt', 'an executable account is not rent-exempt', FUND],
  ['UnsupportedProgramId', 'the runtime cannot run this program', "Check the program's address and the cluster"],
  ['CallDepth', 'programs call each other too deep', 'Use fewer nested calls'],
  ['MissingAccount', 'an account that a call needs is not listed', 'Add it to the accounts of the outer instruction'],
  ['ReentrancyNotAllowed', 'a program was called back by a program that it had called', PROGRAM_FAULT],
  ['MaxSeedLengthExceeded', 'a seed is longer than 32 bytes, or there are more than 16', 'Shorten the seeds'],
  ['InvalidSeeds', 'no valid address comes from these seeds', 'Check the seeds, their order, the bump and the program'],
  ['InvalidRealloc', 'an account may not grow so much', 'Grow by at most 10,240 bytes per instruction'],
  [
    'ComputationalBudgetExceeded',
    'the compute units ran out',
    'Raise the compute unit limit; simulate shows what it needs',
  ],
  [
    'PrivilegeEscalation',
    'a program signed or wrote for an account without the right to',
    'List the account as signer or writable, or check the seeds',
  ],
  [
    'ProgramEnvironmentSetupFailure',
    'the runtime could not prepare the program',
    'Raise the limits on compute units and heap',
  ],
  [
    'ProgramFailedToComplete',
    'the program aborted',
    'Read the logs for a panic, an access violation or an exhausted limit',
  ],
  ['ProgramFailedToCompile', 'the program cannot be compiled', 'Deploy it again'],
  ['Immutable', 'the account cannot be changed', CHECK_ACCOUNTS],
  ['IncorrectAuthority', 'the wrong authority signed', 'Sign with the authority that the account names'],
  ['BorshIoError', 'data cannot be read in Borsh', CHECK_DATA],
  ['AccountNotRentExempt', 'an account is not rent-exempt', FUND],
  ['InvalidAccountOwner', 'an account has another owner than expected', CHECK_ACCOUNTS],
  ['ArithmeticOverflow', 'a number overflows', 'Check the amounts'],
  ['UnsupportedSysvar', 'the program asks for a sysvar that this cluster lacks', REPORT],
  ['IllegalOwner', 'an account may not have this owner', CHECK_ACCOUNTS],
  [
    'MaxAccountsDataAllocationsExceeded',
    'the transaction allocates more account data than it may',
    'Split it into several transactions',
  ],
  ['MaxAccountsExceeded', 'a call lists more accounts than it may', 'Pass fewer accounts'],
  [
    'MaxInstructionTraceLengthExceeded',
    'the transaction runs more than 64 instructions, inner ones included',
    'Split it into several transactions',
  ],
  ['BuiltinProgramsMustConsumeComputeUnits', 'a builtin program used no compute units', REPORT],
];
