// Token-2022's extensions of mints and accounts as `jsonParsed` shows them.
import type { WireJson } from '../../api';
import type { Info } from './parsedCursor';
import { attempt, Fields } from './parsedFields';

/** Type-length-value entries start after the base, its padding and the account type byte. */
const START = 166;

const ELGAMAL_KEY = 32;
const CIPHERTEXT = 64;
const ENCRYPTED_BALANCE = 36;

const ACCOUNT_STATES = ['uninitialized', 'initialized', 'frozen'] as const;

/** An extension by its names: in an instruction that lists types, and where an account shows it. */
interface Extension {
  readonly name: string;
  readonly shownAs?: string;
  /** Left out where the extension is there or not and says no more. */
  readonly read?: (fields: Fields) => Info;
}

const transferFee = (f: Fields): WireJson => ({
  epoch: f.u64(),
  maximumFee: f.u64(),
  transferFeeBasisPoints: f.u16(),
});

/** The address that a mint points at, and who may change it. */
const pointer =
  (target: string) =>
  (f: Fields): Info => ({ authority: f.nonZeroKey(), [target]: f.nonZeroKey() });

/** By the type's number. */
const EXTENSIONS: readonly Extension[] = [
  { name: 'uninitialized' },
  {
    name: 'transferFeeConfig',
    read: (f) => ({
      transferFeeConfigAuthority: f.nonZeroKey(),
      withdrawWithheldAuthority: f.nonZeroKey(),
      withheldAmount: f.u64(),
      olderTransferFee: transferFee(f),
      newerTransferFee: transferFee(f),
    }),
  },
  { name: 'transferFeeAmount', read: (f) => ({ withheldAmount: f.u64() }) },
  { name: 'mintCloseAuthority', read: (f) => ({ closeAuthority: f.nonZeroKey() }) },
  {
    name: 'confidentialTransferMint',
    read: (f) => ({
      authority: f.nonZeroKey(),
      autoApproveNewAccounts: f.bool(),
      auditorElgamalPubkey: f.nonZeroBase64(ELGAMAL_KEY),
    }),
  },
  {
    name: 'confidentialTransferAccount',
    read: (f) => ({
      approved: f.bool(),
      elgamalPubkey: f.base64(ELGAMAL_KEY),
      pendingBalanceLo: f.base64(CIPHERTEXT),
      pendingBalanceHi: f.base64(CIPHERTEXT),
      availableBalance: f.base64(CIPHERTEXT),
      decryptableAvailableBalance: f.base64(ENCRYPTED_BALANCE),
      allowConfidentialCredits: f.bool(),
      allowNonConfidentialCredits: f.bool(),
      pendingBalanceCreditCounter: f.u64(),
      maximumPendingBalanceCreditCounter: f.u64(),
      expectedPendingBalanceCreditCounter: f.u64(),
      actualPendingBalanceCreditCounter: f.u64(),
    }),
  },
  {
    name: 'defaultAccountState',
    read: (f) => ({ accountState: ACCOUNT_STATES[f.u8()] ?? 'uninitialized' }),
  },
  { name: 'immutableOwner' },
  { name: 'memoTransfer', read: (f) => ({ requireIncomingTransferMemos: f.bool() }) },
  { name: 'nonTransferable' },
  {
    name: 'interestBearingConfig',
    read: (f) => ({
      rateAuthority: f.nonZeroKey(),
      initializationTimestamp: f.i64(),
      preUpdateAverageRate: f.i16(),
      lastUpdateTimestamp: f.i64(),
      currentRate: f.i16(),
    }),
  },
  { name: 'cpiGuard', read: (f) => ({ lockCpi: f.bool() }) },
  { name: 'permanentDelegate', read: (f) => ({ delegate: f.nonZeroKey() }) },
  { name: 'nonTransferableAccount' },
  { name: 'transferHook', read: pointer('programId') },
  { name: 'transferHookAccount', read: (f) => ({ transferring: f.bool() }) },
  {
    name: 'confidentialTransferFeeConfig',
    read: (f) => ({
      authority: f.nonZeroKey(),
      withdrawWithheldAuthorityElgamalPubkey: f.nonZeroBase64(ELGAMAL_KEY),
      harvestToMintEnabled: f.bool(),
      withheldAmount: f.base64(CIPHERTEXT),
    }),
  },
  { name: 'confidentialTransferFeeAmount', read: (f) => ({ withheldAmount: f.base64(CIPHERTEXT) }) },
  { name: 'metadataPointer', read: pointer('metadataAddress') },
  { name: 'tokenMetadata', read: tokenMetadata },
  { name: 'groupPointer', read: pointer('groupAddress') },
  {
    name: 'tokenGroup',
    read: (f) => ({ updateAuthority: f.nonZeroKey(), mint: f.key(), size: f.u64(), maxSize: f.u64() }),
  },
  { name: 'groupMemberPointer', read: pointer('memberAddress') },
  { name: 'tokenGroupMember', read: (f) => ({ mint: f.key(), group: f.key(), memberNumber: f.u64() }) },
  {
    name: 'confidentialMintBurn',
    read: (f) => ({
      confidentialSupply: f.base64(CIPHERTEXT),
      decryptableSupply: f.base64(ENCRYPTED_BALANCE),
      supplyElgamalPubkey: f.base64(ELGAMAL_KEY),
      pendingBurn: f.base64(CIPHERTEXT),
    }),
  },
  {
    name: 'scaledUiAmount',
    shownAs: 'scaledUiAmountConfig',
    read: (f) => ({
      authority: f.nonZeroKey(),
      multiplier: f.f64().toString(),
      newMultiplierEffectiveTimestamp: f.i64(),
      newMultiplier: f.f64().toString(),
    }),
  },
  {
    name: 'pausable',
    shownAs: 'pausableConfig',
    read: (f) => ({ authority: f.nonZeroKey(), paused: f.bool() }),
  },
  { name: 'pausableAccount' },
  {
    name: 'permissionedBurn',
    shownAs: 'permissionedBurnConfig',
    read: (f) => ({ authority: f.nonZeroKey() }),
  },
];

/** The names of the types, by number. */
export const EXTENSION_TYPES: readonly string[] = EXTENSIONS.map(({ name }) => name);

/** {extensions: [...]}, or nothing for an account without any. */
export function parseExtensions(data: Uint8Array): { readonly extensions?: WireJson } {
  if (data.length <= START) return {};
  const fields = new Fields(data.subarray(START));
  const extensions: WireJson[] = [];
  while (fields.rest >= 4) {
    const [type, length] = [fields.u16(), fields.u16()];
    if (type === 0 || length > fields.rest) break;
    extensions.push(parseExtension(type, fields.bytes(length)));
  }
  return extensions.length === 0 ? {} : { extensions };
}

function parseExtension(type: number, value: Uint8Array): WireJson {
  const extension = EXTENSIONS[type];
  if (extension === undefined) return { extension: 'unparseableExtension' };
  const { name, shownAs = name, read } = extension;
  if (read === undefined) return { extension: shownAs };
  const state = attempt(() => read(new Fields(value)));
  return state === undefined ? { extension: 'unparseableExtension' } : { extension: shownAs, state };
}

function tokenMetadata(f: Fields): Info {
  return {
    updateAuthority: f.nonZeroKey(),
    mint: f.key(),
    name: f.shortText(),
    symbol: f.shortText(),
    uri: f.shortText(),
    additionalMetadata: f.list(f.u32(), 8, () => [f.shortText(), f.shortText()]),
  };
}
