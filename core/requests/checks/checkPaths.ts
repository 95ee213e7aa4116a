// Paths into answers, checked against what their method says it answers: of assertions and of references. A member that
// nobody names may be there all the same; reported is a slip of a known one, and what no answer can have.
import type { Scope } from '../document/variables/variables';
import type {
  Assertion,
  Block,
  Condition,
  PathStep,
  Problem,
  Reference,
  ReferenceContent,
  Span,
} from '../document/model';
import { BESIDE } from '../document/variables/answer';
import { printPath } from '../document/variables/path';
import type { MethodTable } from '../methods';
import { nearestNames } from '../../solana/common/nearest';
import { specAt } from '../methods/describe';
import { didYouMean } from '../methods/reporter';
import { expectation, takes } from '../methods/kinds';
import type { FieldSpec, ValueSpec } from '../methods/types';
import { isJsonArray, member, printJson } from '../../solana/json/json';
import { callOfPath, conditionsOf, isStream, pathTo, shapeOfPath, transportOf } from '../document/call';
import { methodOf } from '../../solana/json/calls';
import { methodsOf } from '../document/packs';
import { answerShape, kindOfShape, shapeAt, type ResultShape } from '../methods/resultShape';
import { problem, type FixData } from './problem';

/** Members of a response, and how REST Client begins a path. */
const ROOTS = ['result', 'error', 'id', 'jsonrpc'];

/** More paths of one block are not looked at: each is looked up in its batch. */
const MAX_PATHS = 100;

/** Checks the paths of a block. */
export function checkPaths(scope: Scope, block: Block): Problem[] {
  const conditions = conditionsOf(block);
  const references = block.references.filter(
    ({ content }) => content.kind === 'response' || (content.kind === 'variable' && scope.captures.has(content.name)),
  );
  const { captures } = block.settings;
  if (conditions.length === 0 && references.length === 0 && captures.length === 0) return [];
  const methods = methodsOf(scope.surroundings);
  return [
    ...conditions.slice(0, MAX_PATHS).flatMap((condition) => conditionProblem(block, condition, methods) ?? []),
    ...captures.slice(0, MAX_PATHS).flatMap(({ path }) => {
      const miss = missOf(block, path.steps, methods);
      return miss === undefined ? [] : [at(block, path.span, miss)];
    }),
    ...references.slice(0, MAX_PATHS).flatMap((reference) => referenceProblem(scope, block, reference, methods) ?? []),
  ];
}

/** A step that leads nowhere, and the names that it may be a slip of. */
interface Miss {
  readonly message: string;
  readonly step?: PathStep;
  readonly names?: readonly string[];
}

function conditionProblem(block: Block, condition: Condition, methods: MethodTable): Problem | undefined {
  const { path, operator, each = [] } = condition;
  // An element of a list is like the first one.
  const steps = [...path.steps, ...each.flatMap((behind) => [0, ...behind])];
  const miss = missOf(block, steps, methods);
  if (miss !== undefined) return at(block, path.span, miss);
  if (!ORDERS.has(operator)) return undefined;
  const kind = kindOfShape(shapeOfPath(block, steps, methods));
  if (kind === undefined || kind === 'number') return undefined;
  const article = kind === 'object' || kind === 'array' ? 'an' : 'a';
  return problem(
    'unknown-path',
    `${operator} compares numbers, and the answer has ${article} ${kind} here.`,
    path.span,
  );
}

const ORDERS: ReadonlySet<Assertion['operator']> = new Set(['<', '<=', '>', '>=', 'between', 'within']);

function referenceProblem(scope: Scope, block: Block, reference: Reference, methods: MethodTable): Problem | undefined {
  const { content, span } = reference;
  const read = readBy(scope, block, content);
  if (read === undefined) return undefined;
  const { source, path, name } = read;
  const miss = missOf(source, path, methods);
  // A capture that leads nowhere is reported where it is written.
  if (miss !== undefined) return content.kind === 'response' ? at(block, span, miss) : undefined;
  if (reference.place !== 'body' || !reference.alone) return undefined;
  const field = fieldOf(block, span, methods);
  const shape = shapeOfPath(source, path, methods);
  if (field === undefined || [field.spec, ...(field.alsoAccepts ?? [])].some((spec) => mayFill(spec, shape)))
    return undefined;
  const what = shape?.kind === 'value' ? shape.label : kindOfShape(shape);
  return problem('wrong-type', `Expected ${expectation(field.spec)}; ${name} is another value (${what}).`, span);
}

interface Read {
  readonly source: Block;
  readonly path: readonly PathStep[];
  /** As it is written. */
  readonly name: string;
}

