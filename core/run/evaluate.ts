// Values of references while a run goes on: variables, answers of earlier requests, helpers. Everything that needs the
// outside was fetched before, so that filling in is one synchronous step.
import { lookUpAnswer } from './answer';
import { spliceJson, textOf, variableValue } from './splice';
import { findRequest, findVariable } from './source';
import { parseJson } from '../values/json';
import type { Answer } from './answer';
import type { AssertionValue, PlacedBlock, PathStep, Reference, ReferenceContent, Variable } from '../document/model';
import type { Given, Located } from './source';
import type { Resolve } from './splice';
import type { JsonValue } from '../values/json';

export type Helper = Extract<ReferenceContent, { kind: 'helper' }>;

/** A reference has no value now; the message says why. Stays inside a run. */
export class NoValue extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NoValue';
  }
}

export interface World {
  readonly given: Given;
  /** The answer of a request that ran; undefined when it did not. */
  answer(request: PlacedBlock): Answer | undefined;
  /** The value of a helper; throws NoValue. */
  helper(helper: Helper, at: Located): JsonValue;
}

/** Resolves references as they stand in one block. Throws NoValue. A variable is worked out once per block. */
export function resolverFor(at: Located, world: World): Resolve {
  const values = new Map<Variable, JsonValue>();

  const resolveIn =
    (home: Located): Resolve =>
    ({ content }: Reference): JsonValue => {
      switch (content.kind) {
        case 'invalid':
          throw new NoValue(content.reason);
        case 'helper':
          return world.helper(content, home);
        case 'response': {
          const request = findRequest(content.request, home.file);
          if (request === undefined) throw new NoValue(`No request is named ${content.request}.`);
          return captured(content.request, world.answer(request.placed), content.path);
        }
        case 'variable':
          return variable(content.name, home);
      }
    };

  const variable = (name: string, home: Located): JsonValue => {
    const found = findVariable(name, home, world.given);
    switch (found.kind) {
      case 'value':
        return found.value;
      case 'request':
        return captured(name, world.answer(found.request.placed), []);
      case 'variable': {
        const known = values.get(found.variable);
        if (known !== undefined) return known;
        const { references } = found.at.placed.block;
        const value = variableValue(found.variable, references, resolveIn(found.at), parseJson);
        values.set(found.variable, value);
        return value;
      }
      case 'prompt':
      case 'missing':
        throw new NoValue(`The variable ${name} has no value.`);
    }
  };

  return resolveIn(at);
}

function captured(name: string, answer: Answer | undefined, path: readonly PathStep[]): JsonValue {
  if (answer === undefined) throw new NoValue(`The request ${name} has no response.`);
  const value = lookUpAnswer(answer, path);
  if (value === undefined) throw new NoValue(`The response of ${name} has no such value.`);
  return value;
}

/** The value on the right of an operator; a duration counts in milliseconds. Throws NoValue. */
export function expectedValue(
  value: AssertionValue | undefined,
  references: readonly Reference[],
  resolve: Resolve,
): JsonValue | undefined {
  if (value === undefined) return undefined;
  switch (value.kind) {
    case 'json':
      return value.json;
    case 'duration':
      return value.ms;
    case 'template':
      return parseJson(spliceJson({ text: value.text, offset: value.span.start, references }, resolve));
  }
}

/** An argument of a helper: the value of the variable of that name where there is one, else the text itself. */
export function argumentText(text: string, at: Located, world: World): string {
  const found = findVariable(text, at, world.given);
  if (found.kind === 'missing' || found.kind === 'prompt') return text;
  const content: ReferenceContent = { kind: 'variable', name: text };
  const span = { start: 0, end: 0 };
  return textOf(resolverFor(at, world)({ span, place: 'body', content, alone: true, bare: false }));
}
