// Decides which variables of the environment a request may carry, and where to: names that the user allows go anywhere,
// any other only to this machine, or after a question. Keys are never read.
import { analyse } from '../core/run/analyse';
import { NoValue, resolverFor, type World } from '../core/run/evaluate';
import { transportOf, writtenMethod } from '../core/run/report';
import { settingsOf, type Located, type Sources } from '../core/run/source';
import { referencesIn, spliceText } from '../core/document/splice';
import { perObject } from '../core/perObject';
import { abortable } from './wait';
import type { PlacedBlock } from '../core/document/model';
import type { ServiceError } from '../core/errors';
import type { PlanProblem } from '../core/run/analyse';
import type { PreparedRequest } from '../core/run/model';
import type { Plan } from '../core/run/plan';
import type { Destination, EnvironmentPort, RunPorts } from './ports';

/** The part that reads values. */
export type Readable = Pick<EnvironmentPort, 'value' | 'refusal'>;

/** The value of a variable of the environment. Throws NoValue. */
export function readEnvironment(name: string, { environment }: { readonly environment: Readable }): string {
  const refusal = environment.refusal(name);
  if (refusal !== undefined) throw new NoValue(refusal);
  const value = environment.value(name);
  if (value === undefined) throw new NoValue(`The environment has no variable ${name}.`);
  return value;
}

/** The names of blocks, by the run they are part of. */
const namesOfRun = perObject<Sources, Map<PlacedBlock, ReadonlySet<string>>>(() => new Map());

/**
 * The names that the values of a block come from: its own, those of the variables it uses, and those of the requests whose
 * answers it uses, since a service may repeat what it was sent. A request that was asked about before is not walked again:
 * in the order of a run, a chain of requests costs its length and not its square.
 */
function namesIn(at: Located, sources: Sources): ReadonlySet<string> {
  const known = namesOfRun(sources);
  const names = new Set<string>();
  const seen = new Set<PlacedBlock>();
  const pending = [at];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (seen.has(next.placed)) continue;
    seen.add(next.placed);
    const before = known.get(next.placed);
    if (before !== undefined) {
      for (const name of before) names.add(name);
      continue;
    }
    const { helpers, dependencies } = analyse(next, sources);
    for (const { helper } of helpers)
      if (helper.name === '$processEnv' && helper.args[0] !== undefined) names.add(helper.args[0].text);
    for (const { target } of dependencies) pending.push(target);
  }
  known.set(at.placed, names);
  return names;
}

/** For a run that cannot prompt: the names that would be sent without permission, found before anything is sent. */
export function forbiddenNames(plan: Plan, world: World, ports: RunPorts): PlanProblem[] {
  const { environment } = ports;
  if (environment.ask !== undefined) return [];
  return plan.steps.flatMap(({ at, skip }) => {
    const names = skip ? [] : [...namesIn(at, world.sources)].filter((name) => !environment.isAllowed(name));
    const [name] = names;
    if (name === undefined) return [];
    const destination = plannedDestination(at, world, environment);
    if (destination === undefined || destination.isHere) return [];
    const message = `The environment variable ${name} may not go to ${destination.host}. ${environment.hint(name)}`;
    return [{ at, span: spanOf(at, world.sources, name), code: 'unresolved-variable', message }];
  });
}

/** A URL that only a run knows may lead anywhere. */
const UNKNOWN: Destination = { host: 'a host that is not known before the run', isHere: false };

function plannedDestination(at: Located, world: World, environment: EnvironmentPort): Destination | undefined {
  const { block } = at;
  const { endpoint, isKeyless } = settingsOf(at);
  const method = writtenMethod(block);
  const token = block.requestLine?.url;
  let url: string | undefined;
  try {
    if (token !== undefined) {
      const references = referencesIn(block.references, token.span.start, token.span.end);
      url = spliceText({ text: token.text, offset: token.span.start, references }, resolverFor(at, world));
    }
  } catch (error) {
    if (error instanceof NoValue) return UNKNOWN;
    throw error;
  }
  return environment.destination({
    transport: transportOf(block, method),
    method,
    headers: [],
    ...(url !== undefined && { url }),
    ...(endpoint !== undefined && { endpoint }),
    ...(isKeyless && { isKeyless }),
  });
}

function spanOf(at: Located, sources: Sources, name: string): PlanProblem['span'] {
  const use = analyse(at, sources).helpers.find(
    ({ helper, home }) => home.block === at.block && helper.args[0]?.text === name,
  );
  return use?.span ?? at.block.title.span;
}

/** Asks for permission before a request is sent; returns the refusal if it must not be. */
export async function refuseEnvironment(
  at: Located,
  request: PreparedRequest,
  { sources }: World,
  { ports, signal }: { readonly ports: RunPorts; readonly signal: AbortSignal },
): Promise<ServiceError | undefined> {
  const { environment } = ports;
  const names = [...namesIn(at, sources)].filter((name) => !environment.isAllowed(name));
  if (names.length === 0) return undefined;
  const destination = environment.destination(request);
  if (destination === undefined || destination.isHere) return undefined;
  for (const name of names) {
    const asked = environment.ask?.(name, destination.host, signal);
    if (asked !== undefined && (await abortable(asked, signal))) continue;
    return {
      kind: 'confirmation',
      message: `The environment variable ${name} may not go to ${destination.host}; nothing was sent.`,
      hint: environment.hint(name),
    };
  }
  return undefined;
}
