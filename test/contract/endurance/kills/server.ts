// The language server as a target of kills, and its stream worker, which is ended by `terminate()` inside it.
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ExecuteResult, WindowState } from '../../../../protocol/lsp';
import type { OpenStreamResult, StreamTick } from '../../../../protocol/streams';
import { startServer, WINDOW, type RunningServer } from '../../../support/lsp/serverProcess';
import { isOneAnswer, LARGE_METHOD, startBusyService, type BusyService } from './busyService';
import type { Ends, Scene } from './engine';
import { areLines, holds, leftIn, WholeFiles } from './files';

const FILE = 'file:///project/requests.jsonrpc';
const SMALL = 8;
const REQUESTS = [
  ...Array.from({ length: SMALL }, (_, at) => `### Small ${at}\n{ "method": "getSlot" }\n`),
  `### Large\n{ "method": "${LARGE_METHOD}", "params": ["11111111111111111111111111111111"] }\n`,
].join('\n');
const STREAM = 'file:///project/stream.jsonrpc';
const SUBSCRIPTION = '### Slots\nWS\n{ "method": "slotSubscribe" }\n';
/** Bytes above which a response streams into a file, and of the large one. */
const INLINE = 100_000;
const LARGE = 3_000_000;
/** The server leaves leftovers that are younger than an hour alone: they may be another window's. ms */
const LONG_AGO = 2 * 3_600_000;

/** The latest tick of each of the server's streams. */
class Ticks {
  readonly last = new Map<string, StreamTick>();

  constructor(server: RunningServer) {
    server.connection.onNotification('solanaRpc/streamTick', (tick: StreamTick) => void this.last.set(tick.id, tick));
  }

  all(are: (tick: StreamTick) => boolean, ids: readonly string[]): boolean {
    return ids.every((id) => {
      const tick = this.last.get(id);
      return tick !== undefined && are(tick);
    });
  }
}

/** A server in a folder, and what it is asked. */
class Work {
  readonly storage: string;
  readonly exports: string;
  readonly temporary: string;
  readonly #files = new WholeFiles();

  private constructor(
    readonly folder: string,
    readonly service: BusyService,
    readonly ends: Ends,
  ) {
    this.storage = path.join(folder, 'storage');
    this.exports = path.join(folder, 'exports');
    this.temporary = path.join(folder, 'tmp');
    for (const made of [this.storage, this.exports, this.temporary]) mkdirSync(made);
  }

  static async open(folder: string, ends: Ends): Promise<Work> {
    return new Work(folder, await startBusyService(LARGE), ends);
  }

  async server(env: NodeJS.ProcessEnv = {}): Promise<RunningServer> {
    const { rpcUrl, wsUrl } = this.service;
    const profile = { name: 'busy', rpcUrl, wsUrl, auth: { rpc: 'none', ws: 'none' } } as const;
    const window: WindowState = {
      ...WINDOW,
      profiles: [{ profile, source: 'user' }],
      endpoint: 'busy',
      settings: { ...WINDOW.settings, 'response.inlineSize': INLINE / 1_000_000 },
    };
    const server = await startServer({
      window,
      storage: this.storage,
      env: { ...process.env, TMPDIR: this.temporary, ...env },
    });
    await server.open(FILE, REQUESTS);
    await server.open(STREAM, SUBSCRIPTION);
    return server;
  }

