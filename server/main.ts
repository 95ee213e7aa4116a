// The language server's entry: puts its parts on one connection. LSP on stdio, keys on the IPC channel. Our client forks
// this file; `solana-rpc lsp` loads it and calls `serve`. Never writes to stdout but through the connection.
import '../process/compileCache';
import { hasChannel } from './parent';
import { randomUUID } from 'node:crypto';
import {
  CodeLensRefreshRequest,
  TextDocumentSyncKind,
  type Connection,
  type InitializeParams,
  type InitializeResult,
} from 'vscode-languageserver/node';
import * as lsp from '../protocol/lsp';
import * as account from '../protocol/usage';
import * as stored from '../protocol/responses';
import * as live from '../protocol/streams';
import * as inspector from '../protocol/explain';
import { fetchIdl } from '../protocol/idls';
import { replay, replayAgain, replayFolder, replayStep, saveReplay } from '../protocol/replay';
import { endpointState } from '../protocol/endpointState';
import { probe } from '../protocol/probing';
import { readSource } from '../protocol/source';
import { originOf } from '../core/service/profiles/origin';
import type { Programs } from '../core/solana/decode/decoded';
import type { EditorHost } from '../runner/host';
import type { Traffic } from '../net/api';
import { Suspensions } from '../net/auth/suspensions';
import { LastAnswers } from './run/answers';
import { readableEnvironment, sharedEnvironment } from './run/environment';
import { ProgramTable } from './language/programTable';
import type { ExecuteDeps } from './run/execute';
import { createFiles } from './run/files';
import { Idls } from './idls/idls';
import { Keys, processChannel } from './keys/keys';
import { serveLanguage, type Language, type LanguageDeps } from './language/language';
import { Running } from './language/lenses';
import type { Reuse } from './run/reuse';
import { createLog } from './lsp/log';
import { connect, openDocuments } from './lsp/connection';
import { serving, thrownText } from './lsp/serve';
import { otherEditorAdapter, serveOtherEditor, type OtherEditor } from './language/otherEditors';
import { profileNamed } from './profiles';
import type { PublishedIdls } from './idls/publishedIdls';
import type { Replays } from './replay/replays';
import { Results } from './responses/results';
import { Tables } from './responses/tables';
import { Schemas } from './language/schemas';
import { signalOf } from './lsp/signal';
import { Streams } from './streams/streams';
import { TrafficMeter } from './run/traffic';
import { Transports } from './run/transports';
import { Window } from './window';

/** Set by the bundler from package.json. */
declare const PRODUCT_VERSION: string;

/** The parts that every editor gets. */
interface Parts extends Pick<
  LanguageDeps,
  'connection' | 'documents' | 'files' | 'window' | 'running' | 'log' | 'serve'
> {
  readonly answers: LastAnswers;
  readonly keys: Keys;
  readonly suspensions: Suspensions;
  readonly transports: Transports;
  readonly language: Language;
  readonly idls: Idls;
}

