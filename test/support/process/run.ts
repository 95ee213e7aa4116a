// Drives the run loop over ports that live in memory: what was sent is recorded, what comes back is given.
import { TextBody } from '../../../core/service/response/textBody';
import { runInParallel } from '../../../cli/session/parallel';
import { parseDocument } from '../../../core/requests/document/document';
import type { Until } from '../../../core/requests/document/model';
import { readVariableText } from '../../../core/requests/document/variables/value';
import { failed, ok } from '../../../core/service/errors';
import { DEFAULT_TIMEOUT_MS, run } from '../../../runner/run';
import { DEFAULT_UNTIL } from '../../../runner/stream';
import type { ServiceError } from '../../../core/service/errors';
import type { BodyFile, Exchange, PreparedRequest, RunReport } from '../../../core/requests/run/model';
import type { Selection } from '../../../core/requests/run/plan';
import type { RunInput, RunOutcome } from '../../../runner/run';
import type { RunPorts, RunProgress } from '../../../runner/ports';
import type { References } from '../../../runner/references';

/** A text, an exchange or an error as the answer to one request. */
export type Reply = string | Partial<Exchange> | { readonly error: ServiceError; readonly lost: true };

export interface Setup {
  /** Answers in order; a function decides by request. Default: the request's id with a result of 1. */
  readonly reply?: readonly Reply[] | ((request: PreparedRequest, nth: number) => Reply | Promise<Reply>);
  readonly ports?: Partial<RunPorts>;
  readonly vars?: Readonly<Record<string, string>>;
  readonly profile?: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string>>;
  /** In place of `profile`. */
  readonly profileVariables?: RunInput['profileVariables'];
  readonly selection?: Selection;
  /** Of the file; default `file.jsonrpc`. */
  readonly uri?: string;
  readonly imports?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  /** As in RunInput. */
  readonly references?: References;
  readonly bail?: boolean;
  readonly updatesSnapshots?: boolean;
  readonly parallel?: number;
  /** More files by name: all of them run at the same time. */
  readonly others?: Readonly<Record<string, string>>;
  /** As in RunInput; left out: that of the terminal. */
  readonly defaultUntil?: Until | undefined;
  readonly signal?: AbortSignal;
}

export interface Ran {
  readonly outcome: RunOutcome;
  readonly report: RunReport;
  readonly sent: readonly PreparedRequest[];
  readonly bodies: readonly string[];
  readonly progress: readonly RunProgress[];
  readonly written: ReadonlyMap<string, string>;
  readonly slept: readonly number[];
}

export const exchange = (text: string, more: Partial<Exchange> = {}): Exchange => ({
  httpStatus: 200,
  headers: [['content-type', 'application/json']],
  body: new TextBody(text),
  bytes: text.length,
  durationMs: 12,
  ...more,
});

const echo = (request: PreparedRequest): string =>
  request.isBatch
    ? `[${request.ids.map((id) => `{"jsonrpc":"2.0","result":1,"id":${id}}`).join(',')}]`
    : `{"jsonrpc":"2.0","result":1,"id":${request.ids[0] ?? 'null'}}`;

