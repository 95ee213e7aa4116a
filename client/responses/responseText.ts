// Finds addresses and signatures for the explorer in the text of a response, and the log lines that report a failure. Pure;
// opens nothing.
import { isPublicKey, isSignature } from '../../core/solana/chain/keys';
import type { ExplorerCluster } from '../profiles/clusters';

/** An address or a signature in a text. */
export interface ChainPlace {
  readonly kind: 'tx' | 'address';
  readonly value: string;
  /** UTF-16 units; between the quotes. */
  readonly start: number;
  readonly end: number;
}

/** Text to search, and the places found. */
const MAX_TEXT = 2_000_000;
const MAX_PLACES = 3_000;

/** A member's name, if there is one, and a text of base58 that could be 32 or 64 bytes. */
const TOKEN = /(?:"(\w{1,64})"\s*:\s*)?"([1-9A-HJ-NP-Za-km-z]{32,88})"(?!\s*:)/g;
/** Members whose 32 bytes are a hash and no address. */
const HASHES = /hash$/i;

export function chainPlaces(text: string): readonly ChainPlace[] {
  const places: ChainPlace[] = [];
  for (const match of text.slice(0, MAX_TEXT).matchAll(TOKEN)) {
    const [whole, name = '', value = ''] = match;
    if (places.length >= MAX_PLACES) break;
    const kind = isSignature(value) ? 'tx' : isPublicKey(value) && !HASHES.test(name) ? 'address' : undefined;
    const end = match.index + whole.length - 1;
    if (kind !== undefined) places.push({ kind, value, start: end - value.length, end });
  }
  return places;
}

/** The ledger that a response came from, as far as it is known. */
export interface LedgerPlace {
  /** By the genesis hash of an earlier answer; undefined for a ledger that is nobody else's, or not known yet. */
  readonly cluster?: ExplorerCluster | undefined;
  /** Of the endpoint, while it is there. */
  readonly rpcUrl?: string | undefined;
}

/**
 * The explorer's URL for an address or transaction: `{kind}` becomes `tx` or `address`, `{value}` the value, `{cluster}` the
 * public cluster and `{rpcUrl}` the endpoint's URL. Undefined if the template is not a URL that a browser should open, or if it
 * would show another ledger than the response's: only a template with `{rpcUrl}` reaches a private one, and only one with
 * `{cluster}` or `{rpcUrl}` another cluster than mainnet.
 */
export function explorerUrl(
  template: string,
  { kind, value }: Pick<ChainPlace, 'kind' | 'value'>,
  { cluster, rpcUrl }: LedgerPlace,
): string | undefined {
  const namesCluster = template.includes('{cluster}');
  const isReached = template.includes('{rpcUrl}')
    ? rpcUrl !== undefined
    : cluster === 'mainnet-beta' || (cluster !== undefined && namesCluster);
  if (!template.includes('{value}') || !isReached || (namesCluster && cluster === undefined)) return undefined;
  const filled = template
    .replaceAll('{kind}', kind)
    .replaceAll('{value}', value)
    .replaceAll('{cluster}', cluster ?? '')
    .replaceAll('{rpcUrl}', encodeURIComponent(rpcUrl ?? ''));
  return /^https:\/\/[^/?#]/.test(filled) && URL.canParse(filled) ? filled : undefined;
}

/** The result that a line of a program's log reports. */
export type LogMark = 'failed' | 'succeeded';

export interface MarkedLine {
  readonly line: number;
  readonly mark: LogMark;
}

/** Maximum number of lines searched: logs are near the top of an answer, and the node limits their size. */
const MAX_LINES = 5_000;
const LOG_LINE = /^\s*"Program (?:\w+ (?:failed|success)|log: .*\b(?:Error|error|panicked)\b)/;

/** The lines of a `logs` or `logMessages` list that report a failure, or that a program ended. */
export function markedLogLines(lines: readonly string[]): readonly MarkedLine[] {
  const marked: MarkedLine[] = [];
  let isLog = false;
  for (const [line, text] of lines.slice(0, MAX_LINES).entries()) {
    if (/^\s*"(?:logs|logMessages)": \[/.test(text)) isLog = true;
    else if (/^\s*\]/.test(text)) isLog = false;
    else if (isLog && LOG_LINE.test(text))
      marked.push({ line, mark: /success"?,?$/.test(text) ? 'succeeded' : 'failed' });
  }
  return marked;
}
