// Checks what names mean: duplicates, references that lead nowhere or in a circle, imports, unknown directives.
import { evaluate } from '../document/variables/evaluate';
import { findCircles, referenceTarget, type Circles } from '../document/variables/cycles';
import { NAMED_BY_OWN_RESPONSE } from '../document/variables/dependencies';
import { DIRECTIVES } from '../document/directives';
import { insteadOfDirective } from '../document/foreign';
import type { Block, Directive, ForEach, Position, Problem, Reference } from '../document/model';
import type { ImportPort, Scope } from '../document/variables/variables';
import { didYouMean } from '../methods/reporter';
import { nearestNames } from '../../solana/common/nearest';
import type { FilesPort } from './analysis';
import { missingColumn, RowReader } from './checkRows';
import { helperFaults, nearHelpers } from './helperFaults';
import { problem, removal, type FixData } from './problem';

const NONE: readonly Problem[] = [];

/** Variables of a block with the name of one before them; the one before has no effect. */
function variablesTwice(block: Block): Problem[] {
  const first = new Map<string, Block['variables'][number]>();
  return block.variables.flatMap((variable) => {
    const { text, span } = variable.name;
    const before = first.get(text);
    first.set(text, variable);
    if (before === undefined) return [];
    const message = `"${text}" is defined above: this one counts.`;
    return [problem('duplicate-variable', message, span, removal(block, before.span))];
  });
}

/** The message for an import without a file. */
export function importFailure(imports: ImportPort, path: string, from: string): string {
  const reason = imports.whyNone?.(path, from);
  return `The file ${path} cannot be imported${reason === undefined ? '.' : `: ${reason}`}`;
}

/** The problems of one file's names; made once per analysis. */
export class NameChecker {
  #circles: Circles | undefined;
  /** The free name of each name that several requests have: every one of them is offered the same. */
  readonly #free = new Map<string, string>();
  readonly #rows: RowReader;

  /** `links` remembers, for as long as names and references are the same, whether there are circles at all. */
  constructor(
    private readonly scope: Scope,
    private readonly files: FilesPort | undefined,
    private readonly links: { circular: boolean | undefined },
  ) {
    this.#rows = new RowReader(files, scope.document.uri);
  }

