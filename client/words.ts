// Small texts for people: sizes, and words from outside made harmless. Pure.
import type { KeyType } from '../core/errors';

/** The key types as people write them. */
export const TYPE_NAMES: Readonly<Record<KeyType, string>> = { rpc: 'RPC', grpc: 'gRPC', swqos: 'SWQoS' };

/** Decimal units, as the editor's own file sizes are for transfers. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Text from outside for a label: no icon is drawn for `$(name)`, no control or direction mark has an effect. */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, ' ').replace(/\$\(/g, '$\u200b(');
}
