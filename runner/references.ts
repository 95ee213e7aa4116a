// Resolves the references of a run's requests: reusable answers, requests that run first, and those that send a
// transaction, which need the user's consent. Decides before anything is sent; sends nothing.
import { knownText } from '../core/requests/document/variables/evaluate';
import { maySendTransaction } from '../core/requests/run/sends';
import {
  subjectOf,
  type Provenance,
  type RequestKey,
  type AssertionSubject,
} from '../core/requests/run/assertions/subject';
import { settingsOf, type Located, type Sources } from '../core/requests/run/source';
import { NoValue } from '../core/requests/run/evaluate';
import { addTo } from '../core/solana/common/maps';
import { readEnvironment, type Readable } from './environment';
import { readFileHelper } from './helpers';
import type { KeptAnswer } from './keptAnswers';
import type { HelperUse } from '../core/requests/run/analyse';
import type { Plan } from '../core/requests/run/plan';
import type { PlacedBlock } from '../core/requests/document/model';
import type { RequestAnswer } from '../core/requests/document/variables/answer';
import type { RunPorts } from './ports';

/** How a run treats referenced requests. Without it, each of them runs once, as in the terminal. */
export interface References {
  readonly answers: {
    last(key: RequestKey): Promise<KeptAnswer | undefined>;
    settled(key: RequestKey, signal: AbortSignal): Promise<void>;
    begin(key: RequestKey): () => void;
  };
  /** Older answers are not used for references. Unix milliseconds. */
  readonly notBefore?: number;
  /**
   * The endpoint that requests go to which name `endpoint`, as text that changes with it: name, URLs, ledger. Of a request
   * with a URL, `own`, which no endpoint decides: the ledger there, as far as it is known.
   */
  readonly describeEndpoint: (endpoint: string | undefined, own: string | undefined) => string;
  /** The name of the endpoint that requests go to which name `endpoint`. */
  readonly endpointName: (endpoint: string | undefined) => string;
  readonly digest: (text: string) => string;
  readonly newId: () => string;
  /** Which of these requests may be sent; each sends a transaction, or may. Asks the user if it must. */
  readonly allow: (requests: readonly SendingRequest[], signal: AbortSignal) => Promise<ReadonlySet<PlacedBlock>>;
  /** Effect of a transaction that may not be sent: `stop` the run, or `skip` its dependents. */
  readonly otherwise: 'stop' | 'skip';
}

/** A request that sends a transaction. */
export interface SendingRequest {
  readonly at: Located;
  /** False if it is only referenced. */
  readonly isSelected: boolean;
  /** Changes with the request's content and target. */
  readonly subject: string;
}

/** Why the last answer of a request cannot be used. */
export type Unusable = 'never' | 'changed' | 'failed' | 'lost' | 'again';

/** A request that sends a transaction, may not be sent, and has no answer to use. */
export interface Unsent extends SendingRequest {
  readonly why: Unusable;
}

export interface UsedAnswer {
  readonly kept: KeptAnswer;
  readonly answer: RequestAnswer;
}

export interface Referred {
  readonly used: ReadonlyMap<PlacedBlock, UsedAnswer>;
  /** The requests that stop the run; empty if it may proceed. */
  readonly unsent: readonly Unsent[];
  /** Requests that are left out, since they send a transaction that may not be sent or need one. */
  readonly left: ReadonlySet<PlacedBlock>;
  /** Requests that may send a transaction. */
  readonly allowed: ReadonlySet<PlacedBlock>;
}

type Check =
  | { readonly kind: 'usable'; readonly used: UsedAnswer }
  | { readonly kind: 'unusable'; readonly why: Unusable };

/** The inputs of a look-up of earlier answers. */
export interface LookupWorld {
  readonly sources: Sources;
  readonly references: References;
  readonly ports: Pick<RunPorts, 'files' | 'wallet'> & { readonly environment: Readable };
  readonly signal: AbortSignal;
}

/** Looks up earlier answers; created per run, or per inspection of a file. */
export class AnswerLookup {
  /** Requests that this run sends: values from their earlier answers are out of date. */
  readonly #renewed: ReadonlySet<PlacedBlock>;
  readonly #subjects = new Map<PlacedBlock, Promise<{ readonly digest: string; readonly subject: AssertionSubject }>>();
  readonly #checks = new Map<PlacedBlock, Promise<Check>>();

  constructor(
    private readonly world: LookupWorld,
    plan?: Plan,
  ) {
    this.#renewed = new Set([...(plan?.selected ?? []), ...(plan?.around ?? [])]);
  }

  keyOf(at: Located): RequestKey | undefined {
    const name = at.block.settings.name?.text;
    if (name === undefined) return undefined;
    return { file: at.scope.document.uri, name, endpoint: this.world.references.endpointName(settingsOf(at).endpoint) };
  }

