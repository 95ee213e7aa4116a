// The instructions of the SPL Token program, and those Token-2022 adds.
import {
  BASIS_POINTS,
  LAMPORTS,
  option,
  pubkey,
  quotedNumber,
  rest,
  restText,
  TOKENS,
  u16,
  u64,
  u8,
  wordByNumber,
  type LayoutRow,
  type LayoutType,
} from './layout';
import { BATCH, shape, type InstructionShape } from './shape';

/** Raw tokens: the mint's decimals are not in the instruction. */
export const RAW: LayoutRow = ['amount', quotedNumber(u64(TOKENS))];
/** An amount whose decimals are in the byte after it. */
export const CHECKED: readonly LayoutRow[] = [
  ['amount', { kind: 'checkedTokens' }, 'tokenAmount'],
  ['decimals', u8(), null],
];
const MINT_ROWS: readonly LayoutRow[] = [
  ['decimals', u8()],
  ['mintAuthority', pubkey],
  ['freezeAuthority', option(pubkey)],
];

const AUTHORITY = wordByNumber(
  'mintTokens',
  'freezeAccount',
  'accountOwner',
  'closeAccount',
  'transferFeeConfig',
  'withheldWithdraw',
  'closeMint',
  'interestRate',
  'permanentDelegate',
  'confidentialTransferMint',
  'transferHookProgramId',
  'confidentialTransferFeeConfig',
  'metadataPointer',
  'groupPointer',
  'groupMemberPointer',
  'scaledUiAmount',
  'pause',
  'permissionedBurn',
);

const extensionTypes: LayoutType = { kind: 'list', count: 'rest', of: u16(), width: 2 };

/** By their number; both token programs have these. */
const TOKEN_INSTRUCTIONS: readonly InstructionShape[] = [
  shape('initializeMint', 'mint rentSysvar', ...MINT_ROWS),
  shape('initializeAccount', 'account mint owner rentSysvar'),
  shape('initializeMultisig', 'multisig rentSysvar signer…', ['m', u8()]),
  shape('transfer', 'source destination authority signer…', RAW),
  shape('approve', 'source delegate owner signer…', RAW),
  shape('revoke', 'source owner signer…'),
  shape('setAuthority', 'account authority signer…', ['authorityType', AUTHORITY], ['newAuthority', option(pubkey)]),
  shape('mintTo', 'mint account mintAuthority signer…', RAW),
  shape('burn', 'account mint authority signer…', RAW),
  shape('closeAccount', 'account destination owner signer…'),
  shape('freezeAccount', 'account mint freezeAuthority signer…'),
  shape('thawAccount', 'account mint freezeAuthority signer…'),
  shape('transferChecked', 'source mint destination authority signer…', ...CHECKED),
  shape('approveChecked', 'source mint delegate owner signer…', ...CHECKED),
  shape('mintToChecked', 'mint account mintAuthority signer…', ...CHECKED),
  shape('burnChecked', 'account mint authority signer…', ...CHECKED),
  shape('initializeAccount2', 'account mint rentSysvar', ['owner', pubkey]),
  shape('syncNative', 'account'),
  shape('initializeAccount3', 'account mint', ['owner', pubkey]),
  shape('initializeMultisig2', 'multisig signer…', ['m', u8()]),
  shape('initializeMint2', 'mint', ...MINT_ROWS),
  shape('getAccountDataSize', 'mint', ['extensionTypes', extensionTypes]),
  shape('initializeImmutableOwner', 'account'),
  shape('amountToUiAmount', 'mint', RAW),
  shape('uiAmountToAmount', 'mint', ['uiAmount', restText]),
];

const FEE: LayoutRow = ['transferFeeBasisPoints', u16(BASIS_POINTS)];
const MAXIMUM: LayoutRow = ['maximumFee', u64(TOKENS)];
export const FEE_EXTENSION: readonly InstructionShape[] = [
  shape(
    'initializeTransferFeeConfig',
    'mint',
    ['transferFeeConfigAuthority', option(pubkey)],
    ['withdrawWithheldAuthority', option(pubkey)],
    FEE,
    MAXIMUM,
  ),
  shape('transferCheckedWithFee', 'source mint destination authority signer…', ...CHECKED, ['fee', u64(TOKENS)]),
  shape('withdrawWithheldTokensFromMint', 'mint feeRecipient withdrawWithheldAuthority signer…'),
  shape('withdrawWithheldTokensFromAccounts', 'mint feeRecipient withdrawWithheldAuthority account…', ['count', u8()]),
  shape('harvestWithheldTokensToMint', 'mint sourceAccount…'),
  shape('setTransferFee', 'mint transferFeeConfigAuthority signer…', FEE, MAXIMUM),
];

/** An extension numbers its own instructions; most of them are not decoded further. */
const extension = (name: string, roles = 'mint'): InstructionShape =>
  shape(name, roles, ['instruction', u8()], ['data', rest]);

/** By their number, from 25 on. */
const TOKEN_2022_ONLY: readonly InstructionShape[] = [
  shape('initializeMintCloseAuthority', 'mint', ['newAuthority', option(pubkey)]),
  { ...extension('transferFeeExtension'), inner: FEE_EXTENSION },
  extension('confidentialTransferExtension', ''),
  extension('defaultAccountStateExtension'),
  shape('reallocate', 'account payer systemProgram owner signer…', ['extensionTypes', extensionTypes]),
  extension('memoTransferExtension', 'account owner signer…'),
  shape('createNativeMint', 'payer nativeMint systemProgram'),
  shape('initializeNonTransferableMint', 'mint'),
  extension('interestBearingMintExtension'),
  extension('cpiGuardExtension', 'account owner signer…'),
  shape('initializePermanentDelegate', 'mint', ['delegate', pubkey]),
  extension('transferHookExtension'),
  extension('confidentialTransferFeeExtension', ''),
  shape('withdrawExcessLamports', 'source destination authority signer…'),
  extension('metadataPointerExtension'),
  extension('groupPointerExtension'),
  extension('groupMemberPointerExtension'),
  extension('confidentialMintBurnExtension', ''),
  extension('scaledUiAmountExtension'),
  extension('pausableExtension'),
  shape('unwrapLamports', 'source destination authority signer…', ['amount', option(u64(LAMPORTS))]),
  extension('permissionedBurnExtension', ''),
];

/** Those of them that SPL Token has as well, since p-token. */
const SHARED: ReadonlySet<string> = new Set(['withdrawExcessLamports', 'unwrapLamports']);

const withBatch = (shapes: readonly (InstructionShape | undefined)[]): readonly (InstructionShape | undefined)[] =>
  Array.from({ length: 256 }, (_, number) => (number === 255 ? BATCH : shapes[number]));

/** By their number. */
export const TOKEN_2022 = withBatch([...TOKEN_INSTRUCTIONS, ...TOKEN_2022_ONLY]);
export const SPL_TOKEN = withBatch([
  ...TOKEN_INSTRUCTIONS,
  ...TOKEN_2022_ONLY.map((one) => (SHARED.has(one.name) ? one : undefined)),
]);
