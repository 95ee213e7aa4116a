// The instructions of the programs every cluster has, as tables: number, name, the accounts' roles, the arguments.
// Names and roles are those nodes use in jsonParsed, or the programs' own in camelCase.
import {
  bincodeList,
  hash,
  i64,
  integerValue,
  items,
  LAMPORTS,
  option,
  PERCENT_UNIT,
  pubkey,
  SLOT_UNIT,
  struct,
  textValue,
  u32,
  u64,
  u8,
  UNIX_TIME,
  EPOCH,
  type LayoutRead,
  type LayoutRow,
} from '../layout';
import type { ByteReader } from '../../encoding/bytes';
import { COMPUTE_BUDGET_PROGRAM } from '../../chain/addresses';
import type { DecodedUnit } from '../unit';
import { shape, type InstructionShape, type ProgramShape } from './shape';
import { SPL_TOKEN, TOKEN_2022 } from './tokenPrograms';

const BYTES: DecodedUnit = { kind: 'bytes' };
const UTF8 = new TextDecoder('utf-8');

/** Text after its length in eight bytes, as bincode writes it. */
const bincodeText: LayoutRead = (reader) => textValue(UTF8.decode(reader.take(Number(reader.u64()))));
const bincodeBytes: LayoutRead = (reader) => ({ kind: 'bytes', bytes: reader.take(Number(reader.u64())) });
const wholeText: LayoutRead = (reader) => textValue(UTF8.decode(reader.take(reader.left)));
/** An enum in four bytes. */
const wordOf =
  (...names: readonly string[]): LayoutRead =>
  (reader) => {
    const number = reader.u32();
    const name = names[number];
    return name === undefined ? integerValue(number) : textValue(name);
  };

const SPACE: LayoutRow = ['space', u64(BYTES)];
const AMOUNT: LayoutRow = ['lamports', u64(LAMPORTS)];
const OWNER: LayoutRow = ['owner', pubkey];
const BASE: LayoutRow = ['base', pubkey];
const SEED: LayoutRow = ['seed', bincodeText];

const SYSTEM = [
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
];

const COMPUTE_BUDGET = [
  shape('requestUnits', '', ['units', u32({ kind: 'computeUnits' })], ['additionalFee', u32(LAMPORTS)]),
  shape('requestHeapFrame', '', ['bytes', u32(BYTES)]),
  shape('setComputeUnitLimit', '', ['units', u32({ kind: 'computeUnits' })]),
  shape('setComputeUnitPrice', '', ['microLamports', u64({ kind: 'microLamports' })]),
  shape('setLoadedAccountsDataSizeLimit', '', ['bytes', u32(BYTES)]),
];

const ATA_ROLES = 'source account wallet mint systemProgram tokenProgram';
const ASSOCIATED_TOKEN = [
  shape('create', ATA_ROLES),
  shape('createIdempotent', ATA_ROLES),
  shape('recoverNested', 'nestedSource nestedMint destination nestedOwner ownerMint wallet tokenProgram'),
];

const STAKE_AUTHORITY = wordOf('staker', 'withdrawer');
const LOCKUP_ARGS: readonly LayoutRow[] = [
  ['unixTimestamp', option(i64(UNIX_TIME))],
  ['epoch', option(u64(EPOCH))],
];
const STAKE = [
  shape(
    'initialize',
    'stakeAccount rentSysvar',
    ['authorized', struct(['staker', pubkey], ['withdrawer', pubkey])],
    ['lockup', struct(['unixTimestamp', i64(UNIX_TIME)], ['epoch', u64(EPOCH)], ['custodian', pubkey])],
  ),
  shape(
    'authorize',
    'stakeAccount clockSysvar authority custodian',
    ['newAuthority', pubkey],
    ['authorityType', STAKE_AUTHORITY],
  ),
  shape('delegate', 'stakeAccount voteAccount clockSysvar stakeHistorySysvar stakeConfigAccount stakeAuthority'),
  shape('split', 'stakeAccount newSplitAccount stakeAuthority', AMOUNT),
  shape('withdraw', 'stakeAccount destination clockSysvar stakeHistorySysvar withdrawAuthority custodian', AMOUNT),
  shape('deactivate', 'stakeAccount clockSysvar stakeAuthority'),
  shape('setLockup', 'stakeAccount custodian', ...LOCKUP_ARGS, ['custodian', option(pubkey)]),
  shape('merge', 'destination source clockSysvar stakeHistorySysvar stakeAuthority'),
  shape(
    'authorizeWithSeed',
    'stakeAccount authorityBase clockSysvar custodian',
    ['newAuthorized', pubkey],
    ['authorityType', STAKE_AUTHORITY],
    ['authoritySeed', bincodeText],
    ['authorityOwner', pubkey],
  ),
  shape('initializeChecked', 'stakeAccount rentSysvar staker withdrawer'),
  shape('authorizeChecked', 'stakeAccount clockSysvar authority newAuthority custodian', [
    'authorityType',
    STAKE_AUTHORITY,
  ]),
  shape(
    'authorizeCheckedWithSeed',
    'stakeAccount authorityBase clockSysvar newAuthorized custodian',
    ['authorityType', STAKE_AUTHORITY],
    ['authoritySeed', bincodeText],
    ['authorityOwner', pubkey],
  ),
  shape('setLockupChecked', 'stakeAccount custodian newCustodian', ...LOCKUP_ARGS),
  shape('getMinimumDelegation', ''),
  shape('deactivateDelinquent', 'stakeAccount voteAccount referenceVoteAccount'),
  shape('redelegate', 'stakeAccount newStakeAccount voteAccount stakeConfigAccount stakeAuthority'),
  shape('moveStake', 'source destination stakeAuthority', AMOUNT),
  shape('moveLamports', 'source destination stakeAuthority', AMOUNT),
];

