// The inputs of an answer: the request as written, the values it names, the answers it reads. While they and the endpoint
// are unchanged, the answer is reused. Considers nothing outside the files.
import { isAfterwards } from '../../document/variables/dependencies';
import { printJson } from '../../../solana/json/json';
import { follow } from '../references';
import { settingsOf, type Located, type Sources } from '../source';
import type { HelperUse } from '../analyse';

/** Identifies a named request from run to run. */
export interface RequestKey {
  /** URI of the file. */
  readonly file: string;
  readonly name: string;
  /** Name of the endpoint it is sent to. */
  readonly endpoint: string;
}

/** The inputs of an answer. */
export interface Provenance {
  /** Of this one answer. */
  readonly id: string;
  /** Digest of the request with its values and endpoint. */
  readonly subject: string;
  /** The ids of the answers that were filled in, in the order in which the request names them. */
  readonly used: readonly string[];
}

/** The request's content as far as the files define it. */
export interface AssertionSubject {
  readonly text: string;
  /** Helpers whose value depends on something outside. */
  readonly helpers: readonly HelperUse[];
  /** The requests whose answers are filled in, each once. */
  readonly needs: readonly Located[];
}

/** Ignores assertions and captures, which only read the answer. */
export function subjectOf(at: Located, sources: Sources): AssertionSubject {
  const { block } = at;
  const { endpoint, key, isKeyless } = settingsOf(at);
  const { requestLine, headers, body } = block;
  /** Names and their meanings, in order of appearance. */
  const values: string[] = [];
  const helpers: HelperUse[] = [];
  const needs = new Map<unknown, Located>();
  const before = block.references.filter((reference) => reference.place !== 'variable' && !isAfterwards(reference));
  for (const followed of follow(at, before)) {
    switch (followed.kind) {
      case 'unresolved':
        values.push('');
        break;
      case 'value':
        values.push(printJson(followed.value));
        break;
      case 'variable':
        values.push(followed.variable.value.text);
        break;
      case 'helper':
        helpers.push({ home: followed.home, span: followed.reference.span, helper: followed.helper });
        break;
      case 'response': {
        const target = sources.request(followed.request);
        needs.set(target.placed, target);
        values.push(`${target.scope.document.uri}#${followed.request.name.text}`);
        break;
      }
      // Its text is there already, and its names follow.
      case 'computed':
    }
  }
  const written = [
    requestLine === undefined ? '' : block.text.slice(requestLine.span.start, requestLine.span.end),
    ...headers.map(({ name, value }) => `${name.text}: ${value.text}`),
    body?.text ?? '',
    endpoint ?? '',
    key ?? '',
    ...(isKeyless ? ['keyless'] : []),
    JSON.stringify(block.settings.until ?? null),
  ];
  return { text: JSON.stringify([written, values]), helpers, needs: [...needs.values()] };
}