/** The answer that a reference reads, by the name of its request or by a capture; undefined for any other. */
function readBy(scope: Scope, block: Block, content: ReferenceContent): Read | undefined {
  if (content.kind === 'response') {
    const source = scope.requestNamed(content.request)?.placed.block;
    const name = printPath([content.request, ...content.path]);
    return source === undefined ? undefined : { source, path: content.path, name };
  }
  if (content.kind !== 'variable') return undefined;
  const meaning = scope.meaningOf(block, content);
  const captured = scope.captures.get(content.name);
  if (captured === undefined || meaning.kind !== 'dynamic' || meaning.dynamic !== captured) return undefined;
  // A block that uses its own capture is a circle, which is reported elsewhere.
  if (captured.request.placed.block === block) return undefined;
  return { source: captured.request.placed.block, path: captured.path, name: content.name };
}

/** Keys and signatures are both text, and neither is the other. */
function mayFill(spec: ValueSpec, shape: ResultShape | undefined): boolean {
  const kind = kindOfShape(shape);
  if (kind === undefined) return true;
  if (!takes(spec, kind)) return false;
  if (shape?.kind !== 'value') return true;
  return spec.kind === 'signature'
    ? shape.label !== 'pubkey' && shape.label !== 'blockhash'
    : !(spec.kind === 'pubkey' || spec.kind === 'blockhash') || shape.label !== 'signature';
}

/** The parameter that a reference fills. */
function fieldOf(block: Block, span: Span, methods: MethodTable): FieldSpec | undefined {
  const { body } = block;
  const path = body === undefined ? undefined : pathTo(body, span.start);
  if (body === undefined || path === undefined) return undefined;
  const value = body.value();
  const [index] = path;
  const inCall = body.isBatch ? path.slice(1) : path;
  const call = isJsonArray(value) && typeof index === 'number' ? value[index] : value;
  const record = methods.named(methodOf(call ?? null) ?? '');
  const [first, ...steps] = inCall;
  return record === undefined || first !== 'params' ? undefined : specAt(record, steps);
}

function at({ text }: Block, span: Span, { message, step, names = [] }: Miss): Problem {
  const start = typeof step === 'string' ? text.indexOf(step, span.start) : -1;
  const isInside = typeof step === 'string' && start >= 0 && start + step.length <= span.end;
  const data: FixData | undefined =
    isInside && names.length > 0
      ? { kind: 'rename', span: { start, end: start + step.length }, names: [...names] }
      : undefined;
  return problem('unknown-path', message, span, data);
}

function missOf(block: Block, whole: readonly PathStep[], methods: MethodTable): Miss | undefined {
  const path = block.settings.foreach !== undefined && whole[0] === 'rows' ? whole.slice(2) : whole;
  const [first] = path;
  if (first === undefined || first === 'response') return undefined;
  if (BESIDE.has(first)) return besideMiss(block, first, methods);
  if (block.requestLine?.transport === 'GRPC') return undefined;
  if (block.body?.isBatch === true) {
    const miss = idMiss(block, first);
    if (miss !== undefined) return miss;
  }
  const { call, rest } = callOfPath(block, path);
  const [root, ...steps] = rest;
  if (root === undefined || methods.named(methodOf(call ?? null) ?? '') === undefined) return undefined;
  if (typeof root === 'string' && !ROOTS.includes(root)) {
    const names = nearestNames(root, ROOTS, 2);
    return { message: `An answer has result or error, and no "${root}".${didYouMean(names)}`, step: root, names };
  }
  let shape = shapeAt(answerShape(call, methods), root);
  for (const step of steps) {
    if (shape?.isOneOfMany === true) return undefined;
    if (shape?.kind === 'object' && typeof step === 'string' && !shape.members.has(step)) {
      const names = nearestNames(step, [...shape.members.keys()], 2);
      if (names.length === 0) return undefined;
      return { message: `The answer has no "${step}" here.${didYouMean(names)}`, step, names };
    }
    const kind = kindOfShape(shape);
    if (kind !== undefined && kind !== 'object' && kind !== 'array')
      return { message: `The answer has a ${kind} here, and a ${kind} has no members.`, step };
    shape = shapeAt(shape, step);
  }
  return undefined;
}

/** Reports roots outside the body that the block's transport does not have. */
function besideMiss(block: Block, first: PathStep, methods: MethodTable): Miss | undefined {
  if (first === 'messages' && isStream(block, methods) === false)
    return { message: 'Only a stream has messages; this request has one response.' };
  const transport = transportOf(block, methods);
  if (first === 'status' && (transport === 'WS' || transport === 'GRPC'))
    return { message: `"status" is the one of HTTP; ${transport} has none.` };
  return undefined;
}

/** An id that no call of the batch has. A call without one gets a free one when it is sent. */
function idMiss({ body }: Block, first: PathStep): Miss | undefined {
  const value = body?.value();
  if (first === 'length' || !isJsonArray(value)) return undefined;
  const ids = value.map((call) => member(call, 'id'));
  if (ids.some((id) => id === undefined || (typeof id === 'string' && id.includes('{{')))) return undefined;
  const known = ids.map((id) => printJson(id ?? null));
  if (known.includes(printJson(first))) return undefined;
  return { message: `No request of the batch has the id ${printJson(first)}; there are ${known.join(', ')}.` };
}