/** Runs one file, named `file.jsonrpc`, by default all of it. */
export async function runText(text: string, setup: Setup = {}): Promise<Ran> {
  const sent: PreparedRequest[] = [];
  const progress: RunProgress[] = [];
  const written = new Map<string, string>();
  const slept: number[] = [];
  const { reply, files = {}, imports = {} } = setup;
  const send: RunPorts['send'] = async (request) => {
    const nth = sent.push(request) - 1;
    const answer = typeof reply === 'function' ? await reply(request, nth) : (reply?.[nth] ?? echo(request));
    if (typeof answer === 'string') return ok(exchange(answer));
    return 'lost' in answer ? failed(answer.error) : ok(exchange(echo(request), answer));
  };
  const ports: RunPorts = {
    send,
    look: send,
    urlOf: (request) => request.url,
    files: {
      async read(path) {
        const found = files[path];
        return found === undefined ? failed({ kind: 'invalidRequest', message: `${path} is not there.` }) : ok(found);
      },
      async mayWrite(path, _from, overwrite) {
        if (written.has(path) && !overwrite) return failed({ kind: 'invalidRequest', message: `${path} is there.` });
        return ok(undefined);
      },
      async write(path, _from, content, overwrite) {
        if (written.has(path) && !overwrite) return failed({ kind: 'invalidRequest', message: `${path} is there.` });
        written.set(path, typeof content === 'string' ? content : await textOf(content));
        return ok(undefined);
      },
    },
    clock: {
      now: () => 0,
      unixSeconds: () => 1_700_000_000,
      sleep: async (ms) => {
        slept.push(ms);
      },
    },
    wallet: {
      address: async () => failed({ kind: 'invalidRequest', message: 'The wallet is off.' }),
      sign: async () => failed({ kind: 'invalidRequest', message: 'The wallet is off.' }),
      identity: async () => '',
    },
    random: { uuid: () => '6b0f2f80-0000-4000-8000-000000000000', integer: (min) => min },
    environment: {
      value: () => undefined,
      refusal: () => undefined,
      isAllowed: () => false,
      destination: () => ({ host: 'test.invalid', isHere: true }),
      sentHere: new Set(),
      hint: () => '',
    },
    prompt: async () => undefined,
    confirm: async () => false,
    onProgress: (event) => {
      progress.push(event);
    },
    ...setup.ports,
  };
  const parsed = new Map(Object.entries(imports).map(([uri, content]) => [uri, parseDocument(uri, 1, content)]));
  const all = Object.entries({ [setup.uri ?? 'file.jsonrpc']: text, ...setup.others });
  const runAll = (input: RunInput, runPorts: RunPorts, signal: AbortSignal): Promise<RunOutcome> =>
    all.length === 1 ? run(input, runPorts, signal) : runInParallel({ input, jobs: all.length }, runPorts, signal);
  const outcome = await runAll(
    {
      files: all.map(([uri, content]) => parseDocument(uri, 1, content)),
      selection: setup.selection ?? { kind: 'all' },
      variables: valuesOf(setup.vars),
      ...(setup.environment !== undefined && { environment: valuesOf(setup.environment) }),
      profileVariables: setup.profileVariables ?? (() => valuesOf(setup.profile)),
      imports: { documentOf: (path) => parsed.get(path) },
      endpoint: 'local',
      defaultTimeoutMs: DEFAULT_TIMEOUT_MS,
      defaultUntil: 'defaultUntil' in setup ? setup.defaultUntil : DEFAULT_UNTIL,
      bail: setup.bail ?? false,
      updatesSnapshots: setup.updatesSnapshots ?? false,
      ...(setup.references !== undefined && { references: setup.references }),
      ...(setup.parallel !== undefined && { parallel: setup.parallel }),
    },
    ports,
    setup.signal ?? new AbortController().signal,
  );
  const report = outcome.kind === 'unknownNames' ? EMPTY : outcome.report;
  return { outcome, report, sent, bodies: sent.map((request) => request.body), progress, written, slept };
}

const valuesOf = (
  texts: Readonly<Record<string, string>> = {},
): ReadonlyMap<string, ReturnType<typeof readVariableText>> =>
  new Map(Object.entries(texts).map(([name, value]) => [name, readVariableText(value)]));

const EMPTY: RunReport = {
  ok: false,
  summary: { total: 0, passed: 0, failed: 0, skipped: 0, durationMs: 0 },
  requests: [],
};

/** The codes that stopped a run; empty when it went ahead. */
export function codesOf({ outcome }: Ran): readonly string[] {
  return outcome.kind === 'invalid' ? outcome.problems.map((problem) => problem.code) : [];
}

async function textOf(file: BodyFile): Promise<string> {
  return Buffer.from(await file.read(0, file.bytes)).toString('utf8');
}
