// Places that explain a finding: the other request of a name, the other id, what a reference leads to, where a value
// that is wrong through a variable is written. Looked up only for findings that are shown; finds no problems itself.
import type { DiagnosticRelatedInformation } from 'vscode-languageserver-types';
import { rangeOf } from '../document/lines';
import type { PlacedBlock, Problem, RequestDocument, Span } from '../document/model';
import type { Scope } from '../document/variables/variables';
import { integerOf, isJsonArray, member, type JsonValue } from '../../solana/json/json';
import { methodsOf } from '../document/packs';
import { nodesIn, nodeSpan, partPlace, propertyOf } from '../document/call';
import { methodOf } from '../../solana/json/calls';

type Related = readonly DiagnosticRelatedInformation[];
const NONE: Related = [];

/** The places to show with a problem of `placed`, nearest first; mostly none. `scope` is asked for only where needed. */
export function relatedTo(
  document: RequestDocument,
  placed: PlacedBlock,
  problem: Problem,
  scope: () => Scope,
): Related {
  switch (problem.code) {
    case 'duplicate-name':
      return firstOfName(placed, problem.span, scope());
    case 'duplicate-id':
      return firstOfId(document, placed, problem.span);
    case 'reference-cycle':
      return targetsIn(placed, problem.span, scope(), 'It reads this.');
    case 'conflicting-fields':
    case 'transaction-encoding':
      return [...beside(document, placed, problem, scope), ...writtenAt(placed, problem.span, scope)];
    default:
      return problem.code === 'unresolved-variable' ? NONE : writtenAt(placed, problem.span, scope);
  }
}

const at = (document: RequestDocument, placed: PlacedBlock, span: Span, message: string): Related => [
  { location: { uri: document.uri, range: rangeOf(placed, span) }, message },
];

function firstOfName({ block }: PlacedBlock, { start, end }: Span, scope: Scope): Related {
  const name = block.directives.find(({ span }) => span.start === start && span.end === end)?.value.text ?? '';
  const first = scope.requestNamed(name);
  return first === undefined
    ? NONE
    : at(first.document, first.placed, first.name.span, 'The first request of the name.');
}

const sameId = (a: JsonValue | undefined, b: JsonValue | undefined): boolean =>
  a === b ||
  (typeof a !== 'string' && typeof b !== 'string' && integerOf(a) === integerOf(b) && integerOf(a) !== undefined);

function firstOfId(document: RequestDocument, placed: PlacedBlock, { start }: Span): Related {
  const { body } = placed.block;
  const calls = body?.value();
  if (body === undefined || !isJsonArray(calls)) return NONE;
  const idAt = (index: number): Span | undefined => {
    const node = partPlace(body, { index }, ['id']);
    return node?.isWhole === true ? nodeSpan(node.node) : undefined;
  };
  const second = calls.findIndex((_, index) => idAt(index)?.start === start);
  const first = calls.findIndex((call) => sameId(member(call, 'id'), member(calls[second], 'id')));
  const span = first < 0 || first === second ? undefined : idAt(first);
  return span === undefined ? NONE : at(document, placed, span, 'The first request of the id.');
}

/** The targets of the references in a part of the block: variables and named requests. */
function targetsIn(placed: PlacedBlock, part: Span, scope: Scope, message: string): DiagnosticRelatedInformation[] {
  const inside = placed.block.references.filter(({ span }) => span.start >= part.start && span.end <= part.end);
  return inside.flatMap(({ content }) => {
    const meaning = scope.meaningOf(placed.block, content);
    if (meaning.kind === 'variable') {
      const { variable, block, document: owner } = meaning.origin;
      const home = owner.blocks.find((one) => one.block === block);
      return home === undefined ? [] : at(owner, home, variable.span, message);
    }
    if (meaning.kind !== 'dynamic' || meaning.dynamic.kind !== 'response') return [];
    const { name, placed: home, document: owner } = meaning.dynamic.request;
    return at(owner, home, name.span, message);
  });
}

/** A value that is wrong through a variable is written where the variable is. */
function writtenAt(placed: PlacedBlock, span: Span, scope: () => Scope): Related {
  const isThrough = placed.block.references.some((one) => one.span.start >= span.start && one.span.end <= span.end);
  return isThrough ? targetsIn(placed, span, scope(), 'The value is written here.') : NONE;
}

/** The other member of a conflict, and the encoding that a transaction's config names. */
function beside(
  document: RequestDocument,
  placed: PlacedBlock,
  { code, span, message }: Problem,
  scope: () => Scope,
): Related {
  const { body } = placed.block;
  if (body === undefined || body.isBatch) return NONE;
  const isTransaction =
    code === 'transaction-encoding' &&
    methodsOf(scope().surroundings).named(methodOf(body.value() ?? null) ?? '') !== undefined;
  if (isTransaction) {
    const config = partPlace(body, { index: undefined }, ['params', 1]);
    const encoding = config?.isWhole === true ? propertyOf(config.node, 'encoding') : undefined;
    return encoding === undefined ? NONE : at(document, placed, nodeSpan(encoding), 'The encoding is named here.');
  }
  for (const node of nodesIn(body.tree())) {
    const keys =
      node.type === 'object' ? (node.children ?? []).flatMap((property) => property.children?.[0] ?? []) : [];
    const index = keys.findIndex((key) => key.offset === span.start);
    if (index >= 0)
      return keys
        .filter((key) => message.includes(JSON.stringify(key.value)) && key.offset < span.start)
        .flatMap((key) => at(document, placed, nodeSpan(key), 'Conflicts with this member.'));
  }
  return NONE;
}
