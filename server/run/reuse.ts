// How the editor's runs use earlier answers: what a run may send without being asked, and what the lenses say is used.
import { createHash, randomUUID } from 'node:crypto';
import { knownText } from '../../core/requests/document/variables/evaluate';
import { analyse } from '../../core/requests/run/analyse';
import { settingsOf, Sources, type Located } from '../../core/requests/run/source';
import { setNewest } from '../../core/solana/common/maps';
import type { Readable } from '../../runner/environment';
import type { RequestDocument } from '../../core/requests/document/model';
import { isSendable } from '../../core/requests/language/features/structure';
import { originOf, sameOrigin } from '../../core/service/profiles/origin';
import type { PlacedProfile } from '../../core/service/profiles/profile';
import type { Provenance, RequestKey } from '../../core/requests/run/assertions/subject';
import type { RequestReport } from '../../core/requests/run/model';
import { KeptAnswers } from '../../runner/keptAnswers';
import {
  AnswerLookup,
  type References,
  type SendingRequest,
  type Unsent,
  type Unusable,
} from '../../runner/references';
import type { RunPorts } from '../../runner/ports';
import type { ExecuteParams, SendFirst } from '../../protocol/lsp';
import type { ServiceError } from '../../core/service/errors';
import type { Imported } from '../lsp/imports';
import { environmentVariables, profileNamed, profileVariables } from '../profiles';
import type { Results } from '../responses/results';
import type { Window } from '../window';
import { requestName } from './live';

/** Runs of the Test Explorer that are remembered; more never run at once. */
const MAX_TEST_RUNS = 8;

/** One run of the Test Explorer, over all its files. */
interface TestRun {
  readonly answers: KeptAnswers;
  /** The user's decision about its transactions; asked once. */
  consent?: Promise<boolean>;
  /** No transaction leaves: the answers that are known may do. */
  isDeclined: boolean;
}

export interface ReuseDeps {
  readonly window: Window;
  readonly results: Results;
  readonly redact: (text: string) => string;
  readonly confirm: RunPorts['confirm'];
}

/** Answers that a request of a file uses if it is sent now. */
export interface UsedAnswers {
  /** Line on which the request begins, zero-based. */
  readonly line: number;
  readonly answers: readonly { readonly name: string; readonly at: number }[];
}

export class Reuse {
  readonly #answers: KeptAnswers;
  readonly #tests = new Map<string, TestRun>();

  constructor(private readonly deps: ReuseDeps) {
    this.#answers = keptAnswers(deps);
  }

  /** Remembers a request's outcome. */
  keep(params: Pick<ExecuteParams, 'test'>, key: RequestKey, report: RequestReport, provenance: Provenance): void {
    this.#answers.keep(key, report, provenance);
    if (params.test !== undefined) this.#testRun(params.test.run).answers.keep(key, report, provenance);
  }

