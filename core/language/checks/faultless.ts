// The short way to "nothing to say": a part of a file whose blocks are each a title and one strict JSON request is judged
// by the values alone, without blocks, places or trees. What it cannot judge, or finds a fault in, goes the full way.
import { readStrictValue } from '../../document/body';
import { isTitle } from '../../document/chunk';
import { laneOf, transportOfCall } from '../call';
import type { MethodTable } from '../../methods';
import { mayHoldDuplicates } from './duplicates';
import { checkRequest, type RequestOptions } from './checkRequest';
import { hasPlainNumbers, isJsonObject, type JsonObject } from '../../values/json/json';

/** JSON's white space alone: what else looks blank, such as a byte order mark, is for the full way to judge. */
const BLANK = /^[ \t\r\n]*$/;

const known = (): boolean => false;
const optionsOf = (lane: RequestOptions['lane'], methods: MethodTable): RequestOptions => ({
  lane,
  methods,
  programs: methods.programs,
  isMisplaced: false,
  isUnknown: known,
  isWalletTransaction: known,
  conditional: true,
});

/**
 * Marks of what needs more than the value of a request: a variable; a member `api_key`, by the end that begins with the
 * rarer character, which is found faster.
 */
const NEEDS_MORE = ['{{', '_key'];

/**
 * True only where the full check finds nothing in any block of `text`, whatever stands around it. `text`: the lines of
 * whole blocks, joined by "\n".
 */
export function isFaultless(text: string, methods: MethodTable): boolean {
  const post = optionsOf(laneOf('POST'), methods);
  const ws = optionsOf(laneOf('WS'), methods);
  const isFine = (request: JsonObject): boolean =>
    checkRequest(request, transportOfCall(request, methods) === 'WS' ? ws : post).length === 0;
  return requestsIn(text)?.every(isFine) === true;
}

/**
 * The requests of blocks that are a title and a strict JSON object each; undefined where any is more. All are read before
 * the first is checked: turn by turn the two would push each other out of the processor's caches.
 */
function requestsIn(text: string): readonly JsonObject[] | undefined {
  if (!isTitle(text) || NEEDS_MORE.some((mark) => text.includes(mark))) return undefined;
  const requests: JsonObject[] = [];
  const isPlain = hasPlainNumbers(text) || undefined;
  for (let start = 0; start >= 0;) {
    const next = text.indexOf('\n###', start);
    const titleEnd = text.indexOf('\n', start);
    if (titleEnd !== next) {
      const rest = next < 0 ? text.slice(titleEnd) : text.slice(titleEnd, next);
      const value = readStrictValue(rest, isPlain);
      if (isJsonObject(value) && !mayHoldDuplicates(rest, value)) requests.push(value);
      else if (value !== undefined || !BLANK.test(rest)) return undefined;
    }
    start = next < 0 ? next : next + 1;
  }
  return requests;
}
