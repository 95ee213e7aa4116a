// Own errors of the Token programs, in the order of their numbers: those both have, then those of Token-2022's extensions.
import type { ErrorRow } from './model';

const THAW = 'Let the freeze authority thaw the account';
const EXTENSIONS = 'Check which extensions mint and account have';
const PROOF = 'Make the proof again from the current state of the accounts';
const CPI_GUARD = 'Turn the CPI guard off, or do it in an outer instruction';

export const TOKEN_ERRORS: readonly ErrorRow[] = [
  ['NotRentExempt', 'the account would not be exempt from rent', 'Send it the missing lamports first'],
  ['InsufficientFunds', 'the tokens do not suffice', "Check the source's balance, and the amount in raw units"],
  ['InvalidMint', 'the mint is not valid', "Check the mint's address"],
  ['MintMismatch', 'the account does not belong to this mint', "Use a token account of the instruction's mint"],
  ['OwnerMismatch', 'the owner does not match', 'Sign with the owner of the token account, or with its delegate'],
  ['FixedSupply', 'the supply is fixed', 'The mint has no authority: nothing can be minted'],
  ['AlreadyInUse', 'the account is already in use', 'Skip the initialization, or use a new account'],
  ['InvalidNumberOfProvidedSigners', 'the number of provided signers is not valid', 'Sign with 1 to 11 signers'],
  ['InvalidNumberOfRequiredSigners', 'the number of required signers is not valid', 'Require 1 to 11 signers'],
  ['UninitializedState', 'the account is not initialized', 'Create the token account first'],
  ['NativeNotSupported', 'native tokens do not support this instruction', 'Use lamports instead'],
  [
    'NonNativeHasBalance',
    'an account that is not native still holds tokens and cannot be closed',
    'Transfer or burn its tokens first',
  ],
  ['InvalidInstruction', 'the instruction is not valid', "Compare its data with the program's interface"],
  ['InvalidState', 'the state is not valid for this', 'Check whether the account is frozen or initialized'],
  ['Overflow', 'an amount overflows', 'Use a smaller amount'],
  ['AuthorityTypeNotSupported', 'the mint does not support this authority', 'Name another kind of authority'],
  ['MintCannotFreeze', 'the mint cannot freeze accounts', 'The mint has no freeze authority'],
  ['AccountFrozen', 'the account is frozen', THAW],
  ['MintDecimalsMismatch', 'the decimals are not those of the mint', "Use the mint's decimals"],
  ['NonNativeNotSupported', 'the instruction is not supported for this account', 'It works on wrapped SOL only'],
];

