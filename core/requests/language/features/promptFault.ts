// The parameter that a `@prompt`'s value fills, and the problem with a value before it is sent.
import type { Block, RequestDocument, Span } from '../../document/model';
import { readVariableText } from '../../document/variables/value';
import { Scope, type FileContext } from '../../document/variables/variables';
import { markdownWords } from '../../../solana/common/markdown';
import { specAt, specLabel } from '../../methods/describe';
import { checkBody } from '../../checks/checkBody';
import { fillBody } from '../../document/variables/fill';
import { methodsOf } from '../../document/packs';
import { bodyPlace, cursorAt } from '../context';
import { positionAt } from '../../document/lines';

/** The blocks that ask for `name` and have a body that can be checked. */
const asking = (document: RequestDocument, name: string): RequestDocument['blocks'] =>
  document.blocks.filter(
    ({ block }) => block.body?.valid === true && block.settings.prompts.some((prompt) => prompt.name === name),
  );

const usesOf = ({ references }: Block, name: string): Span[] =>
  references
    .filter(({ content, place }) => place === 'body' && content.kind === 'variable' && content.name === name)
    .map(({ span }) => span);

/** The problem with `text` as a prompt's value, in one sentence; undefined if none is found. */
export function promptFault(
  document: RequestDocument,
  surroundings: FileContext,
  name: string,
  text: string,
): string | undefined {
  const methods = methodsOf(surroundings);
  const vars = new Map([...(surroundings.vars ?? []), [name, readVariableText(text)]]);
  const open = new Scope(document, surroundings);
  const given = new Scope(document, { ...surroundings, vars });
  for (const { block } of asking(document, name)) {
    const { body } = block;
    if (body === undefined) continue;
    const faults = (scope: Scope): ReturnType<typeof checkBody> =>
      checkBody(block, body, fillBody(scope, block, body).filled, methods).filter(
        ({ severity }) => severity === 'error',
      );
    const uses = usesOf(block, name);
    // Problems without the value are not its fault.
    const before = new Set(faults(open).map(({ code, span }) => `${code} ${span.start}`));
    const found = faults(given).find(
      ({ code, span }) =>
        !before.has(`${code} ${span.start}`) && uses.some((use) => span.start <= use.start && use.end <= span.end),
    );
    if (found !== undefined) return found.message;
  }
  return undefined;
}

/** The parameter that a prompt's value fills, in a few words; undefined if it is not a whole parameter. */
export function promptHint(document: RequestDocument, surroundings: FileContext, name: string): string | undefined {
  const methods = methodsOf(surroundings);
  for (const placed of asking(document, name))
    for (const { start } of usesOf(placed.block, name)) {
      const place = bodyPlace(cursorAt(document, positionAt(placed, start + 1), methods));
      const [first, ...path] = place?.path ?? [];
      const field = first === 'params' && place?.record !== undefined ? specAt(place.record, path) : undefined;
      if (field !== undefined) return `${field.name} (${specLabel(field.spec)}): ${markdownWords(field.doc)}`;
    }
  return undefined;
}
