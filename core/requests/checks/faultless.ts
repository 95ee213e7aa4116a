// The short way to "nothing to say": a part of a file whose blocks are each a title and one strict JSON request is judged
// without blocks, places or trees; most requests without their values, too. What it cannot judge, or finds a fault in,
// goes the full way.
import { isTitle } from '../document/chunk';
import type { MethodTable } from '../methods';
import { mayHoldDuplicates } from './duplicates';
import { checkRequest, type RequestOptions } from './checkRequest';
import { callRecognizer, type CallRecognizer } from '../methods/recognize';
import { isJsonObject, jsonOf } from '../../solana/json/json';
import { CLOSE_BRACE, COLON, COMMA, OPEN_BRACE, PlainReader } from '../../solana/json/plainReader';

const known = (): boolean => false;
/** Blocks without a request line go where their method is served. */
const optionsWith = (methods: MethodTable): RequestOptions => ({
  lane: undefined,
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
 * True only if the full check finds nothing in any block of `text`, in any surroundings. `text`: the lines of whole
 * blocks, joined by "\n".
 */
export function isFaultless(text: string, methods: MethodTable): boolean {
  if (!isTitle(text) || NEEDS_MORE.some((mark) => text.includes(mark))) return false;
  const reader = new PlainReader(text);
  while (reader.at < text.length) {
    // A title takes its line; what follows is a request, or the next title.
    const titleEnd = text.indexOf('\n', reader.at);
    if (titleEnd < 0) return true;
    reader.at = titleEnd;
    reader.space();
    if (isAtEnd(reader)) continue;
    if (isPlainRequest(reader, methods) && isAtEnd(reader)) continue;
    const next = text.indexOf('\n###', titleEnd);
    reader.at = next < 0 ? text.length : next + 1;
    if (!isFaultlessRequest(next < 0 ? text.slice(titleEnd) : text.slice(titleEnd, next), methods)) return false;
  }
  return true;
}

/** Whether nothing but a title can follow. */
const isAtEnd = ({ text, at }: PlainReader): boolean =>
  at === text.length || (text.charCodeAt(at - 1) === 0x0a && text.startsWith('###', at));

/** Bits of the members of a request: each may be there once. */
const VERSION = 1;
const ID = 2;
const METHOD = 4;
const PARAMS = 8;

/** Recognises a valid request without making a value of it. What it does not recognise may be valid still. */
function isPlainRequest(reader: PlainReader, methods: MethodTable): boolean {
  let call: CallRecognizer | undefined;
  let seen = 0;
  if (!reader.take(OPEN_BRACE)) return false;
  do {
    const bit = memberBit(reader);
    if ((seen & bit) !== 0 || !reader.take(COLON)) return false;
    seen |= bit;
    switch (bit) {
      case METHOD: {
        const record = methods.named(reader.quoted() ?? '');
        call = record === undefined ? undefined : callRecognizer(record);
        if (call === undefined) return false;
        break;
      }
      case PARAMS:
        if (call?.params(reader) !== true) return false;
        break;
      case VERSION:
        if (!reader.takeWord('"2.0"')) return false;
        break;
      case ID:
        // The one is not tried after the other: a reader that failed may have moved.
        if ((reader.isAtString ? reader.string() : reader.integer()) === undefined) return false;
        break;
      default:
        return false;
    }
  } while (reader.take(COMMA));
  return reader.take(CLOSE_BRACE) && call !== undefined && (call.mayBeLeftOut || (seen & PARAMS) !== 0);
}

/** Takes the name of a member and answers its bit; 0 for any other name. */
function memberBit(reader: PlainReader): number {
  if (reader.takeWord('"method"')) return METHOD;
  if (reader.takeWord('"params"')) return PARAMS;
  if (reader.takeWord('"jsonrpc"')) return VERSION;
  return reader.takeWord('"id"') ? ID : 0;
}

/** The same by the value of the request, which has to be strict JSON without a member that is there twice. */
function isFaultlessRequest(text: string, methods: MethodTable): boolean {
  const value = jsonOf(text);
  if (!isJsonObject(value) || mayHoldDuplicates(text, value)) return false;
  return checkRequest(value, optionsWith(methods)).length === 0;
}
