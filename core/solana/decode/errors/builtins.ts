// Own errors of the programs that every cluster has: System, Stake, Vote, the associated token account program, and those that
// verify signatures. In the order of their numbers.
import { PRECOMPILES } from '../../chain/addresses';
import type { ErrorRow } from './model';

const SYSTEM: readonly ErrorRow[] = [
  ['AccountAlreadyInUse', 'an account with this address already exists', 'Use a new address, or skip its creation'],
  ['ResultWithNegativeLamports', 'the lamports do not suffice', 'Send the paying account more lamports'],
  ['InvalidProgramId', 'the program cannot own accounts', 'Check the owner that the instruction names'],
  ['InvalidAccountDataLength', 'the space asked for is not allowed', 'Ask for at most 10 MiB'],
  ['MaxSeedLengthExceeded', 'the seed is too long', 'Use a seed of at most 32 bytes'],
  ['AddressWithSeedMismatch', 'the address does not come from this seed', 'Check base, seed and owner'],
  ['NonceNoRecentBlockhashes', 'no recent blockhashes are known', 'Send again in a later slot'],
  [
    'NonceBlockhashNotExpired',
    'the nonce cannot be advanced in the block it was used in',
    'Send again in a later slot',
  ],
  [
    'NonceUnexpectedBlockhashValue',
    'the nonce is not the one in its account',
    'Read the nonce account and sign with its nonce',
  ],
];

const STAKE: readonly ErrorRow[] = [
  ['NoCreditsToRedeem', 'there are no credits to redeem', 'Wait for the next epoch'],
  ['LockupInForce', 'the stake is locked up', 'Wait for the end of the lockup, or let its custodian sign'],
  ['AlreadyDeactivated', 'the stake is deactivated already', 'Withdraw it once it is inactive'],
  ['TooSoonToRedelegate', 'one delegation an epoch is allowed', 'Wait for the next epoch'],
  ['InsufficientStake', 'the stake does not suffice to split', 'Split less, and leave the minimum delegation in both'],
  ['MergeTransientStake', 'a stake that activates or deactivates cannot be merged', 'Wait for the next epoch'],
  ['MergeMismatch', 'the stakes differ in authorities or lockup', 'Make them equal first'],
  ['CustodianMissing', "the custodian's address is missing", 'Add the custodian to the accounts'],
  ['CustodianSignatureMissing', "the custodian's signature is missing", "Sign with the custodian's key"],
  [
    'InsufficientReferenceVotes',
    'the reference vote account has voted too little',
    'Name a vote account that votes in every epoch',
  ],
  ['VoteAddressMismatch', 'the stake is delegated to another vote account', 'Name the vote account of the delegation'],
  [
    'MinimumDelinquentEpochsForDeactivationNotMet',
    'the vote account has not been delinquent for long enough',
    'Wait until it has missed the required number of epochs',
  ],
  [
    'InsufficientDelegation',
    'the delegation is below the minimum',
    'Delegate at least what getStakeMinimumDelegation says',
  ],
  ['RedelegateTransientOrInactiveStake', 'only an active stake can be redelegated', 'Wait until it is active'],
  ['RedelegateToSameVoteAccount', 'the stake is delegated to this vote account already', 'Name another vote account'],
  [
    'RedelegatedStakeMustFullyActivateBeforeDeactivationIsPermitted',
    'a redelegated stake has to activate fully first',
    'Wait until it is active',
  ],
  ['EpochRewardsActive', 'the rewards of the epoch are being paid', 'Send again some minutes into the epoch'],
];

const VOTE_STATE = "Compare it with the vote account's state; the validator votes by itself";

const VOTE: readonly ErrorRow[] = [
  ['VoteTooOld', 'the vote is recorded already, or is no longer in the slot hashes', VOTE_STATE],
  ['SlotsMismatch', 'the slots of the vote are not those of the bank', VOTE_STATE],
  ['SlotHashMismatch', "the vote's hash is not that of the bank", VOTE_STATE],
  ['EmptySlots', 'the vote names no slots', VOTE_STATE],
  ['TimestampTooOld', 'the time of the vote is older than the last', VOTE_STATE],
  ['TooSoonToReauthorize', 'the authorized voter can change once an epoch', 'Wait for the next epoch'],
  ['LockoutConflict', 'the vote breaks a lockout', VOTE_STATE],
  ['NewVoteStateLockoutMismatch', 'the lockouts of the new vote state do not fit', VOTE_STATE],
  ['SlotsNotOrdered', 'the slots of the vote state are not in order', VOTE_STATE],
  ['ConfirmationsNotOrdered', 'the confirmations of the vote state are not in order', VOTE_STATE],
  ['ZeroConfirmations', 'a vote without confirmations', VOTE_STATE],
  ['ConfirmationTooLarge', 'a vote with more confirmations than there can be', VOTE_STATE],
  ['RootRollBack', 'the root of the vote state would go back', VOTE_STATE],
  ['ConfirmationRollBack', 'confirmations would go back', VOTE_STATE],
  ['SlotSmallerThanRoot', 'a slot of the vote is below the root', VOTE_STATE],
  ['TooManyVotes', 'the vote state has too many votes', VOTE_STATE],
  ['VotesTooOldAllFiltered', 'every slot of the vote is too old', VOTE_STATE],
  ['RootOnDifferentFork', "the vote's root is on another fork", VOTE_STATE],
  [
    'ActiveVoteAccountClose',
    'the vote account has voted too recently to be closed',
    'Wait until it has not voted for two epochs',
  ],
  ['CommissionUpdateTooLate', 'the commission can rise in the first half of an epoch only', 'Wait for the next epoch'],
  ['AssertionFailed', 'the vote program found a state that cannot be', VOTE_STATE],
];

const ASSOCIATED_TOKEN: readonly ErrorRow[] = [
  [
    'InvalidOwner',
    'the associated token account belongs to another owner',
    'Check owner, mint and token program, from which the address is derived',
  ],
];

const OFFSETS = 'Check the offsets, lengths and instruction indexes in the instruction data';

/** The same numbers for Ed25519, secp256k1 and secp256r1. */
const PRECOMPILE: readonly ErrorRow[] = [
  ['InvalidPublicKey', 'a public key is not valid', 'Check the public key, and where the instruction data says it is'],
  ['InvalidRecoveryId', 'a recovery id is not valid', 'Give 0, 1, 2 or 3 as the recovery id, without 27'],
  [
    'InvalidSignature',
    'a signature does not verify',
    'Check that key, message and signature belong together, and that an ECDSA signature has the low S',
  ],
  ['InvalidDataOffsets', 'the instruction data points outside of an instruction', OFFSETS],
  [
    'InvalidInstructionDataSize',
    'the instruction data does not have the size that its signatures need',
    'Write the number of signatures, then one block of offsets for each',
  ],
];

/** By the program's address. */
export const BUILTIN_ERRORS: readonly (readonly [program: string, errors: readonly ErrorRow[]])[] = [
  ['11111111111111111111111111111111', SYSTEM],
  ['Stake11111111111111111111111111111111111111', STAKE],
  ['Vote111111111111111111111111111111111111111', VOTE],
  ['ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL', ASSOCIATED_TOKEN],
  ...[...PRECOMPILES].map((program) => [program, PRECOMPILE] as const),
];
