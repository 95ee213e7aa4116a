// Reads messages from the page of a transaction, and the state that a window kept of it: undefined if invalid or too long.
// Pure.
import { isPublicKey, isSignature } from '../../core/solana/chain/keys';
import type { ReplayOrigin, SuggestedMember, TransactionSource } from '../../protocol/explain';
import type { ResponsePlace } from '../../protocol/lsp';
import {
  MAX_COPIED,
  MAX_KEPT_TEXT,
  type TransactionAsk,
  type TransactionCommand,
  type TransactionHello,
  type TransactionKept,
} from '../../protocol/transactionPanel';

const MEMBERS: readonly SuggestedMember[] = ['computeUnitLimit', 'loadedAccountsDataLimit', 'priorityFee'];

/** A path. UTF-16 units. */
const MAX_FOLDER = 4_096;

/** Of a call: a number for each depth. */
const MAX_PATH = 1_000;

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isText = (value: unknown, most: number): value is string => typeof value === 'string' && value.length <= most;

export function readAsk(body: unknown): TransactionAsk | undefined {
  const kind = fieldsOf(body)?.['kind'];
  return kind === 'explain' || kind === 'fees' || kind === 'simulate' ? { kind } : undefined;
}

export function readCommand(body: unknown): TransactionCommand | undefined {
  const { kind, text, address, program, signature, member, value, path } = fieldsOf(body) ?? {};
  if (kind === 'use') {
    const known = MEMBERS.find((name) => name === member);
    return known !== undefined && isCount(value) ? { kind, member: known, value } : undefined;
  }
  if (kind === 'compare' || kind === 'openLog') return { kind };
  if (kind === 'copyLog') return isText(path, MAX_PATH) ? { kind, path } : undefined;
  if (kind === 'copy') return isText(text, MAX_COPIED) ? { kind, text } : undefined;
  if (kind === 'watch') return typeof address === 'string' && isPublicKey(address) ? { kind, address } : undefined;
  if (kind === 'fetchIdl') return typeof program === 'string' && isPublicKey(program) ? { kind, program } : undefined;
  if (kind === 'replayAgain' || kind === 'saveReplay' || kind === 'renewReplay') return { kind };
  const isOfSignature = kind === 'lookUp' || kind === 'replay';
  return isOfSignature && typeof signature === 'string' && isSignature(signature) ? { kind, signature } : undefined;
}

/** `shown`: the simulation that took the place of `source`. */
export type RestoredTransaction = TransactionHello & Pick<TransactionKept, 'shown'>;

/** Undefined for what no page of this version kept. */
export function readKept(state: unknown): RestoredTransaction | undefined {
  const fields = fieldsOf(state);
  const source = readSource(fields?.['source']);
  const shown = readSource(fields?.['shown']);
  const title = fields?.['title'];
  if (source === undefined || !isText(title, 1_000)) return undefined;
  return { source, title, ...(shown !== undefined && { shown }) };
}

function readSource(value: unknown): TransactionSource | undefined {
  const { kind, text, place, before, id, number, of } = fieldsOf(value) ?? {};
  if (kind === 'text') return isText(text, MAX_KEPT_TEXT) && text !== '' ? { kind, text } : undefined;
  if (kind === 'row') return isText(id, 200) && isCount(number) ? { kind, id, number } : undefined;
  if (kind === 'replay') {
    const origin = readOrigin(of);
    return isText(id, 200) ? { kind, id, ...(origin !== undefined && { of: origin }) } : undefined;
  }
  const response = kind === 'response' ? readPlace(place) : undefined;
  const earlier = readPlace(before);
  if (response === undefined) return undefined;
  return { kind: 'response', place: response, ...(earlier !== undefined && { before: earlier }) };
}

function readOrigin(value: unknown): ReplayOrigin | undefined {
  const { kind, signature, folder } = fieldsOf(value) ?? {};
  if (kind === 'signature' && typeof signature === 'string' && isSignature(signature)) return { kind, signature };
  return kind === 'folder' && isText(folder, MAX_FOLDER) ? { kind, folder } : undefined;
}

function readPlace(value: unknown): ResponsePlace | undefined {
  const { request, run } = fieldsOf(value) ?? {};
  return isText(request, 200) && isCount(run) ? { request, run } : undefined;
}