  problemsOf(block: Block): readonly Problem[] {
    const twice = block.variables.length > 1 ? variablesTwice(block) : NONE;
    if (block.references.length === 0 && block.directives.length === 0) return twice;
    return [
      ...twice,
      ...this.#capturesTwice(block),
      ...block.directives.flatMap((directive) => this.#directive(block, directive)),
      ...block.references.flatMap((reference) => this.#reference(block, reference)),
    ];
  }

  /** Captures of a name that one before them has. */
  #capturesTwice(block: Block): Problem[] {
    return block.settings.captures
      .filter((capture) => this.scope.captures.get(capture.name.text)?.capture !== capture)
      .map(({ name, span }) =>
        problem(
          'duplicate-variable',
          `"${name.text}" is captured before: this has no effect.`,
          name.span,
          removal(block, span),
        ),
      );
  }

  #directive(block: Block, directive: Directive): Problem[] {
    const { name, value, span } = directive;
    if (!Object.hasOwn(DIRECTIVES, name.text)) {
      const names = nearestNames(name.text, Object.keys(DIRECTIVES), 2);
      const meant = insteadOfDirective(name.text);
      const near = meant ?? (names.length === 0 ? undefined : `Did you mean @${names.join(' or @')}?`);
      const message = `There is no directive @${name.text}.${near === undefined ? '' : ` ${near}`}`;
      const data = { kind: 'rename' as const, span: name.span, names: meant === undefined ? names : [] };
      return [problem('unknown-directive', message, span, data)];
    }
    if (name.text === 'name' && block.settings.name?.span === value.span && this.#isSecond(block, value.text))
      return [
        problem('duplicate-name', `Another request of this file is named "${value.text}".`, span, {
          kind: 'rename',
          span: value.span,
          names: [this.#freeName(value.text)],
        }),
      ];
    if (name.text === 'name' && block.settings.name?.span === value.span && this.scope.hasVariable(value.text))
      return [
        problem(
          'ambiguous-name',
          `A variable is named "${value.text}" as well: {{${value.text}}} is the variable, not the response.`,
          span,
          { kind: 'rename', span: value.span, names: [this.#freeName(value.text)], isEverywhere: true },
        ),
      ];
    const { imports, endpoints } = this.scope.surroundings;
    if (name.text === 'endpoint' && endpoints?.includes(value.text) === false && value.text !== '') {
      const names = nearestNames(value.text, endpoints, 2);
      const message = `No endpoint is named "${value.text}".${didYouMean(names)}`;
      return [problem('unknown-endpoint', message, value.span, { kind: 'rename', span: value.span, names })];
    }
    const { foreach } = block.settings;
    const whyNone = name.text === 'foreach' && foreach !== undefined ? this.#whyNoRows(foreach) : undefined;
    if (foreach !== undefined && whyNone !== undefined)
      return [problem('unresolved-variable', whyNone, foreach.source.token.span)];
    const isImport = name.text === 'import' && block.settings.imports.some((token) => token.span === span);
    if (isImport && imports !== undefined && imports.documentOf(value.text, this.scope.document.uri) === undefined)
      return [problem('import-failed', importFailure(imports, value.text, this.scope.document.uri), span)];
    return [];
  }

  #whyNoRows(foreach: ForEach): string | undefined {
    const reading = this.#rows.rowsOf(foreach);
    return reading?.ok === false ? reading.reason : undefined;
  }

  #reference(block: Block, reference: Reference): Problem | readonly Problem[] {
    const { span, content } = reference;
    const meaning = this.scope.meaningOf(block, content);
    if (meaning.kind === 'unresolved' && reference.isOptional === true && meaning.isAbsent === true) return [];
    if (meaning.kind === 'unresolved') {
      const near = this.#nearNames(block, reference);
      const names = near !== undefined && 'names' in near ? near.names : [];
      return [problem('unresolved-variable', `${meaning.reason}${didYouMean(names)}`, span, near)];
    }
    const { foreach } = block.settings;
    if (foreach !== undefined && meaning.kind === 'dynamic' && meaning.dynamic.kind === 'row') {
      const reading = this.#rows.rowsOf(foreach);
      const rows = reading?.ok === true ? reading.rows : [];
      return missingColumn(block, reference, meaning.dynamic, rows) ?? [];
    }
    if (content.kind === 'helper') {
      const faults = helperFaults(this.scope, block, content);
      if (faults.length > 0) return faults;
    }
    if (content.kind === 'helper' && content.name === '$file') {
      const path = content.args[0]?.text ?? '';
      const reason = this.files?.whyNotRead?.(path, this.scope.document.uri);
      if (reason !== undefined) return [problem('unresolved-variable', reason, span)];
    }
    if (meaning.kind === 'computed') {
      const value = evaluate({ scope: this.scope, block }, content);
      if (value.kind === 'unresolved' && value.isArithmetic === true)
        return [problem('unresolved-variable', value.reason, span)];
    }
    if (reference.place === 'redirect' && referenceTarget(this.scope, block, content) === block)
      return [problem('bad-redirect', NAMED_BY_OWN_RESPONSE, span)];
    if (!this.#isCircular(block, reference)) return [];
    return [problem('reference-cycle', 'This reference leads back to itself.', span)];
  }

  /** A name that neither a request nor a variable has. */
  #freeName(name: string): string {
    const known = this.#free.get(name) ?? this.#firstFree(name);
    this.#free.set(name, known);
    return known;
  }

  #firstFree(name: string): string {
    for (let number = 2; ; number++) {
      const free = `${name}${number}`;
      if (this.scope.requestNamed(free) === undefined && !this.scope.hasVariable(free)) return free;
    }
  }

  /** The names that are similar to an unknown one. */
  #nearNames(block: Block, { span, content }: Reference): FixData | undefined {
    if (content.kind === 'invalid') return nearHelpers(block.text, span);
    if (content.kind === 'helper' || content.kind === 'computed') return undefined;
    const { first } = this.scope.document;
    const owners = first.kind === 'preamble' ? [block, first] : [block];
    const variables = owners.flatMap((owner) => owner.variables.map((variable) => variable.name.text));
    const prompts = block.settings.prompts.map((prompt) => prompt.name);
    const captures = this.scope.captures.keys();
    const requests = [...this.scope.requests.keys()];
    const name = content.kind === 'variable' ? content.name : content.request;
    const known = content.kind === 'variable' ? [...captures, ...variables, ...prompts, ...requests] : requests;
    const start = block.text.indexOf(name, span.start);
    const names = nearestNames(name, known, 2);
    const declare = content.kind === 'variable' ? { declare: { name, at: this.#declarations() } } : {};
    return { kind: 'unnamed', span: { start, end: start + name.length }, names, ...declare };
  }

  /** Where a variable of the file is declared: behind the last one of the preamble, else at the top. */
  #declarations(): { readonly position: Position; readonly isAlone: boolean } {
    const { first } = this.scope.document;
    const last = first.kind === 'preamble' ? first.variables.at(-1) : undefined;
    if (last === undefined) return { position: { line: 0, character: 0 }, isAlone: true };
    const line = first.lineStarts.filter((start) => start <= last.span.start).length;
    return { position: { line, character: 0 }, isAlone: false };
  }

  #isSecond(block: Block, name: string): boolean {
    const first = block.kind === 'preamble' ? undefined : this.scope.requestNamed(name);
    return first !== undefined && first.placed.block !== block;
  }

  /** A reference is part of a circle where both its ends are in the same one. */
  #isCircular(block: Block, { span, place, content }: Reference): boolean {
    if (this.links.circular === false) return false;
    this.#circles ??= findCircles(this.scope);
    const circles = this.#circles;
    this.links.circular = circles.size > 0;
    const source =
      place === 'variable'
        ? block.variables.find((variable) => variable.span.start <= span.start && span.end <= variable.span.end)
        : block;
    const circle = source === undefined ? undefined : circles.get(source);
    const target = referenceTarget(this.scope, block, content);
    if (circle === undefined || target === undefined || circles.get(target) !== circle) return false;
    // A request may read its own response once it is there.
    const isAfterwards = place === 'assertion' || place === 'redirect' || place === 'retry';
    return !(target === block && isAfterwards);
  }
}
