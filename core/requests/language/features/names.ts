// Variables and names of requests as symbols: where one is defined, who uses it, and how it gets another name. Looks
// through the files it is given; changes nothing.
import {
  DocumentHighlightKind,
  type DocumentHighlight,
  type Location,
  type TextEdit,
} from 'vscode-languageserver-types';
import { rangeOf, touches } from '../../document/lines';
import type {
  Block,
  Capture,
  ForEach,
  PlacedBlock,
  Range,
  Reference,
  RequestDocument,
  Span,
  Variable,
} from '../../document/model';
import { NAME_PATTERN } from '../../document/variables/reference';
import { Scope, type Meaning, type FileContext } from '../../document/variables/variables';
import { referenceAt, type CursorContext } from '../context';

/** The ranges of LSP's linked editing, whose types are not among those of the other features. */
export interface LinkedEditingRanges {
  readonly ranges: Range[];
  readonly wordPattern: string;
}

const NAME_WORD = NAME_PATTERN.source.slice(1, -1);

/** The target of a name; `owner` is an object that is the same for all its uses. */
interface Target {
  readonly name: string;
  readonly owner: Variable | Block | Capture | ForEach;
  readonly kind: 'variable' | 'request' | 'prompt' | 'capture' | 'row';
}

interface Occurrence {
  readonly document: RequestDocument;
  readonly placed: PlacedBlock;
  readonly span: Span;
  readonly isDefinition: boolean;
}

/** The files searched for names: the file itself, the files it imports, and those that import it. */
export interface Territory {
  readonly documents: readonly RequestDocument[];
  readonly surroundings: (document: RequestDocument) => FileContext;
}

export function definitionAt(cursor: CursorContext, territory: Territory): Location[] {
  return occurrencesAt(cursor, territory)
    .filter(({ isDefinition }) => isDefinition)
    .map(locationOf);
}

export function referencesAt(cursor: CursorContext, territory: Territory, withDefinition: boolean): Location[] {
  return occurrencesAt(cursor, territory)
    .filter(({ isDefinition }) => withDefinition || !isDefinition)
    .map(locationOf);
}

export function highlightsAt(cursor: CursorContext, territory: Territory): DocumentHighlight[] {
  return occurrencesAt(cursor, territory)
    .filter(({ document }) => document === cursor.document)
    .map(({ placed, span, isDefinition }) => ({
      range: rangeOf(placed, span),
      kind: isDefinition ? DocumentHighlightKind.Write : DocumentHighlightKind.Read,
    }));
}

/** The name under the cursor that can be renamed, as written there. */
export function renameRange(cursor: CursorContext, territory: Territory): Range | undefined {
  const here = occurrencesAt(cursor, territory).find(
    ({ document, placed, span }) =>
      document === cursor.document && placed.block === cursor.block && touches(span, cursor.offset),
  );
  return here === undefined ? undefined : rangeOf(here.placed, here.span);
}

/**
 * The places in this file that change with the name under the cursor while it is typed. Only from the definition:
 * a changed use is meant to refer to something else.
 */
export function linkedAt(cursor: CursorContext, territory: Territory): LinkedEditingRanges | undefined {
  const found = occurrencesAt(cursor, territory).filter(({ document }) => document === cursor.document);
  const here = found.find(({ placed, span }) => placed.block === cursor.block && touches(span, cursor.offset));
  if (here?.isDefinition !== true || found.length < 2) return undefined;
  return { ranges: found.map(({ placed, span }) => rangeOf(placed, span)), wordPattern: NAME_WORD };
}

/** Edits by file, or why nothing can be renamed. */
export type Renaming =
  | { readonly ok: true; readonly changes: Readonly<Record<string, TextEdit[]>> }
  | { readonly ok: false; readonly reason: string };

export function renameAt(cursor: CursorContext, territory: Territory, newName: string): Renaming {
  if (!NAME_PATTERN.test(newName))
    return { ok: false, reason: 'A name is letters, digits, "_" and "-", and begins with a letter or "_".' };
  const found = occurrencesAt(cursor, territory);
  if (found.length === 0) return { ok: false, reason: 'There is no name here that a file defines.' };
  for (const { document, placed } of found) {
    const scope = new Scope(document, territory.surroundings(document));
    if (scope.meaningOf(placed.block, { kind: 'variable', name: newName }).kind !== 'unresolved')
      return { ok: false, reason: `Something is named "${newName}" already.` };
  }
  const changes: Record<string, TextEdit[]> = {};
  for (const { document, placed, span } of found)
    (changes[document.uri] ??= []).push({ range: rangeOf(placed, span), newText: newName });
  return { ok: true, changes };
}