  /** Answers that the run of `params` may use, and requests it may send. `forced`: endpoint overriding the file's. */
  references(params: Pick<ExecuteParams, 'variant' | 'first' | 'test' | 'notBefore'>, forced?: string): References {
    const { test, notBefore } = params;
    const answers = this.#answers;
    const run = test === undefined ? undefined : this.#testRun(test.run);
    if (run !== undefined && test?.isContinuous === true) run.isDeclined = true;
    return {
      answers:
        run === undefined
          ? answers
          : {
              // A test's dependencies are sent once per run, despite earlier answers.
              last: async (key) => run.answers.recent(key) ?? (run.isDeclined ? answers.last(key) : undefined),
              settled: (key, signal) => run.answers.settled(key, signal),
              begin: (key) => answers.begin(key),
            },
      ...(notBefore !== undefined && { notBefore }),
      describeEndpoint: (endpoint, own) =>
        own === undefined ? this.#describe(forced ?? endpoint) : this.#ledgerAt(own),
      endpointName: (endpoint) => forced ?? endpoint ?? this.deps.window.state.endpoint ?? '',
      digest: (text) => createHash('sha256').update(text).digest('hex'),
      newId: randomUUID,
      allow: async (requests, signal) =>
        new Set((await this.#allowed(params, requests, run, signal)).map(({ at }) => at.placed)),
      otherwise: test === undefined ? 'stop' : 'skip',
    };
  }

  /** The answers that the requests of a file use if they are sent now. */
  async used(
    document: RequestDocument,
    imports: Imported,
    ports: Pick<RunPorts, 'files' | 'wallet'> & { readonly environment: Readable },
  ): Promise<readonly UsedAnswers[]> {
    const { window } = this.deps;
    const candidates = document.blocks.filter(({ block }) => block.references.length > 0 && isSendable(block));
    if (candidates.length === 0) return [];
    const sources = new Sources({
      variables: new Map(),
      environment: environmentVariables(window),
      profileVariables: (endpoint) => profileVariables(window, endpoint),
      imports,
    });
    const references = { ...this.references({}) };
    // A lens does not wait for a run in progress: it is redrawn when that ends.
    const answers = {
      ...references.answers,
      last: (key: RequestKey) => this.#answers.last(key),
      settled: async () => undefined,
    };
    const world = { sources, references: { ...references, answers }, ports, signal: new AbortController().signal };
    const lookup = new AnswerLookup(world);
    const found: UsedAnswers[] = [];
    for (const placed of candidates) {
      const used: { readonly name: string; readonly at: number }[] = [];
      for (const { target } of analyse(sources.locate(document, placed), sources).dependencies) {
        const check = await lookup.check(target);
        if (check.kind === 'usable')
          used.push({ name: target.block.settings.name?.text ?? '', at: check.used.kept.at });
      }
      if (used.length > 0) found.push({ line: placed.line, answers: used });
    }
    return found;
  }

  #testRun(id: string): TestRun {
    const known = this.#tests.get(id);
    if (known !== undefined) return known;
    const run: TestRun = { answers: keptAnswers(this.deps), isDeclined: false };
    setNewest(this.#tests, id, run, MAX_TEST_RUNS);
    return run;
  }

  async #allowed(
    { variant, first, test }: Pick<ExecuteParams, 'variant' | 'first' | 'test'>,
    requests: readonly SendingRequest[],
    run: TestRun | undefined,
    signal: AbortSignal,
  ): Promise<readonly SendingRequest[]> {
    const selected = requests.filter(({ isSelected }) => isSelected);
    if (first !== undefined) return selected.filter(({ subject }) => subject === first.subject);
    if (test !== undefined && run !== undefined) {
      const local = requests.filter(({ at }) => this.#isLocal(at));
      const elsewhere = requests.filter((request) => !local.includes(request));
      if (elsewhere.length === 0 || (await this.#agrees(run, elsewhere, signal))) return requests;
      return local;
    }
    switch (variant?.kind) {
      case 'simulation':
        return [];
      case 'endpoint': {
        if (selected.length === 0) return [];
        const question = `This request sends a transaction. Comparing sends it to "${variant.name}".`;
        return (await this.deps.confirm(question, signal)) ? selected : [];
      }
      default:
        return selected;
    }
  }

  /** Asks once per run; a continuous run never asks. */
  async #agrees(run: TestRun, requests: readonly SendingRequest[], signal: AbortSignal): Promise<boolean> {
    if (run.isDeclined) return false;
    run.consent ??= this.deps.confirm(this.#question(requests), signal);
    const agreed = await run.consent;
    run.isDeclined = !agreed;
    return agreed;
  }

  #question(requests: readonly SendingRequest[]): string {
    const names = requests.map(({ at }) => titleOf(at));
    const places = [...new Set(requests.map(({ at }) => this.#placeOf(at)))];
    return `This test run sends transactions to ${places.join(', ')}: ${[...new Set(names)].join(', ')}. Each is sent once.`;
  }

  #placeOf(at: Located): string {
    return originOf(ownUrl(at) ?? '') ?? settingsOf(at).endpoint ?? this.deps.window.state.endpoint ?? 'no endpoint';
  }

  /** Whether a request's target is the local service that the extension started. */
  #isLocal(at: Located): boolean {
    const placed = this.#placed(settingsOf(at).endpoint);
    if (placed?.source !== 'local') return false;
    const hasOwn = at.block.requestLine?.url !== undefined;
    const origin = originOf(placed.profile.rpcUrl ?? '');
    return !hasOwn || (origin !== undefined && originOf(ownUrl(at) ?? '') === origin);
  }

  #placed(endpoint: string | undefined): PlacedProfile | undefined {
    return profileNamed(this.deps.window, endpoint);
  }

  /** The ledger that the local service has at a URL of a file; empty at any other one. */
  #ledgerAt(url: string): string {
    const local = this.deps.window.state.profiles.find(({ source }) => source === 'local')?.profile;
    const isThere = [local?.rpcUrl, local?.wsUrl, local?.grpcUrl].some((own) => sameOrigin(own ?? '', url));
    return (isThere ? local?.ledger : undefined) ?? '';
  }

  #describe(endpoint: string | undefined): string {
    const { profile, source } = this.#placed(endpoint) ?? {};
    if (profile === undefined) return '';
    const { name, rpcUrl, wsUrl, grpcUrl, ledger } = profile;
    return JSON.stringify([name, source, rpcUrl, wsUrl, grpcUrl, ledger]);
  }
}

const keptAnswers = ({ redact, results }: ReuseDeps): KeptAnswers =>
  new KeptAnswers({
    redact,
    now: () => Date.now(),
    stored: ({ file, name, endpoint }) => results.lastGiven(requestName({ file, name, line: 0 }), endpoint),
  });

/** The URL on the request line, where it is known before a run. */
function ownUrl(at: Located): string | undefined {
  const url = at.block.requestLine?.url?.text;
  return url === undefined ? undefined : knownText(at, url);
}

const titleOf = ({ block }: Located): string => block.settings.name?.text ?? (block.title.text || 'a request');

const WHY: Readonly<Record<Unusable, string>> = {
  never: 'has not been sent from here',
  changed: 'has changed since it was sent: its text, a value it uses, or its endpoint',
  failed: 'was refused when it was last sent',
  lost: 'got no answer when it was last sent, so it may have landed: look it up before you send it again',
  again: 'would be sent again',
};

/** Why a run stopped, and the request to send first. */
export function stopFor(unsent: readonly Unsent[]): { readonly error: ServiceError; readonly sendFirst?: SendFirst } {
  const [first] = unsent;
  if (first === undefined || first.isSelected)
    return { error: { kind: 'confirmation', message: 'The transaction was not sent.' } };
  const { at, subject, why } = first;
  const name = titleOf(at);
  return {
    error: {
      kind: 'confirmation',
      message: `This request reads the answer of "${name}", which sends a transaction and ${WHY[why]}.`,
      hint: `Send "${name}" first.`,
    },
    sendFirst: { uri: at.scope.document.uri, line: at.placed.line, name, subject },
  };
}
