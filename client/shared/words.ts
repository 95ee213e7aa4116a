// Small texts for people: sizes, and words from outside made harmless. Pure.
import type { KeyType, ServiceError } from '../../core/service/errors';
import { shortened } from '../../core/solana/common/ends';
import { replaceUnseen } from '../../core/solana/common/unseen';

/** `vscode.l10n.t`, or a stand-in that fills in `{0}`. */
export type Translate = (message: string, ...args: (string | number)[]) => string;

/** The key types as people write them. */
export const TYPE_NAMES: Readonly<Record<KeyType, string>> = { rpc: 'RPC', grpc: 'gRPC', swqos: 'SWQoS' };

/** Decimal units, as the editor's own file sizes are for transfers. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** An error and its next step. */
export const sentences = (error: Pick<ServiceError, 'message' | 'hint'> | undefined): string =>
  [error?.message, error?.hint].filter((part) => part !== undefined).join(' ');

/** The command that mends an error of a key, with its title. `place`: where the key is missing. */
export function mendingStep(
  kind: string,
  place: string,
  t: Translate,
): { readonly title: string; readonly command: string } | undefined {
  switch (kind) {
    case 'noKey':
      return { title: t('Add Key for {0}…', place), command: 'solanaRpc.addKey' };
    case 'keyRejected':
      return { title: t('Rotate Key…'), command: 'solanaRpc.rotateKey' };
    case 'wrongKeyType':
      return { title: t('Add Key…'), command: 'solanaRpc.addKey' };
    default:
      return undefined;
  }
}

/** The two ends of a long word, such as an address, for a place where the middle has no room. */
export function ends(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor((most - 1) / 2);
  return `${text.slice(0, half)}…${text.slice(-half)}`;
}

/** Longer texts are cut in labels and messages, in UTF-16 units: the editor lays out the whole of each. */
const LONGEST = 1_000;

/**
 * Text from outside for a label or a message: no icon is drawn for `$(name)`, no link made of `[words](address)`, which
 * messages could run commands with; no control, direction or line mark has an effect.
 */
export function plain(text: string): string {
  return replaceUnseen(shortened(text, LONGEST), () => ' ')
    .replace(/\$\(/g, '$\u200b(')
    .replace(/\]\(/g, ']\u200b(');
}
