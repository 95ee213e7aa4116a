// The instructions of the node's own programs, as tables: number, name, the accounts' roles, the arguments. Names and roles
// are those nodes use in jsonParsed, or the programs' own in camelCase.
import {
  BASIS_POINTS,
  bincodeList,
  bincodeText,
  bytes,
  BYTES_UNIT,
  countedBytes,
  EPOCH,
  hash,
  i64,
  LAMPORTS,
  option,
  PERCENT_UNIT,
  pubkey,
  rest,
  SLOT_UNIT,
  struct,
  u16,
  u32,
  u64,
  u8,
  UNIX_TIME,
  varint,
  wordOf,
  type LayoutRow,
} from './layout';
import { LOCKUP } from './stakeAccount';
import { shape } from './shape';

const SPACE: LayoutRow = ['space', u64(BYTES_UNIT)];
const AMOUNT: LayoutRow = ['lamports', u64(LAMPORTS)];
const OWNER: LayoutRow = ['owner', pubkey];
const BASE: LayoutRow = ['base', pubkey];
const SEED: LayoutRow = ['seed', bincodeText];

export const SYSTEM = [
  shape('createAccount', 'source newAccount', AMOUNT, SPACE, OWNER),
  shape('assign', 'account', OWNER),
  shape('transfer', 'source destination', AMOUNT),
  shape('createAccountWithSeed', 'source newAccount base', BASE, SEED, AMOUNT, SPACE, OWNER),
  shape('advanceNonce', 'nonceAccount recentBlockhashesSysvar nonceAuthority'),
  shape('withdrawFromNonce', 'nonceAccount destination recentBlockhashesSysvar rentSysvar nonceAuthority', AMOUNT),
  shape('initializeNonce', 'nonceAccount recentBlockhashesSysvar rentSysvar', ['nonceAuthority', pubkey]),
  shape('authorizeNonce', 'nonceAccount nonceAuthority', ['newAuthorized', pubkey]),
  shape('allocate', 'account', SPACE),
  shape('allocateWithSeed', 'account base', BASE, SEED, SPACE, OWNER),
  shape('assignWithSeed', 'account base', BASE, SEED, OWNER),
  shape(
    'transferWithSeed',
    'source sourceBase destination',
    AMOUNT,
    ['sourceSeed', bincodeText],
    ['sourceOwner', pubkey],
  ),
  shape('upgradeNonce', 'nonceAccount'),
  shape('createAccountAllowPrefund', 'newAccount source?', AMOUNT, SPACE, OWNER),
];

const ATA_ROLES = 'source account wallet mint systemProgram tokenProgram';
export const ASSOCIATED_TOKEN = [
  shape('create', ATA_ROLES),
  shape('createIdempotent', ATA_ROLES),
  shape('recoverNested', 'nestedSource nestedMint destination nestedOwner ownerMint wallet tokenProgram'),
];

