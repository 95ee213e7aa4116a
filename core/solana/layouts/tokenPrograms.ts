// The instructions of the SPL Token program, and those Token-2022 adds.
import {
  BASIS_POINTS,
  f64,
  i16,
  i64,
  LAMPORTS,
  option,
  optionalPubkey,
  pubkey,
  quotedNumber,
  rest,
  restText,
  TOKENS,
  u16,
  u64,
  u8,
  UNIX_TIME,
  wordByNumber,
  type LayoutRow,
  type LayoutType,
} from './layout';
import { BATCH, shape, type InstructionShape } from './shape';

/** Raw tokens: the mint's decimals are not in the instruction. */
const RAW: LayoutRow = ['amount', quotedNumber(u64(TOKENS))];
/** An amount whose decimals are in the byte after it. */
const CHECKED: readonly LayoutRow[] = [
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
const FEES: readonly InstructionShape[] = [
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

const AUTHORITY_KEY: LayoutRow = ['authority', optionalPubkey];
const STATE: LayoutRow = ['accountState', wordByNumber('uninitialized', 'initialized', 'frozen')];
const BURN_ROLES = 'account mint permissionedBurnAuthority authority signer…';

/** A mint that points at something: set with an authority, then changed by it. */
const pointer = (name: string, target: string): readonly InstructionShape[] => [
  shape(`initialize${name}`, 'mint', AUTHORITY_KEY, [target, optionalPubkey]),
  shape(`update${name}`, 'mint authority signer…', [target, optionalPubkey]),
];

/** A rule of an account that its owner turns on and off. */
const rule = (name: string): readonly InstructionShape[] =>
  ['enable', 'disable'].map((verb) => shape(`${verb}${name}`, 'account owner signer…'));

/** An extension numbers its own instructions. Those that are not in the table are not decoded further. */
const extension = (name: string, inner: readonly InstructionShape[] = []): InstructionShape => ({
  ...shape(name, '', ['instruction', u8()], ['data', rest]),
  inner,
});

/** By their number, from 25 on. */
const TOKEN_2022_ONLY: readonly InstructionShape[] = [
  shape('initializeMintCloseAuthority', 'mint', ['newAuthority', option(pubkey)]),
  extension('transferFeeExtension', FEES),
  extension('confidentialTransferExtension'),
  extension('defaultAccountStateExtension', [
    shape('initializeDefaultAccountState', 'mint', STATE),
    shape('updateDefaultAccountState', 'mint freezeAuthority signer…', STATE),
  ]),
  shape('reallocate', 'account payer systemProgram owner signer…', ['extensionTypes', extensionTypes]),
  extension('memoTransferExtension', rule('RequiredMemoTransfers')),
  shape('createNativeMint', 'payer nativeMint systemProgram'),
  shape('initializeNonTransferableMint', 'mint'),
  extension('interestBearingMintExtension', [
    shape('initializeInterestBearingConfig', 'mint', ['rateAuthority', optionalPubkey], ['rate', i16(BASIS_POINTS)]),
    shape('updateInterestBearingConfigRate', 'mint rateAuthority signer…', ['newRate', i16(BASIS_POINTS)]),
  ]),
  extension('cpiGuardExtension', rule('CpiGuard')),
  shape('initializePermanentDelegate', 'mint', ['delegate', pubkey]),
  extension('transferHookExtension', pointer('TransferHook', 'programId')),
  extension('confidentialTransferFeeExtension'),
  shape('withdrawExcessLamports', 'source destination authority signer…'),
  extension('metadataPointerExtension', pointer('MetadataPointer', 'metadataAddress')),
  extension('groupPointerExtension', pointer('GroupPointer', 'groupAddress')),
  extension('groupMemberPointerExtension', pointer('GroupMemberPointer', 'memberAddress')),
  extension('confidentialMintBurnExtension'),
  extension('scaledUiAmountExtension', [
    shape('initializeScaledUiAmountConfig', 'mint', AUTHORITY_KEY, ['multiplier', quotedNumber(f64)]),
    shape(
      'updateMultiplier',
      'mint authority signer…',
      ['newMultiplier', quotedNumber(f64)],
      ['newMultiplierTimestamp', i64(UNIX_TIME)],
    ),
  ]),
  extension('pausableExtension', [
    shape('initializePausableConfig', 'mint', AUTHORITY_KEY),
    shape('pause', 'mint authority signer…'),
    shape('resume', 'mint authority signer…'),
  ]),
  shape('unwrapLamports', 'source destination authority signer…', ['amount', option(quotedNumber(u64(LAMPORTS)))]),
  extension('permissionedBurnExtension', [
    shape('initializePermissionedBurnConfig', 'mint', ['authority', pubkey]),
    shape('permissionedBurn', BURN_ROLES, RAW),
    shape('permissionedBurnChecked', BURN_ROLES, ...CHECKED),
    shape('permissionedConfidentialBurn', '', ['data', rest]),
  ]),
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
