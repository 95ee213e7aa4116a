// What an answer depends on: the request as it is written, the values it names, the answers it reads. While all of that
// is the same, and the endpoint with it, the answer is used again. Looks at nothing outside the files.
import { isAfterwards } from '../document/dependencies';
import { printJson } from '../values/json/json';
import { meaningAt, settingsOf, type Located, type Sources } from './source';
import type { Home } from '../document/evaluate';
import { referencesIn } from '../document/splice';
import type { HelperUse } from './analyse';
import type { Reference, Variable } from '../document/model';

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

/** Helpers whose arguments may be names of variables. */
const TAKES_NAMES = new Set(['$transfer']);

/** What is checked or saved once the answer is here plays no part. */
export function subjectOf(at: Located, sources: Sources): Subject {
  const { block } = at;
  const { endpoint, key } = settingsOf(at);
  const { requestLine, headers, body } = block;
  const walk = new Walk(sources);
  for (const reference of block.references)
    if (reference.place !== 'variable' && !isAfterwards(reference)) walk.follow(at, reference);
  const written = [
    requestLine === undefined ? '' : block.text.slice(requestLine.span.start, requestLine.span.end),
    ...headers.map(({ name, value }) => `${name.text}: ${value.text}`),
    body?.text ?? '',
    endpoint ?? '',
    key ?? '',
    JSON.stringify(block.settings.until ?? null),
  ];
  return { text: JSON.stringify([written, walk.values]), helpers: walk.helpers, needs: [...walk.needs.values()] };
}

class Walk {
  /** Names and what they stand for, in the order in which they are met. */
  readonly values: string[] = [];
  readonly helpers: HelperUse[] = [];
  readonly needs = new Map<unknown, Located>();
  readonly #seen = new Set<Variable>();

  constructor(private readonly sources: Sources) {}

  follow(from: Home, first: Reference): void {
    const pending = [{ home: from, reference: first }];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { home, reference } = next;
      const meaning = meaningAt(home, reference.content);
      switch (meaning.kind) {
        case 'unresolved':
          this.values.push('');
          break;
        case 'value':
          this.values.push(printJson(meaning.value));
          break;
        case 'variable': {
          const { variable, block } = meaning.origin;
          this.values.push(variable.value.text);
          if (this.#seen.has(variable)) break;
          this.#seen.add(variable);
          const inner = { scope: meaning.scope, block };
          for (const inside of referencesIn(block.references, variable.value.span.start, variable.value.span.end))
            pending.push({ home: inner, reference: inside });
          break;
        }
        case 'dynamic': {
          const { dynamic } = meaning;
          if (dynamic.kind === 'response') {
            const target = this.sources.request(dynamic.request);
            this.needs.set(target.placed, target);
            this.values.push(`${target.scope.document.uri}#${dynamic.request.name.text}`);
          } else if (dynamic.kind === 'helper') {
            this.helpers.push({ home, span: reference.span, helper: dynamic });
            if (!TAKES_NAMES.has(dynamic.name)) break;
            for (const { text } of dynamic.args) {
              const content = { kind: 'variable', name: text } as const;
              if (meaningAt(home, content).kind !== 'unresolved')
                pending.push({ home, reference: { ...reference, content } });
            }
          }
        }
      }
    }
  }
}