const STAKE_AUTHORITY = wordOf('staker', 'withdrawer');
const LOCKUP_ARGS: readonly LayoutRow[] = [
  ['unixTimestamp', option(i64(UNIX_TIME))],
  ['epoch', option(u64(EPOCH))],
];
export const STAKE = [
  shape(
    'initialize',
    'stakeAccount rentSysvar',
    ['authorized', struct(['staker', pubkey], ['withdrawer', pubkey])],
    ['lockup', LOCKUP],
  ),
  shape(
    'authorize',
    'stakeAccount clockSysvar authority custodian?',
    ['newAuthority', pubkey],
    ['authorityType', STAKE_AUTHORITY],
  ),
  shape('delegate', 'stakeAccount voteAccount clockSysvar stakeHistorySysvar stakeConfigAccount stakeAuthority?'),
  shape('split', 'stakeAccount newSplitAccount stakeAuthority?', AMOUNT),
  shape('withdraw', 'stakeAccount destination clockSysvar stakeHistorySysvar withdrawAuthority custodian?', AMOUNT),
  shape('deactivate', 'stakeAccount clockSysvar stakeAuthority?'),
  shape('setLockup', 'stakeAccount custodian', ...LOCKUP_ARGS, ['custodian', option(pubkey)]),
  shape('merge', 'destination source clockSysvar stakeHistorySysvar stakeAuthority?'),
  shape(
    'authorizeWithSeed',
    'stakeAccount authorityBase clockSysvar custodian?',
    ['newAuthorized', pubkey],
    ['authorityType', STAKE_AUTHORITY],
    ['authoritySeed', bincodeText],
    ['authorityOwner', pubkey],
  ),
  shape('initializeChecked', 'stakeAccount rentSysvar staker withdrawer'),
  shape('authorizeChecked', 'stakeAccount clockSysvar authority newAuthority custodian?', [
    'authorityType',
    STAKE_AUTHORITY,
  ]),
  shape(
    'authorizeCheckedWithSeed',
    'stakeAccount authorityBase clockSysvar newAuthorized custodian?',
    ['authorityType', STAKE_AUTHORITY],
    ['authoritySeed', bincodeText],
    ['authorityOwner', pubkey],
  ),
  shape('setLockupChecked', 'stakeAccount custodian newCustodian?', ...LOCKUP_ARGS),
  shape('getMinimumDelegation', ''),
  shape('deactivateDelinquent', 'stakeAccount voteAccount referenceVoteAccount'),
  shape('redelegate', 'stakeAccount newStakeAccount voteAccount stakeConfigAccount stakeAuthority'),
  shape('moveStake', 'source destination stakeAuthority', AMOUNT),
  shape('moveLamports', 'source destination stakeAuthority', AMOUNT),
];

const VOTER = wordOf('voter', 'withdrawer');
const TIMESTAMP: LayoutRow = ['timestamp', option(i64(UNIX_TIME))];
const HASH: LayoutRow = ['hash', hash];
const SWITCH: LayoutRow = ['switchProofHash', hash, 'hash'];
const VOTE_ROWS: readonly LayoutRow[] = [['slots', bincodeList(u64(SLOT_UNIT), 8)], HASH, TIMESTAMP];
const UPDATE_ROWS: readonly LayoutRow[] = [
  ['lockouts', bincodeList(struct(['slot', u64(SLOT_UNIT)], ['confirmationCount', u32(), 'confirmation_count']), 12)],
  ['root', option(u64(SLOT_UNIT))],
  HASH,
  TIMESTAMP,
];
const OFFSETS: LayoutRow = [
  'lockoutOffsets',
  {
    kind: 'list',
    count: 'compact',
    of: struct(['offset', varint], ['confirmationCount', u8()]),
    width: 2,
    isVariable: true,
  },
];
const COMPACT_ROWS: readonly LayoutRow[] = [['root', u64(SLOT_UNIT)], OFFSETS, HASH, TIMESTAMP];
const TOWER_ROWS: readonly LayoutRow[] = [...COMPACT_ROWS, ['blockId', hash]];
const VOTING = 'voteAccount voteAuthority';
const COMMISSION_KIND: LayoutRow = ['commissionKind', wordOf('inflationRewards', 'blockRevenue')];
export const VOTE = [
  shape(
    'initialize',
    'voteAccount rentSysvar clockSysvar node',
    ['node', pubkey],
    ['authorizedVoter', pubkey],
    ['authorizedWithdrawer', pubkey],
    ['commission', u8(PERCENT_UNIT)],
  ),
  shape('authorize', 'voteAccount clockSysvar authority', ['newAuthority', pubkey], ['authorityType', VOTER]),
  shape('vote', 'voteAccount slotHashesSysvar clockSysvar voteAuthority', ...VOTE_ROWS),
  shape('withdraw', 'voteAccount destination withdrawAuthority', AMOUNT),
  shape('updateValidatorIdentity', 'voteAccount newValidatorIdentity withdrawAuthority'),
  shape('updateCommission', 'voteAccount withdrawAuthority', ['commission', u8(PERCENT_UNIT)]),
  shape('voteSwitch', 'voteAccount slotHashesSysvar clockSysvar voteAuthority', ...VOTE_ROWS, SWITCH),
  shape('authorizeChecked', 'voteAccount clockSysvar authority newAuthority', ['authorityType', VOTER]),
  shape('updateVoteState', VOTING, ...UPDATE_ROWS),
  shape('updateVoteStateSwitch', VOTING, ...UPDATE_ROWS, SWITCH),
  shape(
    'authorizeWithSeed',
    'voteAccount clockSysvar authorityBaseKey',
    ['authorityType', VOTER],
    ['authorityOwner', pubkey],
    ['authoritySeed', bincodeText],
    ['newAuthority', pubkey],
  ),
  shape(
    'authorizeCheckedWithSeed',
    'voteAccount clockSysvar authorityBaseKey newAuthority',
    ['authorityType', VOTER],
    ['authorityOwner', pubkey],
    ['authoritySeed', bincodeText],
  ),
  shape('compactUpdateVoteState', VOTING, ...COMPACT_ROWS),
  shape('compactUpdateVoteStateSwitch', VOTING, ...COMPACT_ROWS, SWITCH),
  shape('towerSync', VOTING, ...TOWER_ROWS),
  shape('towerSyncSwitch', VOTING, ...TOWER_ROWS, SWITCH),
  shape(
    'initializeV2',
    'voteAccount node inflationRewardsCollector? blockRevenueCollector?',
    ['node', pubkey, null],
    ['authorizedVoter', pubkey],
    ['blsPubkey', bytes(48), null],
    ['blsProof', bytes(96), null],
    ['authorizedWithdrawer', pubkey],
    // The collectors are among them, or, in the later form, among the accounts.
    ['commissions', rest, null],
  ),
  shape('updateCommissionCollector', 'voteAccount newCollector withdrawAuthority', COMMISSION_KIND),
  shape('updateCommissionBps', 'voteAccount withdrawAuthority', ['commissionBps', u16(BASIS_POINTS)], COMMISSION_KIND),
  shape('depositDelegatorRewards', 'voteAccount source', ['deposit', u64(LAMPORTS)]),
];

