// The language server's entry: puts its parts on one connection. LSP on stdio, keys on the IPC channel. Our client forks
// this file; `solana-rpc lsp` loads it and calls `serve`. Never writes to stdout but through the connection.
import { hasChannel } from './parent';
import { randomUUID } from 'node:crypto';
import {
  CodeLensRefreshRequest,
  createConnection,
  DidChangeWatchedFilesNotification,
  StreamMessageReader,
  StreamMessageWriter,
  TextDocumentSyncKind,
  type Connection,
  type CancellationToken,
  type InitializeParams,
  type InitializeResult,
} from './lsp';
import * as lsp from '../protocol/lsp';
import * as stored from '../protocol/responses';
import * as live from '../protocol/streams';
import { fetchIdl, type FetchIdlParams } from '../protocol/idls';
import type { Programs } from '../core/values/decoded';
import type { EditorHost } from '../runner/host';
import type { Traffic } from '../net/api';
import { Suspensions } from '../net/suspensions';
import type { FilePort } from '../runner/ports';
import { LastAnswers } from './answers';
import { Documents } from './documents';
import { exactEncoder } from './exact';
import type { ExecuteDeps } from './execute';
import { createFiles } from './files';
import { Idls } from './idls';
import { idlOrigin } from './idlOrigin';
import { Keys, processChannel } from './keys';
import { serveLanguage, type Language } from './language';
import { Running } from './lenses';
import { createLog } from './log';
import { otherEditorAdapter, serveOtherEditor, type OtherEditor } from './otherEditors';
import { profileNamed } from './profiles';
import type { PublishedIdls } from './publishedIdls';
import { Results } from './results';
import { Tables } from './tables';
import { Schemas } from './schemas';
import { signalOf } from './signal';
import { Streams } from './streams/streams';
import { TrafficMeter } from './traffic';
import { Transports } from './transports';
import { Window } from './window';

/** Set by the bundler from package.json. */
declare const PRODUCT_VERSION: string;

/** The parts that every editor gets. */
interface Parts {
  readonly connection: Connection;
  readonly window: Window;
  readonly keys: Keys;
  readonly suspensions: Suspensions;
  readonly transports: Transports;
  readonly documents: Documents;
  readonly language: Language;
  readonly running: Running;
  readonly answers: LastAnswers;
  readonly idls: Idls;
}

