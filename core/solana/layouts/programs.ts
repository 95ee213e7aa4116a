// The instructions of the programs every cluster has, by program.
import { COMPUTE_BUDGET_PROGRAM } from '../chain/addresses';
import { BYTES_UNIT, LAMPORTS, restText, u32, u64 } from './layout';
import {
  ASSOCIATED_TOKEN,
  FIXED_LOADER,
  LOADER_WRITE,
  LOOKUP_TABLE,
  STAKE,
  SYSTEM,
  UPGRADEABLE_LOADER,
  VOTE,
} from './natives';
import { shape, type InstructionShape, type ProgramShape } from './shape';
import { SPL_TOKEN, TOKEN_2022 } from './tokenPrograms';

const COMPUTE_BUDGET = [
  shape('requestUnits', '', ['units', u32({ kind: 'computeUnits' })], ['additionalFee', u32(LAMPORTS)]),
  shape('requestHeapFrame', '', ['bytes', u32(BYTES_UNIT)]),
  shape('setComputeUnitLimit', '', ['units', u32({ kind: 'computeUnits' })]),
  shape('setComputeUnitPrice', '', ['microLamports', u64({ kind: 'microLamports' })]),
  shape('setLoadedAccountsDataSizeLimit', '', ['bytes', u32(BYTES_UNIT)]),
];

const LOADER_V4 = [
  shape('write', 'account authority', ...LOADER_WRITE),
  shape(
    'copy',
    'account authority source',
    ['destinationOffset', u32(BYTES_UNIT)],
    ['sourceOffset', u32(BYTES_UNIT)],
    ['length', u32(BYTES_UNIT)],
  ),
  shape('setProgramLength', 'account authority recipient', ['newSize', u32(BYTES_UNIT)]),
  shape('deploy', 'account authority source'),
  shape('retract', 'account authority'),
  shape('transferAuthority', 'account authority newAuthority'),
  shape('finalize', 'account authority nextVersion'),
];

const numbered = (width: 1 | 4, shapes: readonly (InstructionShape | undefined)[]): ProgramShape => ({
  kind: 'numbered',
  width,
  shapes,
});
const memo: ProgramShape = { kind: 'single', shape: shape('memo', 'signer…', ['memo', restText]) };

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
