// Token-2022's extensions: type-length-value entries after the base layout, one row of the table for each type.
import { ByteReader } from '../../encoding/bytes';
import type { DecodedField, DecodedValue } from '../decoded';
import type { DecodedUnit } from '../unit';
import {
  BASIS_POINTS,
  borshText,
  bytes,
  EPOCH,
  f64,
  fieldsValue,
  flag,
  i16,
  i64,
  items,
  NO_VALUE,
  wordByNumber,
  optionalPubkey,
  pubkey,
  readRows,
  struct,
  u16,
  u64,
  UNIX_TIME,
  type LayoutRead,
  type LayoutRow,
} from '../layout';

/** The base, padded to the length of a token account, and the byte that says which of the two it is. */
export const EXTENSIONS_START = 166;
/** An account cannot hold more kinds than there are; entries beyond this many are left as bytes. */
const MAX_EXTENSIONS = 64;

const ELGAMAL_KEY = bytes(32);
/** 32 zero bytes stand for none. */
const OPTIONAL_ELGAMAL_KEY: LayoutRead = (reader) => {
  const key = reader.take(32);
  return key.every((byte) => byte === 0) ? NO_VALUE : { kind: 'bytes', bytes: key };
};
const ELGAMAL_TEXT = bytes(64);
const AES_TEXT = bytes(36);

interface Extension {
  readonly name: string;
  /** None for an extension that says everything by being there. */
  readonly rows?: (tokens: DecodedUnit) => readonly LayoutRow[];
}

const transferFee = (tokens: DecodedUnit): LayoutRead =>
  struct(['epoch', u64(EPOCH)], ['maximumFee', u64(tokens)], ['transferFeeBasisPoints', u16(BASIS_POINTS)]);

const pointer =
  (address: string): (() => readonly LayoutRow[]) =>
  () => [
    ['authority', optionalPubkey],
    [address, optionalPubkey],
  ];