const locationOf = ({ document, placed, span }: Occurrence): Location => ({
  uri: document.uri,
  range: rangeOf(placed, span),
});

/** Every place of the name under the cursor, definitions first in each file. */
function occurrencesAt(cursor: CursorContext, territory: Territory): Occurrence[] {
  const scope = new Scope(cursor.document, territory.surroundings(cursor.document));
  const target = targetAt(cursor, scope);
  return target === undefined ? [] : territory.documents.flatMap((document) => placesIn(document, territory, target));
}

function targetAt(cursor: CursorContext, scope: Scope): Target | undefined {
  const { block, offset } = cursor;
  const reference = referenceAt(cursor);
  if (reference !== undefined) return targetOf(scope, block, reference);
  const variable = block.variables.find(({ name }) => touches(name.span, offset));
  if (variable !== undefined) return { kind: 'variable', owner: variable, name: variable.name.text };
  const { name } = block.settings;
  if (name !== undefined && touches(name.span, offset)) return { kind: 'request', owner: block, name: name.text };
  const capture = block.settings.captures.find((one) => touches(one.name.span, offset));
  if (capture !== undefined) return { kind: 'capture', owner: capture, name: capture.name.text };
  const { foreach } = block.settings;
  if (foreach !== undefined && touches(foreach.name.span, offset))
    return { kind: 'row', owner: foreach, name: foreach.name.text };
  const prompt = promptSpans(block).find(({ span }) => touches(span, offset));
  return prompt === undefined ? undefined : { kind: 'prompt', owner: block, name: prompt.name };
}

function targetOf(scope: Scope, block: Block, { content }: Reference): Target | undefined {
  const meaning: Meaning = scope.meaningOf(block, content);
  if (meaning.kind === 'variable') {
    const { variable } = meaning.origin;
    return { kind: 'variable', owner: variable, name: variable.name.text };
  }
  if (meaning.kind !== 'dynamic') return undefined;
  const { dynamic } = meaning;
  if (dynamic.kind === 'response' && dynamic.capture !== undefined)
    return { kind: 'capture', owner: dynamic.capture, name: dynamic.capture.name.text };
  if (dynamic.kind === 'response')
    return { kind: 'request', owner: dynamic.request.placed.block, name: dynamic.request.name.text };
  if (dynamic.kind === 'row') {
    const { foreach } = block.settings;
    return foreach === undefined ? undefined : { kind: 'row', owner: foreach, name: dynamic.name };
  }
  return dynamic.kind === 'prompt' ? { kind: 'prompt', owner: block, name: dynamic.prompt.name } : undefined;
}

function placesIn(document: RequestDocument, territory: Territory, target: Target): Occurrence[] {
  const scope = new Scope(document, territory.surroundings(document));
  const found: Occurrence[] = [];
  for (const placed of document.blocks) {
    const { block } = placed;
    for (const span of definitionsIn(block, target)) found.push({ document, placed, span, isDefinition: true });
    for (const reference of block.references) {
      // A name that is not in the text is not a use.
      const at = block.text.indexOf(target.name, reference.span.start);
      if (at < 0 || at >= reference.span.end) continue;
      const meant = targetOf(scope, block, reference);
      if (meant?.kind !== target.kind || meant.owner !== target.owner || meant.name !== target.name) continue;
      found.push({ document, placed, span: { start: at, end: at + target.name.length }, isDefinition: false });
    }
  }
  return found;
}

function definitionsIn(block: Block, { kind, owner, name }: Target): Span[] {
  switch (kind) {
    case 'variable':
      return block.variables.filter((variable) => variable === owner).map((variable) => variable.name.span);
    case 'capture':
      return block.settings.captures.filter((capture) => capture === owner).map((capture) => capture.name.span);
    case 'row': {
      const { foreach } = block.settings;
      return foreach !== undefined && foreach === owner ? [foreach.name.span] : [];
    }
    case 'request':
      return block === owner && block.settings.name !== undefined ? [block.settings.name.span] : [];
    case 'prompt':
      return block === owner
        ? promptSpans(block)
            .filter((prompt) => prompt.name === name)
            .map(({ span }) => span)
        : [];
  }
}

function promptSpans(block: Block): { readonly name: string; readonly span: Span }[] {
  return block.directives
    .filter((directive) => directive.name.text === 'prompt')
    .map(({ value }) => {
      const name = /^\S*/.exec(value.text)?.[0] ?? '';
      return { name, span: { start: value.span.start, end: value.span.start + name.length } };
    });
}
