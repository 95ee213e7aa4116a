// Reads an IDL file of any kind: Anchor's old form, the form since Anchor 0.30, a Codama document. Never throws: leaves
// out and reports what makes no sense; a text that is not an IDL at all gives only problems.
import { isJsonObject, parseJson, type JsonObject, type JsonValue } from '../../json/json';
import { readAnchor } from './anchor';
import { isCodama, readCodama } from './codama';
import type { Idl } from './model';
import { Problems, type IdlProblem } from './problems';

/** Longer texts are refused, in UTF-16 units. */
export const MAX_IDL_TEXT = 4 * 1024 * 1024;

export interface ReadIdl {
  readonly idl: Idl | undefined;
  /** Other programs that a Codama document describes. Only the author of the file vouches for them. */
  readonly additional: readonly Idl[];
  readonly problems: readonly IdlProblem[];
}

export function readIdl(text: string): ReadIdl {
  const problems = new Problems();
  const file = parsed(text, problems);
  const [idl, ...additional] =
    file === undefined ? [] : isCodama(file) ? readCodama(file, problems) : readAnchor(file, problems);
  return { idl, additional, problems: problems.found };
}

function parsed(text: string, problems: Problems): JsonObject | undefined {
  if (text.length > MAX_IDL_TEXT) return problems.say('the file', `it is longer than ${MAX_IDL_TEXT} characters`);
  let value: JsonValue;
  try {
    value = parseJson(text);
  } catch (error) {
    return problems.say('the file', error instanceof Error ? error.message : 'it is not JSON');
  }
  return isJsonObject(value) ? value : problems.say('the file', 'an IDL is an object');
}