  /** The files that large answers are on their way into, and those that kills have left. */
  spills(): readonly string[] {
    const folder = path.join(this.storage, 'responses');
    return existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('spill-')) : [];
  }

  execute(server: RunningServer): Promise<ExecuteResult> {
    return server.connection.sendRequest('solanaRpc/execute', { uri: FILE, version: 1 });
  }

  /** Opens two streams: one is exported as it is, and again and again; the other from now on. Their names. */
  async streams(server: RunningServer, ticks: Ticks): Promise<readonly string[]> {
    const { connection } = server;
    const opened = await Promise.all(
      ['kept', 'fromNow'].map(async (what) => {
        const source = { kind: 'block', uri: STREAM, version: 2, line: 0 };
        const answer = await connection.sendRequest<OpenStreamResult>('solanaRpc/openStream', { source });
        if (answer.kind !== 'opened') throw new Error(JSON.stringify(answer));
        const { id } = answer.stream;
        // No update comes from a server that was killed: the next request says so at once.
        await this.ends.until(() => isOver(server) || (ticks.last.get(id)?.total ?? 0) > 0);
        const file = path.join(this.exports, `${what}.ndjson`);
        await connection.sendRequest('solanaRpc/exportStream', { id, file, format: 'ndjson', filter: '', what });
        return id;
      }),
    );
    return opened;
  }

  /** `lives`: so many may have left half a line in the file that is added to. */
  check(lives: number): readonly string[] {
    const folder = path.join(this.storage, 'responses');
    const names = holds(() => readdirSync(folder).length >= 0) ? readdirSync(folder) : [];
    const shown = names.filter((name) => /^[0-9a-f]+-\d+\.json$/.test(name));
    const beside = (name: string, ending: string): string => path.join(folder, name.replace(/\.json$/, ending));
    const isResponse = (text: string, file: string): boolean => {
      const name = path.basename(file);
      const isLarge = names.includes(name.replace(/\.json$/, '.full'));
      if (isLarge) {
        JSON.parse(readFileSync(beside(name, '.index'), 'utf8'));
        if (!isOneAnswer(readFileSync(beside(name, '.full'), 'utf8'))) return false;
      } else if (!isOneAnswer(text)) return false;
      return typeof JSON.parse(readFileSync(beside(name, '.meta.json'), 'utf8')) === 'object';
    };
    // Old responses are removed: only those that remain must be whole.
    const responses = new WholeFiles().check(shown.map((name) => path.join(folder, name)), isResponse); // oxfmt-ignore
    const kept = path.join(this.exports, 'kept.ndjson');
    const exported = readdirSync(this.exports).includes('kept.ndjson') ? [kept] : [];
    return [...responses, ...this.#files.check(exported, areLines), ...this.#torn(lives)];
  }

  #torn(lives: number): readonly string[] {
    if (!readdirSync(this.exports).includes('fromNow.ndjson')) return [];
    const lines = readFileSync(path.join(this.exports, 'fromNow.ndjson'), 'utf8').trimEnd().split('\n');
    const torn = lines.filter((line) => line !== '' && !holds(() => JSON.parse(line) !== undefined));
    return torn.length <= lives
      ? []
      : [`${torn.length} lines are torn, by ${lives} ends: ${torn.at(-1)?.slice(0, 200)}`];
  }

  /** A whole run on what was left, and a polite end. What must not be. */
  async finish(): Promise<readonly string[]> {
    const folder = path.join(this.storage, 'responses');
    const then = new Date(Date.now() - LONG_AGO);
    for (const name of readdirSync(folder)) utimesSync(path.join(folder, name), then, then);
    const server = await this.server();
    const ticks = new Ticks(server);
    const { outcomes } = (await this.execute(server)) as ExecuteResult & { readonly outcomes?: readonly { readonly status: string }[] }; // oxfmt-ignore
    const bad = (outcomes ?? []).filter(({ status }) => status !== 'passed' && status !== 'ok');
    const ids = await this.streams(server, ticks);
    const isWritten = await this.ends.until(() =>
      ticks.all(({ export: last }) => last?.kind === 'written', ids.slice(0, 1)),
    );
    const failures = [
      ...(outcomes?.length === SMALL + 1 && bad.length === 0
        ? []
        : [`a run fails: ${JSON.stringify(bad).slice(0, 500)}`]),
      ...(isWritten ? [] : [`an export fails: ${JSON.stringify([...ticks.last.values()]).slice(0, 500)}`]),
      ...(await endPolitely(server, this.ends)),
      ...this.check(Number.MAX_SAFE_INTEGER),
      ...leftIn(this.folder, this.temporary).map((file) => `left over: ${file}`),
      ...readdirSync(folder).filter((name) => name.startsWith('spill-')).map((name) => `left over: ${name}`), // oxfmt-ignore
    ];
    await server.stop();
    return failures;
  }
}

const isOver = ({ child }: RunningServer): boolean => child.exitCode !== null || child.signalCode !== null;

