// Carries out a plan: sends in file order, waits for what a request needs, keeps the answers that others read.
import { analyse } from '../core/run/analyse';
import { bodyPath } from '../core/run/answer';
import { NoValue } from '../core/run/evaluate';
import { judge, untried } from './outcome';
import { start } from './request';
import { runSteps } from './together';
import type { Answer } from '../core/run/answer';
import type { World } from '../core/run/evaluate';
import type { RequestReport } from '../core/run/model';
import type { Plan, Step } from '../core/run/plan';
import type { Located, Sources } from '../core/run/source';
import type { PlacedBlock, Until } from '../core/document/model';
import type { ServiceError } from '../core/errors';
import type { Outcome } from './outcome';
import type { GivenAnswer, RunPorts } from './ports';
import type { AnswerLookup, Referred, References } from './references';
import type { Started } from './request';

/** How a plan is carried out. */
export interface LoopInput {
  /** Name of the active endpoint, for reports. */
  readonly endpoint: string;
  /** For blocks without `@timeout`. */
  readonly defaultTimeoutMs: number;
  /** For streams without `@until`; undefined: until they are cancelled. */
  readonly defaultUntil: Until | undefined;
  /** Stops at the first request that fails. */
  readonly bail: boolean;
  /** Every transaction that is sent is watched until it is final, not only those sent with priority. */
  readonly followsSends?: boolean;
  /** Requests of a file that may run at the same time where they only read; absent: one. */
  readonly parallel?: number;
  /** How answers of earlier runs are used; without it everything that is referred to runs, once. */
  readonly references?: References;
}

/** All that is known before anything is sent, with every `@prompt` answered. */
export interface Ready {
  readonly kind: 'ready';
  readonly plan: Plan;
  readonly sources: Sources;
  readonly prompted: World['prompted'];
  readonly referred?: { readonly lookup: AnswerLookup; readonly found: Referred };
}

type Done = (row: RequestReport, given?: GivenAnswer) => void;

/** Why a request was left out of a run. */
const NOT_AGREED: ServiceError = {
  kind: 'confirmation',
  message: 'It sends a transaction, or needs the answer of one, that you did not agree to send.',
  hint: 'Send it by itself first.',
};

export class Loop {
  readonly #answers = new Map<PlacedBlock, Answer>();
  readonly #streams = new Map<PlacedBlock, Promise<void>>();
  /** Transactions that are watched while later requests run. */
  readonly #landings: Promise<void>[] = [];
  readonly #world: World;
  /** The ids of the answers that this run got, by request. */
  readonly #ids = new Map<PlacedBlock, string>();
  #lastId = 0;
  #hasFailed = false;
  #hasLarge = false;

