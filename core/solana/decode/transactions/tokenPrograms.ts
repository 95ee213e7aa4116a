// The instructions of the SPL Token program, and those Token-2022 adds.
import {
  BASIS_POINTS,
  integerValue,
  items,
  wordByNumber,
  option,
  pubkey,
  rest,
  textValue,
  u16,
  u64,
  u8,
  type LayoutRead,
  type LayoutRow,
} from '../layout';
import { BATCH, shape, type InstructionShape } from './shape';

const UTF8 = new TextDecoder('utf-8');
const wholeText: LayoutRead = (reader) => textValue(UTF8.decode(reader.take(reader.left)));

/** Raw tokens: the mint's decimals are not in the instruction. */
const RAW: LayoutRow = ['amount', u64({ kind: 'tokens' })];
/** An amount whose decimals are in the byte after it. */
const CHECKED: readonly LayoutRow[] = [
  [
    'amount',
    (reader) => {
      const amount = reader.u64();
      return integerValue(amount, { kind: 'tokens', decimals: reader.bytes[reader.at] ?? 0 });
    },
  ],
  ['decimals', u8()],
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

const extensionTypes: LayoutRead = (reader) => items(reader, Math.floor(reader.left / 2), u16());

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
  shape('uiAmountToAmount', 'mint', ['uiAmount', wholeText]),
];

const FEE: LayoutRow = ['transferFeeBasisPoints', u16(BASIS_POINTS)];
const MAXIMUM: LayoutRow = ['maximumFee', u64({ kind: 'tokens' })];
const FEE_EXTENSION: readonly InstructionShape[] = [
  shape(
    'initializeTransferFeeConfig',
    'mint',
    ['transferFeeConfigAuthority', option(pubkey)],
    ['withdrawWithheldAuthority', option(pubkey)],
    FEE,
    MAXIMUM,
  ),
  shape('transferCheckedWithFee', 'source mint destination authority signer…', ...CHECKED, [
    'fee',
    u64({ kind: 'tokens' }),
  ]),
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
  shape('unwrapLamports', 'source destination authority signer…', ['amount', option(u64({ kind: 'lamports' }))]),
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
