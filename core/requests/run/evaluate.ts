// Values of references during a run: variables, answers of earlier requests, helpers. Everything that needs the outside
// was fetched before, so that filling in is one synchronous step.
import { bodyPath, lookUp, lookUpAnswer, type RequestAnswer, type ExpectedValue } from '../document/variables/answer';
import { meaningAt } from './source';
import { Evaluator, type Bound, type Home, type RuntimeValue } from '../document/variables/evaluate';
import { referencesIn, spliceJson, type ResolveReference } from '../document/splice';
import { insertedText } from '../document/variables/template';
import { jsonOf } from '../../solana/json/json';
import { follow, type Helper } from './references';
import type { Sources } from './source';
import { printPath } from '../document/variables/path';
import type { Row } from '../document/variables/rows';
import type {
  AssertionValue,
  Condition,
  OperandContent,
  PlacedBlock,
  Reference,
  ReferenceContent,
  RequestLine,
} from '../document/model';
import type { Dynamic } from '../document/variables/variables';
import type { JsonValue } from '../../solana/json/json';

/** A reference has no value now; the message says why. Stays inside a run. */
export class NoValue extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NoValue';
  }
}

export interface World {
  readonly sources: Sources;
  /** Answers to `@prompt`, by name. */
  readonly prompted: ReadonlyMap<string, JsonValue>;
  /** Of the step that is filled in. */
  readonly row?: Row;
  /** The answer of a request that ran; undefined when it did not. */
  answer(request: PlacedBlock): RequestAnswer | undefined;
  /** The value of a helper; throws NoValue. */
  helper(helper: Helper, home: Home): JsonValue;
}

/** The values that the references of one block may have. */
const BOUND: Bound = {
  units: 64 * 1024 * 1024,
  per: 'evaluator',
  reason: 'The values to be filled in are too large.',
};

/** Resolves the references of one block. Throws NoValue. */
export function resolverFor(at: Home, world: World): ResolveReference {
  const evaluator = new Evaluator(BOUND, (dynamic, home) => dynamicValue(dynamic, home, world));
  return ({ content }) => {
    const found = evaluator.insert(at, content);
    switch (found.kind) {
      case 'known':
        return found.value;
      case 'unresolved':
        throw new NoValue(found.reason);
      case 'cycle':
        throw new NoValue(`The variable ${found.variable.name.text} needs itself.`);
      case 'unknown':
        throw new NoValue('The value is not known.');
    }
  };
}

function dynamicValue(dynamic: Dynamic, home: Home, world: World): RuntimeValue {
  switch (dynamic.kind) {
    case 'helper':
      return { kind: 'value', value: world.helper(dynamic, home) };
    case 'prompt': {
      const value = world.prompted.get(dynamic.prompt.name);
      if (value === undefined) throw new NoValue(`The variable ${dynamic.prompt.name} was not given.`);
      return { kind: 'value', value };
    }
    case 'row': {
      const { row } = world;
      const [first, ...rest] = dynamic.path;
      if (row === undefined) return unresolved('A row is known during the run only.', false);
      const value = first === '$index' && rest.length === 0 ? row.index : lookUp(row.value, dynamic.path);
      if (value !== undefined) return { kind: 'value', value };
      return unresolved(`Row ${row.index} has no "${printPath(dynamic.path)}".`, true);
    }
    case 'response': {
      const name = dynamic.request.name.text;
      const answer = world.answer(dynamic.request.placed);
      if (answer === undefined) return unresolved(`The request ${name} has no response.`, true);
      const value = lookUpAnswer(answer, dynamic.path);
      if (value === undefined) {
        const isLarge = answer.large?.known(bodyPath(dynamic.path) ?? [])?.kind === 'large';
        return isLarge
          ? unresolved(`The value in the response of ${name} is too large to be filled in.`, false)
          : unresolved(`The response of ${name} has no such value.`, true);
      }
      return { kind: 'value', value };
    }
  }
}

const unresolved = (reason: string, isAbsent: boolean): RuntimeValue => ({
  kind: 'unresolved',
  reason,
  ...(isAbsent && { isAbsent }),
});

/** The value of a name in `@if`; undefined if it has no value. Throws NoValue. */
export function valueOf(content: OperandContent, at: Home, world: World): JsonValue | undefined {
  const evaluator = new Evaluator(BOUND, (dynamic, home) => dynamicValue(dynamic, home, world));
  const found = evaluator.evaluate(at, content);
  if (found.kind === 'known') return found.value;
  if (found.kind === 'unresolved' && found.isAbsent === true) return undefined;
  throw new NoValue(found.kind === 'unresolved' ? found.reason : 'The value is not known.');
}

/**
 * The right side of a condition of a block, and where integers are text: on the left in the block's own answer, or in
 * the one that `@if` names. Throws NoValue.
 */
export function expectedOf({ path, value }: Condition, at: Home, resolve: ResolveReference): ExpectedValue {
  const { references, requestLine } = at.block;
  const named = referencesIn(references, path.span.start, path.span.end);
  const inside = value === undefined ? [] : referencesIn(references, value.span.start, value.span.end);
  const left = named.length > 0 ? readsGrpc(at, named) : isGrpc(requestLine);
  return { value: expectedValue(value, inside, resolve), text: { left, right: readsGrpc(at, inside) } };
}

const isGrpc = (line: RequestLine | undefined): boolean => line?.transport === 'GRPC';

/** Whether references lead to the answer of a gRPC call. */
function readsGrpc(at: Home, references: readonly Reference[]): boolean {
  for (const followed of follow(at, references))
    if (followed.kind === 'response' && isGrpc(followed.request.placed.block.requestLine)) return true;
  return false;
}

/** The value on the right of an operator; a duration counts in milliseconds. Throws NoValue. */
function expectedValue(
  value: AssertionValue | undefined,
  references: readonly Reference[],
  resolve: ResolveReference,
): JsonValue | undefined {
  if (value === undefined) return undefined;
  switch (value.kind) {
    case 'json':
      return value.json;
    // Passed in by the caller that reads files.
    case 'file':
      return undefined;
    case 'duration':
      return value.upTo === undefined ? value.ms : [value.ms, value.upTo];
    case 'template': {
      const filled = spliceJson({ text: value.text, offset: value.span.start, references }, resolve);
      const expected = jsonOf(value.isList === true ? `[${filled}]` : filled);
      if (expected === undefined) throw new NoValue('The expected value is not JSON once its variables are filled in.');
      return expected;
    }
  }
}

/** An argument of a helper: the value of the variable of that name, else the text itself. */
export function argumentText(text: string, home: Home, world: World): string {
  const content: ReferenceContent = { kind: 'variable', name: text };
  if (meaningAt(home, content).kind === 'unresolved') return text;
  return insertedText(resolverFor(home, world)({ content }));
}