export const LOOKUP_TABLE = [
  shape(
    'createLookupTable',
    'lookupTableAccount lookupTableAuthority payerAccount systemProgram',
    ['recentSlot', u64(SLOT_UNIT)],
    ['bumpSeed', u8()],
  ),
  shape('freezeLookupTable', 'lookupTableAccount lookupTableAuthority'),
  shape('extendLookupTable', 'lookupTableAccount lookupTableAuthority payerAccount? systemProgram?', [
    'newAddresses',
    bincodeList(pubkey, 32),
  ]),
  shape('deactivateLookupTable', 'lookupTableAccount lookupTableAuthority'),
  shape('closeLookupTable', 'lookupTableAccount lookupTableAuthority recipient'),
];

export const LOADER_WRITE: readonly LayoutRow[] = [
  ['offset', u32(BYTES_UNIT)],
  ['bytes', countedBytes],
];
export const UPGRADEABLE_LOADER = [
  shape('initializeBuffer', 'account authority?'),
  shape('write', 'account authority', ...LOADER_WRITE),
  shape(
    'deployWithMaxDataLen',
    'payerAccount programDataAccount programAccount bufferAccount rentSysvar clockSysvar systemProgram authority',
    ['maxDataLen', u64(BYTES_UNIT)],
  ),
  shape('upgrade', 'programDataAccount programAccount bufferAccount spillAccount rentSysvar clockSysvar authority'),
  shape('setAuthority', 'account authority newAuthority?'),
  shape('close', 'account recipient authority programAccount?'),
  shape('extendProgram', 'programDataAccount programAccount systemProgram? payerAccount?', [
    'additionalBytes',
    u32(BYTES_UNIT),
  ]),
  shape('setAuthorityChecked', 'account authority newAuthority'),
  shape('migrate', 'programDataAccount programAccount authority'),
  shape('extendProgramChecked', 'programDataAccount programAccount authority systemProgram? payerAccount?', [
    'additionalBytes',
    u32(BYTES_UNIT),
  ]),
];

export const FIXED_LOADER = [shape('write', 'account', ...LOADER_WRITE), shape('finalize', 'account rentSysvar')];