/** `host`: the process serves another editor, as `solana-rpc lsp` does; without it the client is our own. */
export function serve(host?: EditorHost): void {
  const connection = createConnection(
    new StreamMessageReader(process.stdin),
    new StreamMessageWriter(process.stdout, { charset: 'utf-8', contentTypeEncoder: exactEncoder }),
  );
  const window = new Window();
  const keys = new Keys(processChannel());
  const log = createLog(connection, (text) => keys.redact(text), host === undefined);
  const documents = new Documents();
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
  const language = serveLanguage({ connection, documents, files, window, running, answers, log, adapter });
  const meter = new TrafficMeter({
    now: () => performance.now(),
    later: (ms, run) => void setTimeout(run, ms).unref(),
    tell: (counts) => void connection.sendNotification(lsp.traffic, counts),
  });
  // Another editor has no place to show it.
  const suspensions = new Suspensions();
  const onTraffic = (traffic: Traffic): void => {
    if (host === undefined) meter.count(traffic);
  };
  const transports = new Transports(window, keys, onTraffic, suspensions);
  const schemas = new Schemas({ window, files, log, changed: () => language.refresh() });
  const idls = new Idls({ window, files, log });
  const parts: Parts = {
    connection,
    window,
    keys,
    suspensions,
    transports,
    documents,
    language,
    running,
    answers,
    idls,
  };

  let streams: Streams | undefined;

  connection.onInitialize((params): InitializeResult => {
    const options = initializationOptions(params);
    if (host !== undefined && !isOurs(params)) {
      other = serveOtherEditor({
        connection,
        documents,
        window,
        host,
        log,
        refresh: () => void schemas.load().then(() => language.refresh()),
      });
    } else if (options !== undefined && host === undefined) {
      window.update(options.window);
      connection.onNotification(lsp.windowChanged, (state: lsp.WindowState) => {
        window.update(state);
        streams?.windowChanged();
        void schemas.load();
        idls.changed();
        void streams?.idlsChanged();
        language.refresh();
      });
      connection.onNotification(DidChangeWatchedFilesNotification.type, () => {
        void schemas.load();
        idls.changed();
        void streams?.idlsChanged();
      });
      drawLenses = lensRefresh(connection, params);
      streams = serveClient(parts, files, options.storage);
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
    await Promise.all([streams?.end(), transports.close()]);
  });
  connection.listen();
}

/** What our own client says of its window; undefined for any other one. */
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

/** What our client can ask for beyond LSP; every answer is data, an error among them. Read in when first asked for. */
function serveClient(
  { connection, window, keys, suspensions, transports, documents, language, running, answers, idls }: Parts,
  files: FilePort,
  storage: string,
): Streams {
  const results = new Results(storage, (text) => keys.redact(text));
  const deps: ExecuteDeps = {
    window,
    documents,
    files,
    keys,
    transports,
    answers,
    results,
    prompt: async (name, label) =>
      (await connection.sendRequest<string | null>(lsp.prompt, { name, label } satisfies lsp.PromptParams)) ??
      undefined,
    confirm: (question) => connection.sendRequest<boolean>(lsp.confirm, { question } satisfies lsp.ConfirmParams),
    onProgress: (params) => void connection.sendNotification(lsp.progress, params),
  };
  connection.onRequest(lsp.execute, async (params: lsp.ExecuteParams, token: CancellationToken) => {
    const done = running.mark(params.uri, language.requestLines(params.uri, params.lines));
    try {
      const { execute } = await import('./execute');
      return await execute(deps, params, signalOf(token));
    } finally {
      done();
    }
  });
  connection.onRequest(stored.responsePage, (params: stored.ResponsePageParams) => results.large.page(params));
  connection.onRequest(stored.responseSearch, (params: stored.ResponseSearchParams, token: CancellationToken) =>
    results.large.search(params, () => token.isCancellationRequested),
  );
  let published: Promise<PublishedIdls> | undefined;
  const publishedIdls = (): Promise<PublishedIdls> =>
    (published ??= import('./publishedIdls').then((read) => new read.PublishedIdls({ storage, window, transports })));
  idls.also(async () => (await publishedIdls()).all());
  /** What is known where a response came from. */
  const programsOf = async (place: lsp.ResponsePlace): Promise<Programs> => {
    const profile = profileNamed(window, await results.endpointOf(place))?.profile;
    return idls.programs(profile === undefined ? undefined : idlOrigin(profile));
  };
  const tables = new Tables({
    large: results.large,
    spillFile: () => results.spillFile(),
    programs: (place) => programsOf(place),
    requestOf: (place) => results.requestOf(place),
  });
  connection.onRequest(stored.tableOpen, (params: stored.TableOpenParams) => tables.open(params));
  connection.onRequest(stored.tableRows, (params: stored.TableRowsParams) => tables.rows(params));
  connection.onRequest(stored.tableItem, (params: stored.TableItemParams) => tables.item(params));
  connection.onRequest(stored.tableCsv, (params: stored.TableCsvParams, token: CancellationToken) =>
    tables.csv(params, () => token.isCancellationRequested),
  );
  connection.onRequest(stored.decodeAccounts, async (params: stored.DecodeAccountsParams) => {
    const { decodeResponse } = await import('./decoding');
    return decodeResponse(results, await programsOf(params), params);
  });
  connection.onRequest(fetchIdl, async (params: FetchIdlParams, token: CancellationToken) => {
    const fetched = await (await publishedIdls()).fetch(params, signalOf(token));
    await streams.idlsChanged();
    return fetched;
  });
  connection.onRequest(lsp.usage, async (params: lsp.UsageParams, token: CancellationToken) => {
    const { askUsage } = await import('./usage');
    return askUsage(window, transports, params, Math.floor(Date.now() / 1000), signalOf(token));
  });
  connection.onRequest(lsp.usageKeys, async (token: CancellationToken) => {
    const { askUsageKeys } = await import('./usage');
    return askUsageKeys(window, transports, signalOf(token));
  });
  connection.onRequest(lsp.testKey, async (params: lsp.TestKeyParams, token: CancellationToken) => {
    const port = params.candidate === undefined ? keys : keys.candidate(params.candidate);
    const { testKey } = await import('./testKey');
    return testKey(window, transports, port, params, signalOf(token));
  });
  connection.onRequest(lsp.rotateLocalKey, async (params: lsp.RotateLocalKeyParams, token: CancellationToken) => {
    const { rotateLocalKey } = await import('./localAdmin');
    return rotateLocalKey(window, keys, params, randomUUID(), signalOf(token));
  });
  const streams = new Streams({
    window,
    keys,
    suspensions,
    prepare: async (source, signal) => (await import('./streams/prepare')).prepareStream(deps, source, signal),
    idls: () => idls.known(),
    onTick: (tick) => void connection.sendNotification(live.streamTick, tick),
  });
  keys.onChanged = (origin, type) => streams.keysChanged(origin, type);
  connection.onRequest(live.openStream, (params: live.OpenStreamParams, token: CancellationToken) =>
    streams.open(params, signalOf(token)),
  );
  connection.onRequest(live.listStreams, () => streams.list());
  connection.onRequest(live.streamRows, (params: live.StreamRowsParams) => streams.rows(params));
  connection.onRequest(live.streamRow, (params: live.StreamRowParams) => streams.row(params));
  connection.onRequest(live.stopStream, (params: live.StreamParams) => streams.stop(params));
  connection.onRequest(live.reopenStream, (params: live.StreamParams) => streams.reopen(params));
  connection.onRequest(live.closeStream, (params: live.StreamParams) => streams.close(params));
  connection.onRequest(live.moveStreams, (params: live.MoveStreamsParams) => streams.move(params));
  connection.onRequest(live.exportStream, (params: live.ExportStreamParams) => streams.export(params));
  connection.onRequest(live.stopExport, (params: live.StreamParams) => streams.stopExport(params));
  return streams;
}

if (require.main === module) serve();