/** From number 20 on. */
export const TOKEN_2022_ERRORS: readonly ErrorRow[] = [
  ['ExtensionTypeMismatch', 'the extension is not of this kind of account', EXTENSIONS],
  ['ExtensionBaseMismatch', 'the extension does not fit a mint, or an account', EXTENSIONS],
  ['ExtensionAlreadyInitialized', 'the extension is initialized already', 'Skip its initialization'],
  [
    'ConfidentialTransferAccountHasBalance',
    'the confidential balance is not 0',
    'Withdraw it before the account is closed',
  ],
  ['ConfidentialTransferAccountNotApproved', 'the account is not approved', 'Let the authority of the mint approve it'],
  [
    'ConfidentialTransferDepositsAndTransfersDisabled',
    'the account takes no confidential deposits and transfers',
    'Let its owner enable confidential credits',
  ],
  ['ConfidentialTransferElGamalPubkeyMismatch', 'the ElGamal key is not that of the account', PROOF],
  ['ConfidentialTransferBalanceMismatch', 'the balance is not the one that was proved', PROOF],
  ['MintHasSupply', 'the mint still has a supply', 'Burn all tokens before the mint is closed'],
  ['NoAuthorityExists', 'there is no authority for this', 'It cannot be done on this mint or account'],
  ['TransferFeeExceedsMaximum', 'the transfer fee is above 10,000 basis points', 'Use at most 10,000'],
  ['MintRequiredForTransfer', 'the mint has to be named', 'Use transferChecked in place of transfer'],
  [
    'FeeMismatch',
    'the fee is not the one that the mint takes',
    "Compute it from the mint's transfer fee of this epoch",
  ],
  ['FeeParametersMismatch', 'the fee parameters are not those of the mint', PROOF],
  ['ImmutableOwner', 'the owner of this account cannot change', 'Transfer its tokens to another account'],
  [
    'AccountHasWithheldTransferFees',
    'the account holds withheld transfer fees',
    'Harvest them to the mint before the account is closed',
  ],
  ['NoMemo', 'the destination requires a memo', 'Put a memo instruction right before the transfer'],
  ['NonTransferable', 'the tokens cannot be transferred', 'They can be burnt only'],
  [
    'NonTransferableNeedsImmutableOwnership',
    'the destination needs an immutable owner',
    'Create the account with the immutable owner extension',
  ],
  [
    'MaximumPendingBalanceCreditCounterExceeded',
    'the account has too many pending credits',
    'Apply the pending balance first',
  ],
  ['MaximumDepositAmountExceeded', 'the deposit is above the maximum', 'Deposit less at once'],
  ['CpiGuardSettingsLocked', 'the CPI guard cannot be changed by a call from a program', CPI_GUARD],
  ['CpiGuardTransferBlocked', 'the CPI guard blocks the transfer', 'Approve a delegate before the call'],
  ['CpiGuardBurnBlocked', 'the CPI guard blocks the burn', 'Approve a delegate before the call'],
  ['CpiGuardCloseAccountBlocked', 'the CPI guard lets the account be closed to its owner only', CPI_GUARD],
  ['CpiGuardApproveBlocked', 'the CPI guard blocks the approval', CPI_GUARD],
  ['CpiGuardSetAuthorityBlocked', 'the CPI guard blocks the change of an authority', CPI_GUARD],
  ['CpiGuardOwnerChangeBlocked', 'the CPI guard blocks the change of the owner', CPI_GUARD],
  ['ExtensionNotFound', 'mint or account lacks the extension', EXTENSIONS],
  [
    'NonConfidentialTransfersDisabled',
    'the account takes confidential transfers only',
    'Let its owner enable other credits',
  ],
  [
    'ConfidentialTransferFeeAccountHasWithheldFee',
    'the account holds withheld confidential fees',
    'Harvest them to the mint before the account is closed',
  ],
  ['InvalidExtensionCombination', 'the extensions do not go together', EXTENSIONS],
  ['InvalidLengthForAlloc', 'the account has the wrong size', 'Compute the size from the extensions'],
  ['AccountDecryption', 'the balance cannot be decrypted', "Use the account's own keys"],
  ['ProofGeneration', 'the proof cannot be made', PROOF],
  ['InvalidProofInstructionOffset', 'the proof is not at this offset', 'Name the place of the proof instruction'],
  ['HarvestToMintDisabled', 'harvesting to the mint is disabled', 'Let the authority enable it'],
  [
    'SplitProofContextStateAccountsNotSupported',
    'split proof accounts are not supported here',
    'Use one proof account for each proof',
  ],
  ['NotEnoughProofContextStateAccounts', 'proof accounts are missing', 'Add one account for each proof'],
  ['MalformedCiphertext', 'a ciphertext is malformed', PROOF],
  ['CiphertextArithmeticFailed', 'ciphertexts cannot be added', PROOF],
  ['PedersenCommitmentMismatch', 'the commitments differ', PROOF],
  ['RangeProofLengthMismatch', 'the range proof has the wrong length', PROOF],
  ['IllegalBitLength', 'the range proof has the wrong bit length', PROOF],
  ['FeeCalculation', 'the fee cannot be computed', 'Use a smaller amount'],
  ['IllegalMintBurnConversion', 'a confidential mint and burn token cannot be converted', EXTENSIONS],
  ['InvalidScale', 'the scale of the amounts is not valid', 'Use a positive multiplier'],
  ['MintPaused', 'the mint is paused', 'Wait until its authority resumes it'],
  ['PendingBalanceNonZero', 'the pending balance is not 0', 'Apply the pending balance first'],
];
