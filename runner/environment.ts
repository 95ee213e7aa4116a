// Decides which variables of the environment a request may carry, and where to: names that the user allows go anywhere,
// any other only to this machine, or after a question; so does every answer that may repeat one. Keys are never read.
import { analyse } from '../core/requests/run/analyse';
import { NoValue } from '../core/requests/run/evaluate';
import { abortable } from './wait';
import { snapshotFile } from './expected';
import type { Span } from '../core/requests/document/model';
import type { ServiceError } from '../core/service/errors';
import type { PlanProblem } from '../core/requests/run/analyse';
import type { PreparedRequest } from '../core/requests/run/model';
import type { Step } from '../core/requests/run/plan';
import type { Located, Sources } from '../core/requests/run/source';
import type { CarriedNames } from './carried';
import type { EnvironmentPort, RunPorts, ValuePlace } from './ports';

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

/** A plan, and what is known of it before anything is sent. */
interface Planned {
  readonly steps: readonly Step[];
  readonly sources: Sources;
  readonly carried: CarriedNames;
  readonly updatesSnapshots: boolean;
}

/** For a run that cannot prompt: the names that would leave without permission, found before anything is sent. */
export function forbiddenNames(planned: Planned, { environment }: RunPorts): PlanProblem[] {
  if (environment.ask !== undefined) return [];
  const { steps, sources, carried } = planned;
  return steps.flatMap(({ at, skip }) => {
    if (skip) return [];
    const problems: PlanProblem[] = [];
    const [inRequest] = carried.inRequest(at);
    const destination = inRequest === undefined ? undefined : carried.destinationOf(at);
    if (inRequest !== undefined && destination !== undefined && !destination.isHere) {
      const use = analyse(at, sources).helpers.find(
        ({ helper, home }) => home.block === at.block && helper.args[0]?.text === inRequest,
      );
      const message = `${refusalText(inRequest, { kind: 'host', host: destination.host })} ${environment.hint(inRequest)}`;
      problems.push({ at, span: use?.span ?? at.block.title.span, code: 'unresolved-variable', message });
    }
    const [inAnswer] = carried.inAnswer(at);
    if (inAnswer !== undefined)
      for (const { file, ...place } of savedFiles(at, planned.updatesSnapshots)) {
        const message = `${refusalText(inAnswer, { kind: 'file', file })} ${environment.hint(inAnswer)}`;
        problems.push({ at, ...place, message });
      }
    return problems;
  });
}

interface SavedFile {
  /** As the request file names it. */
  readonly file: string;
  readonly span: Span;
  readonly code: string;
}

/** The files of the workspace that the answer of a block, or a part of it, is written to. */
function savedFiles({ block, scope }: Located, updatesSnapshots: boolean): readonly SavedFile[] {
  const saved = block.redirects.map(({ file, span }) => ({ file: file.text, span, code: 'bad-redirect' }));
  const snapshot = block.assertions.find(({ operator }) => operator === 'matchesSnapshot');
  if (!updatesSnapshots || snapshot === undefined) return saved;
  return [...saved, { file: snapshotFile(scope.document.uri), span: snapshot.span, code: 'bad-assertion' }];
}

const refusalText = (name: string, place: ValuePlace): string =>
  place.kind === 'host'
    ? `The environment variable ${name} may not go to ${place.host}.`
    : `The answer may repeat the environment variable ${name}, so it may not be saved to ${place.file}.`;

/** The input for the permission of one step. */
export interface Permitting {
  readonly carried: CarriedNames;
  readonly ports: Pick<RunPorts, 'environment'>;
  readonly signal: AbortSignal;
}

/** Asks for permission before a request is sent; returns the refusal if it must not be. Throws Cancelled. */
export async function refuseRequest(
  at: Located,
  request: PreparedRequest,
  permitting: Permitting,
): Promise<ServiceError | undefined> {
  const { environment } = permitting.ports;
  const names = permitting.carried.inRequest(at);
  const destination = names.size === 0 ? undefined : environment.destination(request);
  if (destination === undefined) return undefined;
  if (!destination.isHere) return refuse(names, { kind: 'host', host: destination.host }, permitting);
  for (const name of names) environment.sentHere.add(name);
  return undefined;
}

/** The same for a look-up, whose answer becomes a part of the request. */
export async function refuseAsking(
  at: Located,
  request: PreparedRequest,
  permitting: Permitting,
): Promise<ServiceError | undefined> {
  const refusal = await refuseRequest(at, request, permitting);
  if (permitting.ports.environment.destination(request)?.isHere === true) permitting.carried.askedHere(at);
  return refusal;
}

/** The same before the answer to a request is saved to a file, or a part of it. */
export const refuseSaving = (at: Located, file: string, permitting: Permitting): Promise<ServiceError | undefined> =>
  refuse(permitting.carried.inAnswer(at), { kind: 'file', file }, permitting);

async function refuse(
  names: ReadonlySet<string>,
  place: ValuePlace,
  { ports: { environment }, signal }: Permitting,
): Promise<ServiceError | undefined> {
  for (const name of names) {
    const asked = environment.ask?.(name, place, signal);
    if (asked !== undefined && (await abortable(asked, signal))) continue;
    return { kind: 'confirmation', message: refusalText(name, place), hint: environment.hint(name) };
  }
  return undefined;
}
