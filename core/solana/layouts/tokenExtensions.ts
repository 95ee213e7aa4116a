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

const extension = (name: string, ...rows: readonly LayoutRow[]): TokenExtension => ({ name, rows });

const pointer = (name: string, address: string): TokenExtension =>
  extension(name, ['authority', optionalPubkey], [address, optionalPubkey]);

/** In the order of their type numbers; names as in the program's source, in camelCase. */
export const TOKEN_EXTENSIONS: readonly TokenExtension[] = [
  { name: 'uninitialized' },
  extension(
    'transferFeeConfig',
    ['transferFeeConfigAuthority', optionalPubkey],
    ['withdrawWithheldAuthority', optionalPubkey],
    ['withheldAmount', u64(TOKENS)],
    ['olderTransferFee', TRANSFER_FEE],
    ['newerTransferFee', TRANSFER_FEE],
  ),
  extension('transferFeeAmount', ['withheldAmount', u64(TOKENS)]),
  extension('mintCloseAuthority', ['closeAuthority', optionalPubkey]),
  extension(
    'confidentialTransferMint',
    ['authority', optionalPubkey],
    ['autoApproveNewAccounts', flag],
    ['auditorElgamalPubkey', OPTIONAL_ELGAMAL_KEY],
  ),
  extension(
    'confidentialTransferAccount',
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
  ),
  extension('defaultAccountState', ['accountState', wordByNumber('uninitialized', 'initialized', 'frozen')]),
  { name: 'immutableOwner' },
  extension('memoTransfer', ['requireIncomingTransferMemos', flag]),
  { name: 'nonTransferable' },
  extension(
    'interestBearingConfig',
    ['rateAuthority', optionalPubkey],
    ['initializationTimestamp', i64(UNIX_TIME)],
    ['preUpdateAverageRate', i16(BASIS_POINTS)],
    ['lastUpdateTimestamp', i64(UNIX_TIME)],
    ['currentRate', i16(BASIS_POINTS)],
  ),
  extension('cpiGuard', ['lockCpi', flag]),
  extension('permanentDelegate', ['delegate', optionalPubkey]),
  { name: 'nonTransferableAccount' },
  pointer('transferHook', 'programId'),
  extension('transferHookAccount', ['transferring', flag]),
  extension(
    'confidentialTransferFeeConfig',
    ['authority', optionalPubkey],
    ['withdrawWithheldAuthorityElgamalPubkey', OPTIONAL_ELGAMAL_KEY],
    ['harvestToMintEnabled', flag],
    ['withheldAmount', ELGAMAL_TEXT],
  ),
  extension('confidentialTransferFeeAmount', ['withheldAmount', ELGAMAL_TEXT]),
  pointer('metadataPointer', 'metadataAddress'),
  extension(
    'tokenMetadata',
    ['updateAuthority', optionalPubkey],
    ['mint', pubkey],
    ['name', borshText],
    ['symbol', borshText],
    ['uri', borshText],
    ['additionalMetadata', borshList(PAIR, 8)],
  ),
  pointer('groupPointer', 'groupAddress'),
  extension('tokenGroup', ['updateAuthority', optionalPubkey], ['mint', pubkey], ['size', u64()], ['maxSize', u64()]),
  pointer('groupMemberPointer', 'memberAddress'),
  extension('tokenGroupMember', ['mint', pubkey], ['group', pubkey], ['memberNumber', u64()]),
  extension(
    'confidentialMintBurn',
    ['confidentialSupply', ELGAMAL_TEXT],
    ['decryptableSupply', AES_TEXT],
    ['supplyElgamalPubkey', ELGAMAL_KEY],
    ['pendingBurn', ELGAMAL_TEXT],
  ),
  {
    ...extension(
      'scaledUiAmountConfig',
      ['authority', optionalPubkey],
      ['multiplier', quotedNumber(f64)],
      ['newMultiplierEffectiveTimestamp', i64(UNIX_TIME)],
      ['newMultiplier', quotedNumber(f64)],
    ),
    listedAs: 'scaledUiAmount',
  },
  { ...extension('pausableConfig', ['authority', optionalPubkey], ['paused', flag]), listedAs: 'pausable' },
  { name: 'pausableAccount' },
  { ...extension('permissionedBurnConfig', ['authority', optionalPubkey]), listedAs: 'permissionedBurn' },
];
