// Carries out a plan: sends in file order, waits for what a request needs, keeps the answers that others read.
import { setMaxListeners } from 'node:events';
import { analyse } from '../core/requests/run/analyse';
import { bodyPath, type RequestAnswer } from '../core/requests/document/variables/answer';
import { NoValue } from '../core/requests/run/evaluate';
import { unmetReason } from '../core/requests/run/condition';
import { addTo } from '../core/solana/common/maps';
import { refuseSaving } from './environment';
import { ExpectedFiles } from './expected';
import { faultOf } from './fault';
import { judgeOutcome, untried, type Compared } from './outcome';
import { start } from './request';
import { cancelled, DEFAULT_UNTIL } from './stream';
import { runSteps } from './together';
import type { World } from '../core/requests/run/evaluate';
import type { RequestReport } from '../core/requests/run/model';
import type { Plan, Step } from '../core/requests/run/plan';
import type { Located, Sources } from '../core/requests/run/source';
import type { PlacedBlock, RequestDocument, Until } from '../core/requests/document/model';
import { invalidRequest, type ServiceError } from '../core/service/errors';
import type { SendOutcome } from './outcome';
import type { CarriedNames } from './carried';
import type { RunMemory } from './memory';
import type { GivenAnswer, RunPorts } from './ports';
import type { AnswerLookup, Referred, References } from './references';
import type { Started } from './request';

/** How a plan is carried out. */
export interface LoopInput {
  /** Name of the active endpoint, for reports. */
  readonly endpoint: string;
  /** For blocks without `@timeout`. */
  readonly defaultTimeoutMs: number;
  /** For streams without `@until`; undefined: until they are cancelled, unless another request reads their messages. */
  readonly defaultUntil: Until | undefined;
  /** Stops at the first request that fails. */
  readonly bail: boolean;
  /** Every transaction that is sent is watched until it is final, not only those sent with priority. */
  readonly followsSends?: boolean;
  /** How many read-only requests of a file may run at once; default 1. */
  readonly parallel?: number;
  /** Found values become the snapshots. */
  readonly updatesSnapshots?: boolean;
  /** How answers of earlier runs are used; without it everything that is referred to runs, once. */
  readonly references?: References;
}

/** All that is known before anything is sent, with every `@prompt` answered. */
export interface PreparedRun {
  readonly kind: 'ready';
  readonly plan: Plan;
  readonly sources: Sources;
  readonly prompted: World['prompted'];
  readonly carried: CarriedNames;
  readonly memory: RunMemory;
  readonly referred?: { readonly lookup: AnswerLookup; readonly found: Referred };
}

/** Why a step is not tried. */
interface Left {
  readonly status?: 'failed';
  readonly error?: ServiceError;
  readonly reason?: string;
  /** Its dependents are skipped too. */
  readonly isNeeded?: true;
}

/** A teardown has this long after a cancel. ms */
const TEARDOWN_MS = 30_000;

/** How a row ended. */
interface Ended {
  readonly row: RequestReport;
  readonly given?: GivenAnswer | undefined;
}
type Done = (ended: Ended) => void;

/** Why a request was left out of a run. */
const NOT_AGREED: ServiceError = {
  kind: 'confirmation',
  message: 'It sends a transaction, or needs the answer of one, that you did not agree to send.',
  hint: 'Send it by itself first.',
};

export class Loop {
  readonly #answers = new Map<PlacedBlock, RequestAnswer>();
  /** Of `@foreach`, by the place of the row. */
  readonly #rows = new Map<PlacedBlock, RequestAnswer[]>();
  /** Blocks that were left out, and why. */
  readonly #left = new Map<PlacedBlock, string>();
  readonly #leftRows = new Map<PlacedBlock, number>();
  /** How many steps each block has: one, or one for each row. */
  readonly #stepsOf = new Map<PlacedBlock, number>();
  /** Files of which something was sent. */
  readonly #begun = new Set<RequestDocument>();
  /** The failed setup block, by file. */
  readonly #failedSetups = new Map<RequestDocument, string>();
  #late: AbortSignal | undefined;
  readonly #streams = new Map<PlacedBlock, Promise<void>[]>();
  /** Transactions that are watched while later requests run. */
  readonly #landings: Promise<void>[] = [];
  /** Requests whose answers others of this run wait for. */
  readonly #awaited: ReadonlySet<PlacedBlock>;
  readonly #world: World;
  readonly #expected: ExpectedFiles;
  /** The ids of the answers that this run got, by request. */
  readonly #ids = new Map<PlacedBlock, string>();
  #lastId = 0;
  #hasFailed = false;
  #hasLarge = false;

