// What an answer depends on: the request as it is written, the values it names, the answers it reads. While all of that
// is the same, and the endpoint with it, the answer is used again. Looks at nothing outside the files.
import { isAfterwards } from '../../document/variables/dependencies';
import { printJson } from '../../values/json/json';
import { follow } from '../references';
import { settingsOf, type Located, type Sources } from '../source';
import type { HelperUse } from '../analyse';

/** Identifies a named request from run to run. */
export interface RequestKey {
  /** URI of the file. */
  readonly file: string;
  readonly name: string;
  /** Name of the endpoint that it goes to. */
  readonly endpoint: string;
}

/** What an answer was given to. */
export interface Provenance {
  /** Of this one answer. */
  readonly id: string;
  /** A digest of what was asked, values and endpoint included. */
  readonly subject: string;
  /** The ids of the answers that were filled in, in the order in which the request names them. */
  readonly used: readonly string[];
}

/** What a request asks, as far as the files say. */
export interface Subject {
  readonly text: string;
  /** Helpers whose value depends on something outside. */
  readonly helpers: readonly HelperUse[];
  /** The requests whose answers are filled in, each once. */
  readonly needs: readonly Located[];
}

/** What is checked or saved once the answer is here plays no part. */
export function subjectOf(at: Located, sources: Sources): Subject {
  const { block } = at;
  const { endpoint, key } = settingsOf(at);
  const { requestLine, headers, body } = block;
  /** Names and what they mean, in the order in which they are met. */
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
    JSON.stringify(block.settings.until ?? null),
  ];
  return { text: JSON.stringify([written, values]), helpers, needs: [...needs.values()] };
}
