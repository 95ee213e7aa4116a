// Token-2022's extensions of mints and accounts: type-length-value entries after the base layout.
import {
  BASIS_POINTS,
  borshList,
  borshText,
  bytes,
  EPOCH,
  f64,
  flag,
  i16,
  i64,
  optionalPubkey,
  pubkey,
  quotedNumber,
  struct,
  TOKENS,
  u16,
  u64,
  UNIX_TIME,
  wordByNumber,
  type LayoutRow,
  type LayoutType,
} from './layout';

/** The base, padded to the length of a token account, and the byte that says which of the two it is. */
export const EXTENSIONS_START = 166;

const ELGAMAL_KEY = bytes(32);
const OPTIONAL_ELGAMAL_KEY: LayoutType = { kind: 'bytes', count: 32, isZeroNone: true };
const ELGAMAL_TEXT = bytes(64);
const AES_TEXT = bytes(36);

export interface TokenExtension {
  readonly name: string;
  /** Its name where `jsonParsed` lists types, if it is another one. */
  readonly listedAs?: string;
  /** None for an extension that says everything by being there. */
  readonly rows?: readonly LayoutRow[];
}

/** Each has two lengths of four bytes. */
const PAIR: LayoutType = {
  kind: 'struct',
  rows: [
    ['key', borshText],
    ['value', borshText],
  ],
  isTuple: true,
};

const TRANSFER_FEE = struct(
  ['epoch', u64(EPOCH)],
  ['maximumFee', u64(TOKENS)],
  ['transferFeeBasisPoints', u16(BASIS_POINTS)],
);

const pointer = (address: string): readonly LayoutRow[] => [
  ['authority', optionalPubkey],
  [address, optionalPubkey],
];

/** In the order of their type numbers; names as in the program's source, in camelCase. */
export const TOKEN_EXTENSIONS: readonly TokenExtension[] = [
  { name: 'uninitialized' },
  {
    name: 'transferFeeConfig',
    rows: [
      ['transferFeeConfigAuthority', optionalPubkey],
      ['withdrawWithheldAuthority', optionalPubkey],
      ['withheldAmount', u64(TOKENS)],
      ['olderTransferFee', TRANSFER_FEE],
      ['newerTransferFee', TRANSFER_FEE],
    ],
  },
  { name: 'transferFeeAmount', rows: [['withheldAmount', u64(TOKENS)]] },
  { name: 'mintCloseAuthority', rows: [['closeAuthority', optionalPubkey]] },
  {
    name: 'confidentialTransferMint',
    rows: [
      ['authority', optionalPubkey],
      ['autoApproveNewAccounts', flag],
      ['auditorElgamalPubkey', OPTIONAL_ELGAMAL_KEY],
    ],
  },
  {
    name: 'confidentialTransferAccount',
    rows: [
      ['approved', flag],
      ['elgamalPubkey', ELGAMAL_KEY],
      ['pendingBalanceLo', ELGAMAL_TEXT],
      ['pendingBalanceHi', ELGAMAL_TEXT],
      ['availableBalance', ELGAMAL_TEXT],
      ['decryptableAvailableBalance', AES_TEXT],
      ['allowConfidentialCredits', flag],
      ['allowNonConfidentialCredits', flag],
      ['pendingBalanceCreditCounter', u64()],
      ['maximumPendingBalanceCreditCounter', u64()],
      ['expectedPendingBalanceCreditCounter', u64()],
      ['actualPendingBalanceCreditCounter', u64()],
    ],
  },
  {
    name: 'defaultAccountState',
    rows: [['accountState', wordByNumber('uninitialized', 'initialized', 'frozen')]],
  },
  { name: 'immutableOwner' },
  { name: 'memoTransfer', rows: [['requireIncomingTransferMemos', flag]] },
  { name: 'nonTransferable' },
  {
    name: 'interestBearingConfig',
    rows: [
      ['rateAuthority', optionalPubkey],
      ['initializationTimestamp', i64(UNIX_TIME)],
      ['preUpdateAverageRate', i16(BASIS_POINTS)],
      ['lastUpdateTimestamp', i64(UNIX_TIME)],
      ['currentRate', i16(BASIS_POINTS)],
    ],
  },
  { name: 'cpiGuard', rows: [['lockCpi', flag]] },
  { name: 'permanentDelegate', rows: [['delegate', optionalPubkey]] },
  { name: 'nonTransferableAccount' },
  { name: 'transferHook', rows: pointer('programId') },
  { name: 'transferHookAccount', rows: [['transferring', flag]] },
  {
    name: 'confidentialTransferFeeConfig',
    rows: [
      ['authority', optionalPubkey],
      ['withdrawWithheldAuthorityElgamalPubkey', OPTIONAL_ELGAMAL_KEY],
      ['harvestToMintEnabled', flag],
      ['withheldAmount', ELGAMAL_TEXT],
    ],
  },
  { name: 'confidentialTransferFeeAmount', rows: [['withheldAmount', ELGAMAL_TEXT]] },
  { name: 'metadataPointer', rows: pointer('metadataAddress') },
  {
    name: 'tokenMetadata',
    rows: [
      ['updateAuthority', optionalPubkey],
      ['mint', pubkey],
      ['name', borshText],
      ['symbol', borshText],
      ['uri', borshText],
      ['additionalMetadata', borshList(PAIR, 8)],
    ],
  },
  { name: 'groupPointer', rows: pointer('groupAddress') },
  {
    name: 'tokenGroup',
    rows: [
      ['updateAuthority', optionalPubkey],
      ['mint', pubkey],
      ['size', u64()],
      ['maxSize', u64()],
    ],
  },
  { name: 'groupMemberPointer', rows: pointer('memberAddress') },
  {
    name: 'tokenGroupMember',
    rows: [
      ['mint', pubkey],
      ['group', pubkey],
      ['memberNumber', u64()],
    ],
  },
  {
    name: 'confidentialMintBurn',
    rows: [
      ['confidentialSupply', ELGAMAL_TEXT],
      ['decryptableSupply', AES_TEXT],
      ['supplyElgamalPubkey', ELGAMAL_KEY],
      ['pendingBurn', ELGAMAL_TEXT],
    ],
  },
  {
    name: 'scaledUiAmountConfig',
    listedAs: 'scaledUiAmount',
    rows: [
      ['authority', optionalPubkey],
      ['multiplier', quotedNumber(f64)],
      ['newMultiplierEffectiveTimestamp', i64(UNIX_TIME)],
      ['newMultiplier', quotedNumber(f64)],
    ],
  },
  {
    name: 'pausableConfig',
    listedAs: 'pausable',
    rows: [
      ['authority', optionalPubkey],
      ['paused', flag],
    ],
  },
  { name: 'pausableAccount' },
  { name: 'permissionedBurnConfig', listedAs: 'permissionedBurn', rows: [['authority', optionalPubkey]] },
];