/** As an editor ends its server. */
async function endPolitely({ connection, child }: RunningServer, ends: Ends): Promise<readonly string[]> {
  const gone = once(child, 'exit');
  let isGone = false;
  void gone.then(() => (isGone = true));
  void connection.sendRequest('shutdown').then(
    () => connection.sendNotification('exit'),
    () => undefined,
  );
  if (await ends.until(() => isGone)) return [];
  child.kill('SIGKILL');
  return ['the server did not end'];
}

export async function openServer(folder: string, ends: Ends): Promise<Scene> {
  const work = await Work.open(folder, ends);
  let server: RunningServer | undefined;
  let killed = 0;
  return {
    start: async (round) => {
      work.service.round = round;
      const own = await work.server();
      server = own;
      const before = new Set(work.spills());
      // Requests interrupted by the kill reject instead of hanging.
      const underWay = work.service.requested();
      const asked = Promise.allSettled([work.execute(own), work.streams(own, new Ticks(own)), work.execute(own)]);
      return {
        underWay,
        inTheMiddle: async () => {
          await work.service.most();
          await ends.until(() => work.spills().some((name) => !before.has(name)));
        },
        end: async (isPolite) => {
          killed++;
          const ended = isPolite ? await endPolitely(own, ends) : await ends.process(own.child.pid ?? 0, false);
          await own.stop();
          let isSettled = false;
          void asked.then(() => (isSettled = true));
          const isTold = await ends.until(() => isSettled);
          const failures = [
            ...(ended === 'had ended' ? ['the server had ended by itself'] : ended),
            ...(isTold ? [] : ['a request waits for an answer that cannot come']),
            ...work.check(killed),
          ];
          return failures;
        },
      };
    },
    finish: () => work.finish(),
    close: async () => {
      await server?.stop();
      await work.service.close();
    },
  };
}

/** Loaded into the server: ends its workers at a signal. */
const TERMINATOR = `
const threads = require('node:worker_threads');
const all = new Set();
const { Worker } = threads;
threads.Worker = class extends Worker {
  constructor(...args) {
    super(...args);
    all.add(this);
    this.once('exit', () => all.delete(this));
  }
};
if (threads.isMainThread) process.on('SIGUSR2', () => all.forEach((worker) => worker.terminate()));
`;

export async function openWorker(folder: string, ends: Ends): Promise<Scene> {
  const work = await Work.open(folder, ends);
  const hook = path.join(folder, 'terminator.cjs');
  writeFileSync(hook, TERMINATOR);
  const start = (): Promise<RunningServer> => work.server({ NODE_OPTIONS: `--require ${hook}` });
  let server = await start();
  let ticks = new Ticks(server);
  let killed = 0;
  return {
    start: async () => {
      const ids = await work.streams(server, ticks);
      const asked = Promise.allSettled(
        ids.map((id) =>
          server.connection.sendRequest('solanaRpc/streamRows', { id, from: 0, count: 500, filter: 'slot > 5' }),
        ),
      );
      return {
        underWay: Promise.resolve(),
        end: async (isPolite) => {
          killed++;
          const failures: string[] = [];
          if (isPolite) {
            failures.push(...(await endPolitely(server, ends)));
            await server.stop();
            server = await start();
            ticks = new Ticks(server);
          } else {
            server.child.kill('SIGUSR2');
            const isTold = ({ state, export: last }: StreamTick): boolean =>
              state.kind === 'ended' && state.error !== undefined && last?.kind !== 'writing';
            if (!(await ends.until(() => ticks.all(isTold, ids))))
              failures.push(
                `a stream was not reported as ended: ${JSON.stringify(ids.map((id) => ticks.last.get(id)))}`,
              );
            let isSettled = false;
            void asked.then(() => (isSettled = true));
            if (!(await ends.until(() => isSettled))) failures.push('a request waits for an answer that cannot come');
          }
          const left = (): readonly string[] => leftIn(work.folder, work.temporary);
          if (!(await ends.until(() => left().length === 0))) failures.push(`left over: ${left().join()}`);
          return [...failures, ...work.check(killed)];
        },
      };
    },
    finish: async () => {
      await server.stop();
      mkdirSync(path.join(work.storage, 'responses'), { recursive: true });
      return work.finish();
    },
    close: async () => {
      await server.stop();
      await work.service.close();
    },
  };
}
