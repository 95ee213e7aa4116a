// The built language server at work, as a subject of the soak: responses of all sizes are kept, streams are followed, paged,
// exported, closed and opened again by its worker, and texts are edited.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ExecuteResult } from '../../../../protocol/lsp';
import type { OpenStreamResult } from '../../../../protocol/streams';
import { startServer, WINDOW } from '../../../support/lsp/serverProcess';
import { LARGE_METHOD, startBusyService } from '../kills/busyService';
import type { Soaked } from './soaked';

const FILE = 'file:///project/requests.jsonrpc';
const STREAM = 'file:///project/stream.jsonrpc';
const REQUESTS = [
  ...Array.from({ length: 8 }, (_, at) => `### Small ${at}\n{ "method": "getSlot" }\n?? result.first >= 0\n`),
  `### Large\n{ "method": "${LARGE_METHOD}", "params": ["11111111111111111111111111111111"] }\n`,
].join('\n');
/** Bytes. */
const LARGE = 2_000_000;
/** Between two rounds. ms */
const REST = 250;

/** Loaded into the server: writes how many timers and handles it has into a file, once a second. */
const COUNTER = (file: string): string => `
const { isMainThread } = require('node:worker_threads');
const { writeFileSync } = require('node:fs');
if (isMainThread && require.main === undefined)
  setInterval(() => writeFileSync(${JSON.stringify(file)}, String(process.getActiveResourcesInfo().length)), 1_000).unref();
`;

export async function soakServer(over: AbortSignal): Promise<Soaked> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'soak-'));
  const [hook, counted] = [path.join(folder, 'counter.cjs'), path.join(folder, 'active')];
  writeFileSync(hook, COUNTER(counted));
  const service = await startBusyService(LARGE);
  const profile = { name: 'busy', rpcUrl: service.rpcUrl, wsUrl: service.wsUrl, auth: { rpc: 'none', ws: 'none' } } as const; // oxfmt-ignore
  const server = await startServer({
    window: {
      ...WINDOW,
      profiles: [{ profile, source: 'user' }],
      endpoint: 'busy',
      settings: { ...WINDOW.settings, 'response.inlineSize': 0.1 },
    },
    storage: folder,
    env: { ...process.env, NODE_OPTIONS: `--require ${hook}` },
  });
  const { connection, child } = server;
  await server.open(STREAM, '### Slots\nWS\n{ "method": "slotSubscribe" }\n');
  let [rounds, streams] = [0, 0];

  const open = async (): Promise<string> => {
    const source = { kind: 'block', uri: STREAM, version: 1, line: 0 };
    const answer = await connection.sendRequest<OpenStreamResult>('solanaRpc/openStream', { source });
    if (answer.kind !== 'opened') throw new Error(JSON.stringify(answer));
    streams++;
    return answer.stream.id;
  };
  const work = async (): Promise<void> => {
    const lasting = await open();
    for (let version = 2; !over.aborted; version++) {
      const passing = await open();
      await server.open(FILE, `${REQUESTS}\n# round ${version}\n`);
      const uri = FILE;
      const ran = await connection.sendRequest<ExecuteResult>('solanaRpc/execute', { uri, version });
      if (ran.kind !== 'done' || ran.outcomes.some(({ status }) => status === 'failed'))
        throw new Error(`A run fails: ${JSON.stringify(ran).slice(0, 500)}`);
      await connection.sendRequest('textDocument/codeLens', { textDocument: { uri } });
      await connection.sendRequest('textDocument/diagnostic', { textDocument: { uri } });
      const file = path.join(folder, 'kept.csv');
      for (const id of [lasting, passing]) {
        await connection.sendRequest('solanaRpc/streamRows', { id, from: 0, count: 200, filter: 'slot > 5' });
        await connection.sendRequest('solanaRpc/exportStream', { id, file, format: 'csv', filter: '', what: 'kept' });
      }
      await connection.sendRequest('solanaRpc/closeStream', { id: passing });
      rounds++;
      await pause(REST);
    }
  };
  return {
    subjects: [
      {
        name: 'language server',
        pid: () => child.pid,
        active: () => Number(readFileSync(counted, 'utf8')),
      },
    ],
    work: work().catch((error: unknown) => (over.aborted ? undefined : Promise.reject(error as Error))),
    done: () => [`${rounds} runs`, `${streams} streams`],
    close: async () => {
      await server.stop();
      await service.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