  /** Digest of a request's content and target. */
  async subject(at: Located): Promise<string> {
    return (await this.#subject(at)).digest;
  }

  /** The inputs of a request's answer in this run; `ids` are of answers of this run. */
  async provenance(at: Located, ids: (needed: PlacedBlock) => string | undefined): Promise<Provenance> {
    const { digest, subject } = await this.#subject(at);
    const used = subject.needs.map(({ placed }) => ids(placed) ?? '');
    return { id: this.world.references.newId(), subject: digest, used };
  }

  /** Whether the last answer of a request can be reused: its inputs are unchanged. */
  check(at: Located): Promise<Check> {
    const known = this.#checks.get(at.placed) ?? this.#check(at);
    this.#checks.set(at.placed, known);
    return known;
  }

  async #check(at: Located): Promise<Check> {
    const unusable = (why: Unusable): Check => ({ kind: 'unusable', why });
    const key = this.keyOf(at);
    if (key === undefined) return unusable('never');
    const { answers } = this.world.references;
    await answers.settled(key, this.world.signal);
    const kept = await answers.last(key);
    if (kept === undefined) return unusable('never');
    const { digest, subject } = await this.#subject(at);
    if (kept.subject !== digest || kept.used.length !== subject.needs.length) return unusable('changed');
    for (const [index, needed] of subject.needs.entries()) {
      // A request that needs its own answer runs nowhere; the plan says so.
      if (needed.placed === at.placed) return unusable('never');
      if (this.#renewed.has(needed.placed)) return unusable('changed');
      const check = await this.check(needed);
      if (check.kind !== 'usable' || check.used.kept.id !== kept.used[index]) return unusable('changed');
    }
    if (kept.state !== 'answered') return unusable(kept.state);
    const answer = await kept.load();
    return answer === undefined ? unusable('never') : { kind: 'usable', used: { kept, answer } };
  }

  #subject(at: Located): Promise<{ readonly digest: string; readonly subject: AssertionSubject }> {
    const known = this.#subjects.get(at.placed) ?? this.#readSubject(at);
    this.#subjects.set(at.placed, known);
    return known;
  }

  async #readSubject(at: Located): Promise<{ readonly digest: string; readonly subject: AssertionSubject }> {
    const { references } = this.world;
    const { endpoint } = settingsOf(at);
    const subject = subjectOf(at, this.world.sources);
    const outside: string[] = [];
    for (const use of subject.helpers) outside.push(await this.#outside(use, endpoint));
    const url = at.block.requestLine?.url;
    const own = url === undefined ? undefined : (knownText(at, url.text) ?? '');
    const place = references.describeEndpoint(endpoint, own);
    return { digest: references.digest(JSON.stringify([subject.text, outside, place])), subject };
  }

  /** A helper's external input; empty for helpers with a new value each time. */
  async #outside({ helper, home }: HelperUse, endpoint: string | undefined): Promise<string> {
    const { ports, signal } = this.world;
    const [first = ''] = helper.args.map(({ text }) => text);
    try {
      switch (helper.name) {
        case '$file':
          return await readFileHelper(first, home, ports, signal);
        case '$processEnv':
          return readEnvironment(first, ports);
        case '$wallet':
          return await ports.wallet.identity(endpoint, first === '' ? undefined : first);
        case '$transfer':
        case '$memo':
          return await ports.wallet.identity(endpoint);
        default:
          return helper.args.some(({ text }) => text === '$wallet') ? await ports.wallet.identity(endpoint) : '';
      }
    } catch (error) {
      if (error instanceof NoValue) return '';
      throw error;
    }
  }
}

/** Whether a selected request reads the answer of a block, itself or through others. */
function isRead(
  block: PlacedBlock,
  users: ReadonlyMap<PlacedBlock, readonly PlacedBlock[]>,
  selected: ReadonlySet<PlacedBlock>,
): boolean {
  const readers = new Set(users.get(block) ?? []);
  for (const reader of readers) for (const next of users.get(reader) ?? []) readers.add(next);
  return [...readers].some((reader) => selected.has(reader));
}

/** Looks at everything that the selected requests refer to. */
export async function refer(
  { steps, selected, around }: Plan,
  lookup: AnswerLookup,
  { references, signal }: LookupWorld,
): Promise<Referred> {
  const stepOf = new Map(steps.map((step) => [step.at.placed, step]));
  const used = new Map<PlacedBlock, UsedAnswer>();
  const sending: (SendingRequest & { readonly why: Unusable })[] = [];
  const users = new Map<PlacedBlock, PlacedBlock[]>();
  const pending = new Set([...selected, ...around]);
  for (const placed of pending) {
    const step = stepOf.get(placed);
    if (step === undefined) continue;
    const { at, needs } = step;
    const isSelected = selected.has(placed);
    let why: Unusable = 'never';
    if (!isSelected && !around.has(placed)) {
      const check = await lookup.check(at);
      const isReadBySelected = (users.get(at.placed) ?? []).some((user) => selected.has(user));
      if (check.kind === 'usable') {
        const isOld = isReadBySelected && check.used.kept.at < (references.notBefore ?? 0);
        if (!isOld) {
          used.set(at.placed, check.used);
          continue;
        }
        why = 'again';
      } else why = check.why;
    }
    if (maySendTransaction(at)) sending.push({ at, isSelected, why, subject: await lookup.subject(at) });
    for (const needed of needs) {
      addTo(users, needed, placed);
      pending.add(needed);
    }
  }
  const allowed = sending.length === 0 ? new Set<PlacedBlock>() : await references.allow(sending, signal);
  const refused = sending.filter(({ at }) => !allowed.has(at.placed));
  // A setup or teardown that is only around the requests is skipped; a request that they read stops them.
  const unsent = refused.filter(({ at }) => !around.has(at.placed) || isRead(at.placed, users, selected));
  if (references.otherwise === 'stop' && unsent.length > 0) return { used, unsent, left: new Set(), allowed };
  const left = new Set(refused.map(({ at }) => at.placed));
  for (const placed of left) for (const user of users.get(placed) ?? []) left.add(user);
  return { used, unsent: [], left, allowed };
}