  constructor(
    private readonly input: LoopInput,
    private readonly ready: PreparedRun,
    private readonly ports: RunPorts,
    private readonly signal: AbortSignal,
  ) {
    const { sources, prompted, referred } = ready;
    this.#awaited = new Set(ready.plan.steps.flatMap(({ needs }) => needs));
    for (const { at } of ready.plan.steps) this.#stepsOf.set(at.placed, (this.#stepsOf.get(at.placed) ?? 0) + 1);
    const { carried } = ready;
    this.#expected = new ExpectedFiles(
      ports,
      input.updatesSnapshots === true ? (at, file) => refuseSaving(at, file, { carried, ports, signal }) : undefined,
    );
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
    const left = new Map(this.#stepsOf);
    try {
      await runSteps(steps, { parallel: this.input.parallel ?? 1, sources: this.ready.sources }, (step, index) => {
        const done: Done = ({ row, given }) => {
          const others = (left.get(step.at.placed) ?? 1) - 1;
          left.set(step.at.placed, others);
          const isLast = others === 0;
          let report = row;
          try {
            const isElsewhere = step.at.block.requestLine?.url !== undefined;
            const facts = { index, isLast, ...(isElsewhere && { isElsewhere }), ...(given !== undefined && { given }) };
            this.ports.onProgress?.({ kind: 'done', report, ...facts });
          } catch (thrown) {
            report = this.#fault(step, thrown);
          }
          rows[index] = report;
          if (report.status === 'failed') this.#failed(step);
          ends.get(step)?.();
        };
        return this.#guarded(step, done, () => this.#one(step, done));
      });
      await Promise.all([...[...this.#streams.values()].flat(), ...this.#landings]);
    } finally {
      for (const end of ends.values()) end?.();
    }
    const [unsaved] = await this.#expected.save();
    return unsaved === undefined ? rows : rows.map((row) => withoutSnapshots(row, unsaved));
  }

  /**
   * Never rejects: anything that a row throws becomes its fault, so that the others run and the report is written. `work`
   * returns undefined if it left the end of the row to another call.
   */
  async #guarded(step: Step, done: Done, work: () => Promise<Ended | undefined>): Promise<void> {
    const ended = await work().catch((thrown: unknown): Ended => ({ row: this.#fault(step, thrown) }));
    if (ended !== undefined) done(ended);
  }

  #fault({ at }: Step, thrown: unknown): RequestReport {
    return untried(at, this.input.endpoint, 'failed', faultOf(thrown, this.ports));
  }

  #failed({ at }: Step): void {
    this.#hasFailed = true;
    if (at.block.settings.role === 'setup') this.#failedSetups.set(at.scope.document, nameOf(at.placed));
  }

  /** Lets other runs wait for the answer of a step. */
  #begin({ at, skip }: Step): (() => void) | undefined {
    try {
      const key = skip ? undefined : this.ready.referred?.lookup.keyOf(at);
      return key === undefined ? undefined : this.input.references?.answers.begin(key);
    } catch (thrown) {
      faultOf(thrown, this.ports);
      return undefined;
    }
  }

  #answerTo(request: PlacedBlock): RequestAnswer | undefined {
    return this.#answers.get(request) ?? this.ready.referred?.found.used.get(request)?.answer;
  }

  /** The inputs of a step's answer; undefined if answers are not kept. */
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

  async #one(step: Step, done: Done): Promise<Ended | undefined> {
    const { at, needs } = step;
    const { endpoint, defaultTimeoutMs } = this.input;
    await this.#waitFor(step);
    const world: World = at.row === undefined ? this.#world : { ...this.#world, row: at.row };
    const left = this.#leftOut(step) ?? (await this.#unmet(at, needs, world));
    if (left !== undefined) {
      if (left.isNeeded === true) this.#leave(at, left.reason ?? '');
      const { status = 'skipped', error, reason } = left;
      return { row: { ...untried(at, endpoint, status, error), ...(reason !== undefined && { reason }) } };
    }
    this.#begun.add(at.scope.document);
    // The answers of rows do not form a single reusable one.
    const given = at.row === undefined ? await this.#given(at) : undefined;
    const allowed = this.ready.referred?.found.allowed;
    const started = await start({
      at,
      world,
      ports: this.ports,
      carried: this.ready.carried,
      freshId: () => ++this.#lastId,
      defaultTimeoutMs,
      defaultUntil: this.input.defaultUntil ?? (this.#awaited.has(at.placed) ? DEFAULT_UNTIL : undefined),
      memory: this.ready.memory,
      maySend: allowed === undefined || allowed.has(at.placed),
      followsSends: this.input.followsSends === true,
      signal: at.block.settings.role === 'teardown' ? this.#lateSignal() : this.signal,
    });
    const finish = async (): Promise<Ended | undefined> => {
      const outcome = await started.outcome;
      if (outcome.answer !== undefined) this.#keepAnswer(at, outcome.answer);
      if (outcome.large !== undefined) this.#hasLarge = true;
      await this.#fetchLarge(at);
      const sent = outcome.request === undefined ? undefined : given;
      if (started.watch === undefined)
        return { row: await judgeOutcome(at, endpoint, outcome, this.#compared(started)), given: sent };
      const follow = async (): Promise<Ended> => ({ row: await this.#follow(at, started, outcome, sent), given: sent });
      this.#landings.push(this.#guarded(step, done, follow));
      return undefined;
    };
    if (!started.isStream) return finish();
    addTo(this.#streams, at.placed, this.#guarded(step, done, finish));
    return undefined;
  }

  /** Why a step is skipped because of earlier ones; undefined if it is not. */
  #leftOut({ at, skip, isLeft, reason, requires }: Step): Left | undefined {
    if (skip) return { ...(isLeft === true && { error: NOT_AGREED }), ...(reason !== undefined && { reason }) };
    const { role } = at.block.settings;
    const file = at.scope.document;
    if (role === 'teardown') {
      if (!this.#begun.has(file)) return {};
    } else if (this.signal.aborted) return { reason: cancelled.message, isNeeded: true };
    else if (this.input.bail && this.#hasFailed) return { isNeeded: true };
    const setup = role === undefined ? this.#failedSetups.get(file) : undefined;
    if (setup !== undefined) return { reason: `The setup "${setup}" failed.`, isNeeded: true };
    const missing = requires.find((need) => this.#left.has(need));
    if (missing === undefined) return undefined;
    const why = this.#left.get(missing) ?? '';
    return {
      reason: `It needs "${nameOf(missing)}", which was skipped${why === '' ? '.' : `: ${why}`}`,
      isNeeded: true,
    };
  }

  /** Whether `@if` leaves a step out. */
  async #unmet(at: Located, needs: readonly PlacedBlock[], world: World): Promise<Left | undefined> {
    const { conditions } = at.block.settings;
    if (conditions.length > 0 && needs.length > 0) await this.#fetchLarge(at);
    try {
      for (const condition of conditions) {
        const unmet = await unmetReason(condition, at, world);
        if (unmet !== undefined) return { reason: unmet, isNeeded: true };
      }
      return undefined;
    } catch (error) {
      if (!(error instanceof NoValue)) throw error;
      return { status: 'failed', error: invalidRequest(error.message) };
    }
  }

  /** Records that a block has no answer; a block with rows only if all rows are skipped. */
  #leave({ placed, row }: Located, reason: string): void {
    const rows = (this.#leftRows.get(placed) ?? 0) + 1;
    this.#leftRows.set(placed, rows);
    if (row === undefined || rows >= (this.#stepsOf.get(placed) ?? 1)) this.#left.set(placed, reason);
  }

  #keepAnswer({ placed, row }: Located, answer: RequestAnswer): void {
    if (row === undefined) {
      this.#answers.set(placed, answer);
      return;
    }
    const rows = this.#rows.get(placed) ?? [];
    rows[row.index] = answer;
    this.#rows.set(placed, rows);
    this.#answers.set(placed, { ...(rows.at(-1) ?? answer), rows });
  }

  /** A teardown continues after a cancellation, up to a time limit. */
  #lateSignal(): AbortSignal {
    if (this.#late === undefined) {
      const late = new AbortController();
      setMaxListeners(0, late.signal);
      const end = (): void => AbortSignal.timeout(TEARDOWN_MS).addEventListener('abort', () => late.abort());
      if (this.signal.aborted) end();
      else this.signal.addEventListener('abort', end, { once: true });
      this.#late = late.signal;
    }
    return this.#late;
  }

  /** Watches a sent transaction during the following requests; resolves with its row once finalized or expired. */
  async #follow(
    at: Located,
    started: Started,
    outcome: SendOutcome,
    given: GivenAnswer | undefined,
  ): Promise<RequestReport> {
    const { endpoint } = this.input;
    const row = (more: Partial<SendOutcome>): Promise<RequestReport> =>
      judgeOutcome(at, endpoint, { ...outcome, ...more }, this.#compared(started));
    const progress = (report: RequestReport): void =>
      this.ports.onProgress?.({ kind: 'landing', report, ...(given !== undefined && { given }) });
    progress(await row({}));
    const faults: unknown[] = [];
    const watched = await started.watch?.(
      (landing) =>
        void row({ landing })
          .then(progress)
          .catch((thrown: unknown) => faults.push(thrown)),
    );
    for (const thrown of faults) throw thrown;
    return row(watched ?? {});
  }

  #compared({ resolve }: Started): Compared {
    return { resolve, files: this.#expected };
  }

  /** Loads the parts of answers in files that a block names; does nothing in a run without such answers. */
  async #fetchLarge(at: Located): Promise<void> {
    if (!this.#hasLarge) return;
    for (const { request, path } of analyse(at, this.#world.sources).responses) {
      const answer = this.#answerTo(request);
      const [rows, index, ...inRow] = path;
      const isOfRow = rows === 'rows' && typeof index === 'number' && answer?.rows !== undefined;
      const row = isOfRow ? answer.rows.at(index) : answer;
      const steps = bodyPath(isOfRow ? inRow : path);
      if (steps !== undefined) await row?.large?.fetch(steps);
    }
  }

  /** Waits for the streams whose messages a step reads, and before a teardown for everything in progress. */
  async #waitFor({ at, needs }: Step): Promise<void> {
    const isLast = at.block.settings.role === 'teardown';
    const streams = isLast ? [...this.#streams.keys()] : needs;
    const waited = [...streams.flatMap((need) => this.#streams.get(need) ?? []), ...(isLast ? this.#landings : [])];
    if (waited.length > 0) {
      this.ports.onProgress?.({ kind: 'waiting', line: at.placed.line, reason: 'dependency' });
      await Promise.all(waited);
    }
    await this.#fetchLarge(at);
  }
}

/** A row whose snapshots could not be written. */
const withoutSnapshots = (row: RequestReport, reason: string): RequestReport =>
  row.assertions.some(({ text }) => text.includes('matchesSnapshot'))
    ? {
        ...row,
        status: 'failed',
        error: invalidRequest(`Its snapshots were not written: ${reason}`),
      }
    : row;

const nameOf = ({ block }: PlacedBlock): string => block.settings.name?.text ?? (block.title.text || 'a request');