  constructor(
    private readonly input: LoopInput,
    private readonly ready: Ready,
    private readonly ports: RunPorts,
    private readonly signal: AbortSignal,
  ) {
    const { sources, prompted, referred } = ready;
    for (const { answer } of referred?.found.used.values() ?? []) if (answer.large !== undefined) this.#hasLarge = true;
    this.#world = {
      sources,
      prompted,
      answer: (request) => this.#answerTo(request),
      helper: ({ name }) => {
        throw new NoValue(`The helper ${name} was not fetched.`);
      },
    };
  }

  /** The rows in the order of the plan, once every stream has ended. */
  async all(steps: readonly Step[]): Promise<readonly RequestReport[]> {
    const rows: RequestReport[] = [];
    const ends = new Map(steps.map((step) => [step, this.#begin(step)]));
    try {
      await runSteps(steps, { parallel: this.input.parallel ?? 1, sources: this.ready.sources }, (step, index) =>
        this.#one(step, (row, given) => {
          rows[index] = row;
          if (row.status === 'failed') this.#hasFailed = true;
          this.ports.onProgress?.({ kind: 'done', report: row, index, ...(given !== undefined && { given }) });
          ends.get(step)?.();
        }),
      );
      await Promise.all([...this.#streams.values(), ...this.#landings]);
    } finally {
      for (const end of ends.values()) end?.();
    }
    return rows;
  }

  /** Lets other runs wait for the answer of a step. */
  #begin({ at, skip }: Step): (() => void) | undefined {
    const key = skip ? undefined : this.ready.referred?.lookup.keyOf(at);
    return key === undefined ? undefined : this.input.references?.answers.begin(key);
  }

  #answerTo(request: PlacedBlock): Answer | undefined {
    return this.#answers.get(request) ?? this.ready.referred?.found.used.get(request)?.answer;
  }

  /** What the answer of a step will have been given to; undefined where nobody keeps it. */
  async #given(at: Located): Promise<GivenAnswer | undefined> {
    const { referred } = this.ready;
    const key = referred?.lookup.keyOf(at);
    if (referred === undefined || key === undefined) return undefined;
    const idOf = (needed: PlacedBlock): string | undefined =>
      this.#ids.get(needed) ?? referred.found.used.get(needed)?.kept.id;
    const provenance = await referred.lookup.provenance(at, idOf);
    this.#ids.set(at.placed, provenance.id);
    return { key, provenance };
  }

  async #one({ at, skip, isLeft, needs }: Step, done: Done): Promise<void> {
    const { endpoint, defaultTimeoutMs, defaultUntil, bail } = this.input;
    if (skip || this.signal.aborted || (bail && this.#hasFailed)) {
      done(untried(at, endpoint, 'skipped', isLeft === true ? NOT_AGREED : undefined));
      return;
    }
    await this.#waitForStreams(at.placed.line, needs);
    await this.#fetchLarge(at);
    const given = await this.#given(at);
    const allowed = this.ready.referred?.found.allowed;
    const started = await start({
      at,
      world: this.#world,
      ports: this.ports,
      freshId: () => ++this.#lastId,
      defaultTimeoutMs,
      defaultUntil,
      maySend: allowed === undefined || allowed.has(at.placed),
      followsSends: this.input.followsSends === true,
      signal: this.signal,
    });
    const finish = started.outcome.then(async (outcome) => {
      if (outcome.answer !== undefined) this.#answers.set(at.placed, outcome.answer);
      if (outcome.large !== undefined) this.#hasLarge = true;
      await this.#fetchLarge(at);
      const sent = outcome.request === undefined ? undefined : given;
      if (started.watch === undefined) done(await judge(at, endpoint, outcome, started.resolve), sent);
      else this.#landings.push(this.#follow(at, started, outcome, sent).then((row) => done(row, sent)));
    });
    if (started.isStream) this.#streams.set(at.placed, finish);
    else await finish;
  }

  /** Watches what was sent, beside the requests that follow; the row once it is finalized, or too old. */
  async #follow(
    at: Located,
    { watch, resolve }: Started,
    outcome: Outcome,
    given: GivenAnswer | undefined,
  ): Promise<RequestReport> {
    const { endpoint } = this.input;
    const row = (more: Partial<Outcome>): Promise<RequestReport> =>
      judge(at, endpoint, { ...outcome, ...more }, resolve);
    const progress = (report: RequestReport): void =>
      this.ports.onProgress?.({ kind: 'landing', report, ...(given !== undefined && { given }) });
    progress(await row({}));
    const watched = await watch?.((landing) => void row({ landing }).then(progress));
    return row(watched ?? {});
  }

  /** Reads what a block names of answers in files; a run without any does not look for it. */
  async #fetchLarge(at: Located): Promise<void> {
    if (!this.#hasLarge) return;
    for (const { request, path } of analyse(at, this.#world.sources).responses) {
      const steps = bodyPath(path);
      if (steps !== undefined) await this.#answerTo(request)?.large?.fetch(steps);
    }
  }

  async #waitForStreams(line: number, needs: readonly PlacedBlock[]): Promise<void> {
    const waited = needs.flatMap((need) => this.#streams.get(need) ?? []);
    if (waited.length === 0) return;
    this.ports.onProgress?.({ kind: 'waiting', line, reason: 'dependency' });
    await Promise.all(waited);
  }
}