/** `host`: the process serves another editor, as `solana-rpc lsp` does; without it the client is our own. */
export function serve(host?: EditorHost): void {
  const connection = connect();
  const window = new Window();
  const keys = new Keys(processChannel());
  const log = createLog(connection, (text) => keys.redact(text), host === undefined);
  const documents = openDocuments();
  const answers = new LastAnswers(
    (text) => keys.redact(text),
    () => language.refresh(),
  );
  const files = createFiles(window, (uri) => documents.get(uri)?.lines.join('\n'));
  /** Blocks that run have another lens; without the client's support they keep the one they had. */
  let drawLenses = (): void => undefined;
  const running = new Running(() => drawLenses());
  let other: OtherEditor | undefined;
  const adapter = host === undefined ? undefined : otherEditorAdapter;
  /** Our own client alone runs requests here. */
  let usedAnswers: LanguageDeps['usedAnswers'] = () => Promise.resolve([]);
  const shared = { connection, documents, files, window, running, answers, log, serve: serving(connection, log) };
  const language = serveLanguage({
    ...shared,
    methods: () => schemas.methods,
    usedAnswers: (document, imports) => usedAnswers(document, imports),
    programs: new ProgramTable({ known: () => idls.known() }, () => window.permit().ok && host === undefined),
    adapter,
  });
  const meter = new TrafficMeter({
    now: () => performance.now(),
    later: (ms, run) => void setTimeout(run, ms).unref(),
    report: (counts) => void connection.sendNotification(lsp.traffic, counts),
  });
  // Another editor has no place to show it.
  const suspensions = new Suspensions();
  const onTraffic = (traffic: Traffic): void => {
    if (host === undefined) meter.count(traffic);
  };
  const transports = new Transports(window, keys, onTraffic, suspensions);
  const schemas = new Schemas({ window, files, log, changed: () => language.refresh() });
  const idls = new Idls({ window, files, log });

  let streams: Streams | undefined;
  connection.onInitialize((params): InitializeResult => {
    const options = initializationOptions(params);
    if (host !== undefined && !isOurs(params)) {
      const refresh = (): void => void schemas.load().then(() => language.refresh());
      other = serveOtherEditor({ ...shared, host, refresh });
    } else if (options !== undefined && host === undefined) {
      window.update(options.window);
      connection.onNotification(lsp.windowChanged, (state) => {
        window.update(state);
        // Another endpoint has other answers.
        drawLenses();
        streams?.windowChanged();
        void schemas.load();
        idls.changed();
        void streams?.idlsChanged();
        language.refresh();
      });
      connection.onDidChangeWatchedFiles(() => {
        void schemas.load();
        idls.changed();
        language.refresh();
        void streams?.idlsChanged();
      });
      drawLenses = lensRefresh(connection, params);
      const parts: Parts = { ...shared, keys, suspensions, transports, language, idls };
      ({ streams, usedAnswers } = serveClient(parts, options.storage));
    }
    return {
      serverInfo: { name: 'solana-rpc', version: PRODUCT_VERSION },
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
        ...language.capabilities(params.capabilities),
        ...other?.capabilities(params),
      },
    };
  });
  connection.onInitialized(() => {
    void schemas.load();
    log('info', `Server ${PRODUCT_VERSION} is ready${hasChannel || host !== undefined ? '' : ', without keys'}.`);
    void other?.start();
  });
  connection.onShutdown(async () => {
    // Failures here do not matter: the process is ending.
    await Promise.allSettled([streams?.end(), transports.close()]);
  });
  documents.listen(connection);
  connection.listen();
}

/** Our own client's window state; undefined for any other client. */
function initializationOptions({
  initializationOptions: given,
}: InitializeParams): lsp.InitializationOptions | undefined {
  const options = given as Partial<lsp.InitializationOptions> | null | undefined;
  return typeof options?.storage === 'string' && options.window !== undefined
    ? { storage: options.storage, window: options.window }
    : undefined;
}

/** VS Code and what is built from it: a command advertised there could be called by any of its extensions. */
const CODE = /^(?:Visual Studio Code|Code - OSS|VSCodium|code-server|Cursor|Windsurf)\b/i;

const isOurs = (params: InitializeParams): boolean =>
  initializationOptions(params) !== undefined || CODE.test(params.clientInfo?.name ?? '');

function lensRefresh(connection: Connection, { capabilities }: InitializeParams): () => void {
  if (capabilities.workspace?.codeLens?.refreshSupport !== true) return () => undefined;
  // A client that is closing draws nothing any more.
  return () => void connection.sendRequest(CodeLensRefreshRequest.type).catch(() => undefined);
}

