// Reads what the page of a transaction says, and what a window kept of it: a message that is no message of its, or is too
// long, is none. Pure.
import { isPublicKey, isSignature } from '../../core/values/solana/keys';
import type { SuggestedMember, TransactionSource } from '../../protocol/explain';
import {
  MAX_COPIED,
  MAX_KEPT_TEXT,
  type TransactionAsk,
  type TransactionCommand,
  type TransactionHello,
} from '../../protocol/transactionPanel';

const MEMBERS: readonly SuggestedMember[] = ['computeUnitLimit', 'loadedAccountsDataLimit', 'priorityFee'];

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
  const { kind, text, address, signature, member, value } = fieldsOf(body) ?? {};
  if (kind === 'use') {
    const known = MEMBERS.find((name) => name === member);
    return known !== undefined && isCount(value) ? { kind, member: known, value } : undefined;
  }
  if (kind === 'compare') return { kind };
  if (kind === 'copy') return isText(text, MAX_COPIED) ? { kind, text } : undefined;
  if (kind === 'watch') return typeof address === 'string' && isPublicKey(address) ? { kind, address } : undefined;
  if (kind === 'replayAgain' || kind === 'saveReplay') return { kind };
  const isOfSignature = kind === 'lookUp' || kind === 'replay';
  return isOfSignature && typeof signature === 'string' && isSignature(signature) ? { kind, signature } : undefined;
}

/** Undefined for what no page of this version kept. */
export function readKept(state: unknown): TransactionHello | undefined {
  const fields = fieldsOf(state);
  const source = readSource(fields?.['source']);
  const title = fields?.['title'];
  return source !== undefined && isText(title, 1_000) ? { source, title } : undefined;
}

function readSource(value: unknown): TransactionSource | undefined {
  const { kind, text, place, id, number } = fieldsOf(value) ?? {};
  if (kind === 'text') return isText(text, MAX_KEPT_TEXT) ? { kind, text } : undefined;
  if (kind === 'row') return isText(id, 200) && isCount(number) ? { kind, id, number } : undefined;
  if (kind === 'replay') return isText(id, 200) ? { kind, id } : undefined;
  const { request, run } = fieldsOf(place) ?? {};
  return kind === 'response' && isText(request, 200) && isCount(run) ? { kind, place: { request, run } } : undefined;
}
