// Reads from another endpoint for the local service: each question is one call of JSON-RPC, a read and nothing else, and
// its answer is handed over as text. Opens no connection: `call` does.
import type { Result } from '../core/service/errors';
import { printJson, parseJson, type JsonValue } from '../core/solana/json/json';
import type { SourceAnswer, SourceQuestion } from './sourceQuestions';
import { setTimeout as delay } from 'node:timers/promises';

/** A node's error for a minContextSlot that it has not reached, how often it is asked again, and after how long. ms */
const NOT_REACHED = -32016;
const TRIES_BEHIND = 10;
const BEHIND_MS = 400;

/** Makes one JSON-RPC call at the source and returns its result. */
type ReadCall = (method: string, params: JsonValue) => Promise<Result<JsonValue>>;

/** Waits while a node behind the endpoint lags: it catches up within a few slots. Never rejects. */
export async function askSource(question: SourceQuestion, call: ReadCall, signal: AbortSignal): Promise<SourceAnswer> {
  for (let left = TRIES_BEHIND; ; left--) {
    const answer = await readOnce(question, call);
    if (answer !== 'behind') return answer;
    if (left === 0) return { ok: false, message: 'Its node is too far behind the slot at which the fork began.' };
    await delay(BEHIND_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function readOnce(question: SourceQuestion, call: ReadCall): Promise<SourceAnswer | 'behind'> {
  try {
    const { method, params } = callOf(question);
    const answer = await call(method, params);
    if (answer.ok) return { ok: true, result: printJson(answer.value) };
    const { error } = answer;
    if (error.kind === 'rpc' && error.code === NOT_REACHED) return 'behind';
    // An older node does not know the method, and a provider may refuse it.
    if (question.ask === 'certificate' && error.kind === 'rpc') return { ok: true, result: 'false' };
    return { ok: false, message: [error.message, error.hint ?? ''].join(' ').trim() };
  } catch {
    return { ok: false, message: `The answer to "${question.ask}" could not be read.` };
  }
}

/** A read with the slot that its answer must have reached, if the service names one. */
const readAt = (minSlot: number | undefined) => ({
  ...{ encoding: 'base64', commitment: 'confirmed' },
  ...(minSlot !== undefined && { minContextSlot: minSlot }),
});

/** The one read that answers a question. */
function callOf(question: SourceQuestion): { readonly method: string; readonly params: JsonValue } {
  switch (question.ask) {
    case 'slot':
      return { method: 'getSlot', params: [{ commitment: 'confirmed' }] };
    case 'certificate':
      return { method: 'getAgGenesisCert', params: [] };
    case 'rent':
      return { method: 'getMinimumBalanceForRentExemption', params: [0] };
    case 'accounts':
      return { method: 'getMultipleAccounts', params: [question.addresses, readAt(question.minSlot)] };
    case 'program': {
      const filters = question.filters === undefined ? {} : { filters: parseJson(question.filters) };
      const config = { ...readAt(question.minSlot), withContext: true, ...filters };
      return { method: 'getProgramAccounts', params: [question.address, config] };
    }
    case 'tokens': {
      const { owner, program, minSlot } = question;
      return { method: 'getTokenAccountsByOwner', params: [owner, { programId: program }, readAt(minSlot)] };
    }
  }
}