const VOTER = wordOf('voter', 'withdrawer');
const TIMESTAMP: LayoutRow = ['timestamp', option(i64(UNIX_TIME))];
const HASH: LayoutRow = ['hash', hash];
const SWITCH: LayoutRow = ['switchProofHash', hash];
const VOTE_ROWS: readonly LayoutRow[] = [['slots', bincodeList(u64(SLOT_UNIT), 8)], HASH, TIMESTAMP];
const UPDATE_ROWS: readonly LayoutRow[] = [
  ['lockouts', bincodeList(struct(['slot', u64(SLOT_UNIT)], ['confirmationCount', u32()]), 12)],
  ['root', option(u64(SLOT_UNIT))],
  HASH,
  TIMESTAMP,
];
/** Offsets of seven bits a byte, low bits first. */
const varint: LayoutRead = (reader) => {
  let value = 0n;
  for (let shift = 0n; shift < 63n; shift += 7n) {
    const byte = reader.u8();
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  return integerValue(value);
};
const offsets = (reader: ByteReader): ReturnType<LayoutRead> =>
  items(reader, reader.compactU16(), struct(['offset', varint], ['confirmationCount', u8()]));
const COMPACT_ROWS: readonly LayoutRow[] = [['root', u64(SLOT_UNIT)], ['lockoutOffsets', offsets], HASH, TIMESTAMP];
const TOWER_ROWS: readonly LayoutRow[] = [...COMPACT_ROWS, ['blockId', hash]];
const VOTING = 'voteAccount voteAuthority';
const VOTE = [
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
];

const LOOKUP_TABLE = [
  shape(
    'createLookupTable',
    'lookupTableAccount lookupTableAuthority payerAccount systemProgram',
    ['recentSlot', u64(SLOT_UNIT)],
    ['bumpSeed', u8()],
  ),
  shape('freezeLookupTable', 'lookupTableAccount lookupTableAuthority'),
  shape('extendLookupTable', 'lookupTableAccount lookupTableAuthority payerAccount systemProgram', [
    'newAddresses',
    bincodeList(pubkey, 32),
  ]),
  shape('deactivateLookupTable', 'lookupTableAccount lookupTableAuthority'),
  shape('closeLookupTable', 'lookupTableAccount lookupTableAuthority recipient'),
];

const WRITE: readonly LayoutRow[] = [
  ['offset', u32(BYTES)],
  ['bytes', bincodeBytes],
];
const UPGRADEABLE_LOADER = [
  shape('initializeBuffer', 'account authority'),
  shape('write', 'account authority', ...WRITE),
  shape(
    'deployWithMaxDataLen',
    'payerAccount programDataAccount programAccount bufferAccount rentSysvar clockSysvar systemProgram authority',
    ['maxDataLen', u64(BYTES)],
  ),
  shape('upgrade', 'programDataAccount programAccount bufferAccount spillAccount rentSysvar clockSysvar authority'),
  shape('setAuthority', 'account authority newAuthority'),
  shape('close', 'account recipient authority programAccount'),
  shape('extendProgram', 'programDataAccount programAccount systemProgram payerAccount', [
    'additionalBytes',
    u32(BYTES),
  ]),
  shape('setAuthorityChecked', 'account authority newAuthority'),
  shape('migrate', 'programDataAccount programAccount authority'),
  shape('extendProgramChecked', 'programDataAccount programAccount authority systemProgram payerAccount', [
    'additionalBytes',
    u32(BYTES),
  ]),
];

const LOADER_V4 = [
  shape('write', 'account authority', ...WRITE),
  shape(
    'copy',
    'account authority source',
    ['destinationOffset', u32(BYTES)],
    ['sourceOffset', u32(BYTES)],
    ['length', u32(BYTES)],
  ),
  shape('setProgramLength', 'account authority recipient', ['newSize', u32(BYTES)]),
  shape('deploy', 'account authority source'),
  shape('retract', 'account authority'),
  shape('transferAuthority', 'account authority newAuthority'),
  shape('finalize', 'account authority nextVersion'),
];

const FIXED_LOADER = [shape('write', 'account', ...WRITE), shape('finalize', 'account rentSysvar')];

const numbered = (width: 1 | 4, shapes: readonly (InstructionShape | undefined)[]): ProgramShape => ({
  kind: 'numbered',
  width,
  shapes,
});
const memo: ProgramShape = { kind: 'single', shape: shape('memo', 'signer…', ['memo', wholeText]) };

export const PROGRAM_SHAPES: ReadonlyMap<string, ProgramShape> = new Map<string, ProgramShape>([
  ['11111111111111111111111111111111', numbered(4, SYSTEM)],
  [COMPUTE_BUDGET_PROGRAM, numbered(1, COMPUTE_BUDGET)],
  ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', numbered(1, SPL_TOKEN)],
  ['TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb', numbered(1, TOKEN_2022)],
  ['ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL', numbered(1, ASSOCIATED_TOKEN)],
  ['MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', memo],
  ['Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo', memo],
  ['Stake11111111111111111111111111111111111111', numbered(4, STAKE)],
  ['Vote111111111111111111111111111111111111111', numbered(4, VOTE)],
  ['AddressLookupTab1e1111111111111111111111111', numbered(4, LOOKUP_TABLE)],
  ['BPFLoaderUpgradeab1e11111111111111111111111', numbered(4, UPGRADEABLE_LOADER)],
  ['LoaderV411111111111111111111111111111111111', numbered(4, LOADER_V4)],
  ['BPFLoader2111111111111111111111111111111111', numbered(4, FIXED_LOADER)],
  ['BPFLoader1111111111111111111111111111111111', numbered(4, FIXED_LOADER)],
]);