/** In the order of their type numbers; names as in the program's source, in camelCase. */
const EXTENSIONS: readonly Extension[] = [
  { name: 'uninitialized' },
  {
    name: 'transferFeeConfig',
    rows: (tokens) => [
      ['transferFeeConfigAuthority', optionalPubkey],
      ['withdrawWithheldAuthority', optionalPubkey],
      ['withheldAmount', u64(tokens)],
      ['olderTransferFee', transferFee(tokens)],
      ['newerTransferFee', transferFee(tokens)],
    ],
  },
  { name: 'transferFeeAmount', rows: (tokens) => [['withheldAmount', u64(tokens)]] },
  { name: 'mintCloseAuthority', rows: () => [['closeAuthority', optionalPubkey]] },
  {
    name: 'confidentialTransferMint',
    rows: () => [
      ['authority', optionalPubkey],
      ['autoApproveNewAccounts', flag],
      ['auditorElgamalPubkey', OPTIONAL_ELGAMAL_KEY],
    ],
  },
  {
    name: 'confidentialTransferAccount',
    rows: () => [
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
    rows: () => [['accountState', wordByNumber('uninitialized', 'initialized', 'frozen')]],
  },
  { name: 'immutableOwner' },
  { name: 'memoTransfer', rows: () => [['requireIncomingTransferMemos', flag]] },
  { name: 'nonTransferable' },
  {
    name: 'interestBearingConfig',
    rows: () => [
      ['rateAuthority', optionalPubkey],
      ['initializationTimestamp', i64(UNIX_TIME)],
      ['preUpdateAverageRate', i16(BASIS_POINTS)],
      ['lastUpdateTimestamp', i64(UNIX_TIME)],
      ['currentRate', i16(BASIS_POINTS)],
    ],
  },
  { name: 'cpiGuard', rows: () => [['lockCpi', flag]] },
  { name: 'permanentDelegate', rows: () => [['delegate', optionalPubkey]] },
  { name: 'nonTransferableAccount' },
  { name: 'transferHook', rows: pointer('programId') },
  { name: 'transferHookAccount', rows: () => [['transferring', flag]] },
  {
    name: 'confidentialTransferFeeConfig',
    rows: () => [
      ['authority', optionalPubkey],
      ['withdrawWithheldAuthorityElgamalPubkey', OPTIONAL_ELGAMAL_KEY],
      ['harvestToMintEnabled', flag],
      ['withheldAmount', ELGAMAL_TEXT],
    ],
  },
  { name: 'confidentialTransferFeeAmount', rows: () => [['withheldAmount', ELGAMAL_TEXT]] },
  { name: 'metadataPointer', rows: pointer('metadataAddress') },
  {
    name: 'tokenMetadata',
    rows: () => [
      ['updateAuthority', optionalPubkey],
      ['mint', pubkey],
      ['name', borshText],
      ['symbol', borshText],
      ['uri', borshText],
      ['additionalMetadata', pairs],
    ],
  },
  { name: 'groupPointer', rows: pointer('groupAddress') },
  {
    name: 'tokenGroup',
    rows: () => [
      ['updateAuthority', optionalPubkey],
      ['mint', pubkey],
      ['size', u64()],
      ['maxSize', u64()],
    ],
  },
  { name: 'groupMemberPointer', rows: pointer('memberAddress') },
  {
    name: 'tokenGroupMember',
    rows: () => [
      ['mint', pubkey],
      ['group', pubkey],
      ['memberNumber', u64()],
    ],
  },
  {
    name: 'confidentialMintBurn',
    rows: () => [
      ['confidentialSupply', ELGAMAL_TEXT],
      ['decryptableSupply', AES_TEXT],
      ['supplyElgamalPubkey', ELGAMAL_KEY],
      ['pendingBurn', ELGAMAL_TEXT],
    ],
  },
  {
    name: 'scaledUiAmountConfig',
    rows: () => [
      ['authority', optionalPubkey],
      ['multiplier', f64],
      ['newMultiplierEffectiveTimestamp', i64(UNIX_TIME)],
      ['newMultiplier', f64],
    ],
  },
  {
    name: 'pausableConfig',
    rows: () => [
      ['authority', optionalPubkey],
      ['paused', flag],
    ],
  },
  { name: 'pausableAccount' },
  { name: 'permissionedBurnConfig', rows: () => [['authority', optionalPubkey]] },
];

function pairs(reader: ByteReader): DecodedValue {
  const pair = struct(['key', borshText], ['value', borshText]);
  const count = reader.u32();
  // Each pair has two lengths of four bytes: a count that needs more bytes than are left is invalid.
  if (count * 8 > reader.left) reader.take(reader.left + 1);
  return items(reader, reader.failed ? 0 : count, pair);
}

/** The field `extensions`; empty for data that ends with the base. `tokens`: unit of the mint's amounts. */
export function extensionFields(data: Uint8Array, tokens: DecodedUnit): readonly DecodedField[] {
  if (data.length <= EXTENSIONS_START) return [];
  const found: DecodedValue[] = [];
  let at = EXTENSIONS_START;
  while (found.length < MAX_EXTENSIONS) {
    const reader = new ByteReader(data.subarray(at));
    const type = reader.u16();
    const length = reader.u16();
    const value = reader.take(length);
    if (reader.failed || (type === 0 && length === 0)) break;
    found.push(extensionOf(type, value, tokens));
    at += 4 + length;
  }
  const left = data.subarray(at);
  const unread = left.some((byte) => byte !== 0);
  return [
    { name: 'extensions', value: { kind: 'list', items: found } },
    ...(unread ? [{ name: 'unread', value: { kind: 'bytes', bytes: left } as const }] : []),
  ];
}

/** A type that is not known, or a value that is too short for its type, is shown as its bytes. */
function extensionOf(type: number, value: Uint8Array, tokens: DecodedUnit): DecodedValue {
  const extension = EXTENSIONS[type];
  const name = extension?.name ?? `extension ${type}`;
  const asBytes = fieldsValue(
    value.length === 0 ? [] : [{ name: 'data', value: { kind: 'bytes', bytes: value } }],
    name,
  );
  if (extension?.rows === undefined) return asBytes;
  const fields = readRows(new ByteReader(value), extension.rows(tokens));
  return fields === undefined ? asBytes : fieldsValue(fields, name);
}