/** The requests of our client beyond LSP; every answer is data, errors included. Loaded on first use. */
function serveClient(
  parts: Parts,
  storage: string,
): { readonly streams: Streams; readonly usedAnswers: LanguageDeps['usedAnswers'] } {
  const { connection, serve, window, keys, transports, documents, language, running, answers, idls } = parts;
  const redact = (text: string): string => keys.redact(text);
  const results = new Results(storage, redact);
  const confirm: ExecuteDeps['confirm'] = (question) => connection.sendRequest(lsp.confirm, { question, to: 'send' });
  let reuse: Promise<Reuse> | undefined;
  const reused = (): Promise<Reuse> =>
    (reuse ??= import('./run/reuse').then((read) => new read.Reuse({ window, results, redact, confirm })));
  const deps: Omit<ExecuteDeps, 'reuse'> = {
    ...parts,
    results,
    prompt: async (question) => {
      const hint = language.promptHint(question.uri, question.name);
      return (await connection.sendRequest(lsp.prompt, { ...question, ...(hint && { hint }) })) ?? undefined;
    },
    confirm,
    askSignature: (question) => connection.sendRequest(lsp.confirm, { question, to: 'sign' }),
    programs: (endpoint) => idls.programs(originOf(profileNamed(window, endpoint)?.profile.rpcUrl ?? '')),
    environment: sharedEnvironment(confirm),
    onProgress: (params) => void connection.sendNotification(lsp.progress, params),
    onFault: (thrown) => parts.log('error', thrownText(thrown)),
  };
  serve(lsp.execute, async (params, token) => {
    const { uri, lines, first } = params;
    const marked =
      first === undefined
        ? running.mark(uri, language.requestLines(uri, lines))
        : running.mark(first.uri, [first.line]);
    try {
      const { executeRun } = await import('./run/execute');
      const onProgress: typeof deps.onProgress = (progress) => {
        if (progress.state === 'done') marked.ended(progress.uri, progress.line);
        deps.onProgress(progress);
      };
      return await executeRun({ ...deps, reuse: await reused(), onProgress }, params, signalOf(token));
    } finally {
      marked.end();
    }
  });
  serve(stored.responsePage, (params) => results.large.page(params));
  serve(stored.responseSearch, (params, token) => results.large.search(params, () => token.isCancellationRequested));
  let published: Promise<PublishedIdls> | undefined;
  const publishedIdls = (): Promise<PublishedIdls> =>
    (published ??= import('./idls/publishedIdls').then(
      (read) => new read.PublishedIdls({ storage, window, transports }),
    ));
  idls.also(async () => (await publishedIdls()).all());
  /** The programs known at a response's endpoint. */
  const programsOf = async (place?: lsp.ResponsePlace): Promise<Programs> =>
    deps.programs(place && (await results.endpointOf(place)));
  const tables = new Tables({
    large: results.large,
    spillFile: () => results.spillFile(),
    programs: programsOf,
    requestOf: (place) => results.requestOf(place),
  });
  serve(stored.tableOpen, (params) => tables.open(params));
  serve(stored.tableRows, (params) => tables.rows(params));
  serve(stored.tableItem, (params) => tables.item(params));
  serve(stored.tableCsv, (params, token) => tables.csv(params, () => token.isCancellationRequested));
  serve(stored.decodeAccounts, async (params) => {
    const { decodeResponse } = await import('./responses/decoding');
    return decodeResponse(results, await programsOf(params), params);
  });
  const explaining = {
    results,
    programs: programsOf,
    row: (id: string, number: number) => streams.ask('streamRow', { id, number, explain: true }),
    replay: async (id: string) => (await replays()).found(id),
  };
  const explained = async (source: inspector.TransactionSource): Promise<inspector.ExplainResult> =>
    (await import('./explain/explain')).explainSource(explaining, source);
  serve(inspector.explain, ({ source }) => explained(source));
  serve(inspector.transactionText, async ({ source }) =>
    (await import('./explain/explain')).textOfSource(explaining, source),
  );
  serve(inspector.transactionLog, async ({ source }) => {
    const { logOf } = await import('./explain/explain');
    return logOf({ results, replayLog: async (id) => (await replays()).log(id) }, source);
  });
  serve(inspector.failedCall, async ({ place, uri, line }) => {
    const { failedCallOf } = await import('./explain/failedCall');
    return failedCallOf(await explained({ kind: 'response', place }), documents.get(uri), line);
  });
  let replaying: Promise<Replays> | undefined;
  const replays = (): Promise<Replays> =>
    (replaying ??= import('./replay/replays').then(
      (read) =>
        new read.Replays({
          window,
          transports,
          programs: () => programsOf(),
          onStep: (step) => void connection.sendNotification(replayStep, step),
        }),
    ));
  serve(replay, async (params, token) => (await replays()).start(params, signalOf(token)));
  serve(replayFolder, async (params, token) => (await replays()).open(params, signalOf(token)));
  serve(replayAgain, async (params, token) => (await replays()).again(params, signalOf(token)));
  serve(saveReplay, async (params) => (await replays()).save(params));
  serve(fetchIdl, async (params, token) => {
    const fetched = await (await publishedIdls()).fetch(params, signalOf(token));
    await streams.idlsChanged();
    return fetched;
  });
  serve(account.usage, async (params, token) => {
    const { usageOf } = await import('./endpoints/usage');
    return usageOf(window, transports, { ...params, now: Math.floor(Date.now() / 1000) }, signalOf(token));
  });
  serve(account.usageParts, async (params, token) => {
    const { askUsageParts } = await import('./endpoints/usage');
    return askUsageParts(window, transports, params, signalOf(token));
  });
  serve(endpointState, async (params, token) => {
    const { askEndpointState } = await import('./endpoints/endpointState');
    return askEndpointState(window, transports, params, { signal: signalOf(token), chains: answers.chains });
  });
  connection.onRequest(account.usageKeys, async (token) => {
    const { askUsageKeys } = await import('./endpoints/usage');
    return askUsageKeys(window, transports, signalOf(token));
  });
  serve(account.testKey, async (params, token) => {
    const port = params.candidate === undefined ? keys : keys.candidate(params.candidate);
    const { tryKey } = await import('./endpoints/testKey');
    return tryKey({ window, transports, keys: port }, params, signalOf(token));
  });
  serve(probe, async (params, token) => {
    const { probeAddress } = await import('./endpoints/probe');
    return probeAddress(transports, keys, params, signalOf(token));
  });
  serve(readSource, async (params, token) => {
    const { readForFork } = await import('./run/source');
    return readForFork(window, transports, params, signalOf(token));
  });
  serve(account.rotateLocalKey, async (params, token) => {
    const { rotateOnLocalService } = await import('./keys/localAdmin');
    return rotateOnLocalService(window, keys, { ...params, handle: randomUUID() }, signalOf(token));
  });
  const streams = new Streams({
    window,
    keys,
    suspensions: parts.suspensions,
    wayOut: transports.wayOut,
    prepare: async (source, signal) =>
      (await import('./streams/prepare')).prepareStream({ ...deps, reuse: await reused() }, source, signal),
    idls: () => idls.known(),
    onTick: (tick) => void connection.sendNotification(live.streamTick, tick),
    onSlot: (endpoint, slot) => answers.chains.see(endpoint, slot, Date.now()),
  });
  keys.onChanged = (origin, type) => streams.keysChanged(origin, type);
  const serveVerb = <V extends live.StreamVerb>(verb: V): void =>
    serve(live.STREAM_VERBS[verb], (params, token) => streams.answer(verb, params, signalOf(token)));
  for (const verb of Object.keys(live.STREAM_VERBS)) serveVerb(verb as live.StreamVerb);
  const usedAnswers: LanguageDeps['usedAnswers'] = async (document, imports) => {
    if (!window.state.trusted || !document.blocks.some(({ block }) => block.references.length > 0)) return [];
    const { createWallet } = await import('./run/wallet');
    const wallet = createWallet(deps, new AbortController().signal);
    return (await reused()).used(document, imports, {
      files: parts.files,
      environment: readableEnvironment(window),
      wallet,
    });
  };
  return { streams, usedAnswers };
}

if (require.main === module) serve();
