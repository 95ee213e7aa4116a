// Token-2022 extensions as `jsonParsed` shows them: the ones with a simple fixed layout in full, the others by name.
import { encodeBase58 } from '../../core/values/base58';
import type { WireJson } from '../api';

/** Type-length-value entries start after the base, its padding and the account type byte. */
const START = 166;

type Read = (value: Uint8Array, view: DataView) => { readonly [key: string]: WireJson };

const key = (value: Uint8Array, at: number): string => encodeBase58(value.subarray(at, at + 32));
/** An optional key is 32 zero bytes when absent. */
const keyOrNull = (value: Uint8Array, at: number): string | null =>
  value.subarray(at, at + 32).every((byte) => byte === 0) ? null : key(value, at);

const transferFee = (view: DataView, at: number): WireJson => ({
  epoch: view.getBigUint64(at, true),
  maximumFee: view.getBigUint64(at + 8, true),
  transferFeeBasisPoints: view.getUint16(at + 16, true),
});

const EXTENSIONS: readonly { readonly name: string; readonly read?: Read }[] = [
  { name: 'uninitialized' },
  {
    name: 'transferFeeConfig',
    read: (v, view) => ({
      transferFeeConfigAuthority: keyOrNull(v, 0),
      withdrawWithheldAuthority: keyOrNull(v, 32),
      withheldAmount: view.getBigUint64(64, true),
      olderTransferFee: transferFee(view, 72),
      newerTransferFee: transferFee(view, 90),
    }),
  },
  { name: 'transferFeeAmount', read: (_, view) => ({ withheldAmount: view.getBigUint64(0, true) }) },
  { name: 'mintCloseAuthority', read: (v) => ({ closeAuthority: keyOrNull(v, 0) }) },
  { name: 'confidentialTransferMint' },
  { name: 'confidentialTransferAccount' },
  {
    name: 'defaultAccountState',
    read: (v) => ({ accountState: ['uninitialized', 'initialized', 'frozen'][v[0] ?? 0] ?? 'uninitialized' }),
  },
  { name: 'immutableOwner' },
  { name: 'memoTransfer', read: (v) => ({ requireIncomingTransferMemos: v[0] === 1 }) },
  { name: 'nonTransferable' },
  {
    name: 'interestBearingConfig',
    read: (v, view) => ({
      rateAuthority: keyOrNull(v, 0),
      initializationTimestamp: view.getBigInt64(32, true),
      preUpdateAverageRate: view.getInt16(40, true),
      lastUpdateTimestamp: view.getBigInt64(42, true),
      currentRate: view.getInt16(50, true),
    }),
  },
  { name: 'cpiGuard', read: (v) => ({ lockCpi: v[0] === 1 }) },
  { name: 'permanentDelegate', read: (v) => ({ delegate: keyOrNull(v, 0) }) },
  { name: 'nonTransferableAccount' },
  { name: 'transferHook', read: (v) => ({ authority: keyOrNull(v, 0), programId: keyOrNull(v, 32) }) },
  { name: 'transferHookAccount', read: (v) => ({ transferring: v[0] === 1 }) },
  { name: 'confidentialTransferFeeConfig' },
  { name: 'confidentialTransferFeeAmount' },
  { name: 'metadataPointer', read: (v) => ({ authority: keyOrNull(v, 0), metadataAddress: keyOrNull(v, 32) }) },
  { name: 'tokenMetadata', read: tokenMetadata },
  { name: 'groupPointer', read: (v) => ({ authority: keyOrNull(v, 0), groupAddress: keyOrNull(v, 32) }) },
  {
    name: 'tokenGroup',
    read: (v, view) => ({
      updateAuthority: keyOrNull(v, 0),
      mint: key(v, 32),
      size: view.getBigUint64(64, true),
      maxSize: view.getBigUint64(72, true),
    }),
  },
  { name: 'groupMemberPointer', read: (v) => ({ authority: keyOrNull(v, 0), memberAddress: keyOrNull(v, 32) }) },
  {
    name: 'tokenGroupMember',
    read: (v, view) => ({ mint: key(v, 0), group: key(v, 32), memberNumber: view.getBigUint64(64, true) }),
  },
  { name: 'confidentialMintBurn' },
  {
    name: 'scaledUiAmountConfig',
    read: (v, view) => ({
      authority: keyOrNull(v, 0),
      multiplier: view.getFloat64(32, true).toString(),
      newMultiplierEffectiveTimestamp: view.getBigInt64(40, true),
      newMultiplier: view.getFloat64(48, true).toString(),
    }),
  },
  { name: 'pausableConfig', read: (v) => ({ authority: keyOrNull(v, 0), paused: v[32] === 1 }) },
  { name: 'pausableAccount' },
];

/** {extensions: [...]}, or nothing for an account of the base size. */
export function parseExtensions(data: Uint8Array): { readonly extensions?: WireJson } {
  if (data.length <= START) return {};
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const extensions: WireJson[] = [];
  for (let at = START; at + 4 <= data.length;) {
    const type = view.getUint16(at, true);
    const length = view.getUint16(at + 2, true);
    if (type === 0 || at + 4 + length > data.length) break;
    const value = data.subarray(at + 4, at + 4 + length);
    extensions.push(parseExtension(type, value));
    at += 4 + length;
  }
  return { extensions };
}

function parseExtension(type: number, value: Uint8Array): WireJson {
  const extension = EXTENSIONS[type];
  if (extension === undefined) return { extension: 'unparseableExtension' };
  if (extension.read === undefined) return { extension: extension.name };
  try {
    const view = new DataView(value.buffer, value.byteOffset, value.byteLength);
    return { extension: extension.name, state: extension.read(value, view) };
  } catch (error) {
    if (error instanceof RangeError) return { extension: 'unparseableExtension' };
    throw error;
  }
}

/** update authority, mint, then name, symbol, uri and a list of pairs, each text behind its length. */
function tokenMetadata(value: Uint8Array, view: DataView): { readonly [key: string]: WireJson } {
  let at = 64;
  const decoder = new TextDecoder();
  const text = (): string => {
    const length = view.getUint32(at, true);
    if (at + 4 + length > value.length) throw new RangeError('text outside the value');
    at += 4 + length;
    return decoder.decode(value.subarray(at - length, at));
  };
  const [name, symbol, uri] = [text(), text(), text()];
  const count = view.getUint32(at, true);
  at += 4;
  const additionalMetadata: [string, string][] = [];
  for (let i = 0; i < count; i++) additionalMetadata.push([text(), text()]);
  return { updateAuthority: keyOrNull(value, 0), mint: key(value, 32), name, symbol, uri, additionalMetadata };
}
