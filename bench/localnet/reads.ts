// Large reads of the local service must hold up nobody: how long another client waits while each is made.
import { once } from 'node:events';
import http from 'node:http';
import { createHash } from 'node:crypto';
import { encodeBase58 } from '../../core/solana/encoding/base58';
import { loadGenerator, type Load } from './loadProcess';
import type { Measured } from '../measure';
import { plainClient, prepared } from './plainHttp';
import { benchService, TURNS, type BenchService } from './service';

const ACCOUNTS = 100_000;
/** Wallets that the token accounts belong to, in turn: one of them has a tenth of all. */
const WALLETS = 10;
const BLOCK = 3_000;
const LARGE = 100;
const LARGE_BYTES = 1024 * 1024;
/** Milliseconds nobody may wait. */
const STALL = 50;
const ROUNDS = 3;
/** Milliseconds without a read between two of them. */
const QUIET_MS = 500;
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const SYSTEM = '11111111111111111111111111111111';

const addressOf = (name: string): string => encodeBase58(createHash('sha256').update(name).digest());
const MINT = addressOf('mint');
const large = Array.from({ length: LARGE }, (_, at) => addressOf(`large ${at}`));

/** A read by its name and body. */
type Read = readonly [name: string, body: unknown];

const call = (method: string, ...params: unknown[]): unknown => ({ jsonrpc: '2.0', id: 1, method, params });

function readsOf(slot: number): readonly Read[] {
  const byOwner = [addressOf('wallet 0'), { programId: TOKEN }] as const;
  const full = { transactionDetails: 'full', maxSupportedTransactionVersion: 1 };
  return [
    ['getProgramAccounts, 100,000', call('getProgramAccounts', TOKEN, { encoding: 'base64' })],
    ['getProgramAccounts, 100,000, parsed', call('getProgramAccounts', TOKEN, { encoding: 'jsonParsed' })],
    [
      'getProgramAccounts, 100,000, memcmp that finds 10,000',
      call('getProgramAccounts', TOKEN, { filters: [{ memcmp: { offset: 32, bytes: addressOf('wallet 1') } }] }),
    ],
    ['getTokenAccountsByOwner, 10,000', call('getTokenAccountsByOwner', ...byOwner, { encoding: 'jsonParsed' })],
    ['getTokenLargestAccounts of 100,000', call('getTokenLargestAccounts', MINT)],
    ['getLargestAccounts of 100,000', call('getLargestAccounts')],
    [`getBlock, ${BLOCK} transactions`, call('getBlock', slot, { ...full, encoding: 'jsonParsed' })],
    ['getMultipleAccounts, 100 of 1 MiB', call('getMultipleAccounts', large, { encoding: 'base64' })],
    [
      'a batch of 500 getMultipleAccounts',
      Array.from({ length: 500 }, () => call('getMultipleAccounts', wallets(100), { encoding: 'jsonParsed' })),
    ],
  ];
}

const wallets = (count: number): string[] => Array.from({ length: count }, (_, at) => addressOf(`token ${at}`));

export async function measureReads(): Promise<readonly Measured[]> {
  const service = await benchService(TURNS);
  try {
    const load = await loadGenerator(service);
    const slot = await fill(service, load);
    const rows: Measured[] = [];
    for (const read of readsOf(slot)) rows.push(...(await rowsOf(service, load, read)));
    await load.stop();
    return rows;
  } finally {
    await service.stop();
  }
}

async function rowsOf(service: BenchService, load: Load, [name, body]: Read): Promise<Measured[]> {
  const text = JSON.stringify(body);
  let [turn, p99, longest, bytes, quiet] = [0, 0, 0, 0, 0];
  await service.longestTurn();
  for (let round = 0; round < ROUNDS; round++) {
    const figures = await load.watchDuring(async () => {
      bytes = await readWhole(service, text);
    });
    turn = Math.max(turn, await service.longestTurn());
    // How long others wait on a busy machine without any read, in the same minute.
    const beside = await load.watchDuring(() => new Promise((resolve) => setTimeout(resolve, QUIET_MS)));
    quiet = Math.max(quiet, beside.p99);
    p99 = Math.max(p99, figures.p99);
    longest = Math.max(longest, figures.longest);
  }
  const note = `${(bytes / 1e6).toFixed(1)} MB, longest wait ${longest.toFixed(0)} ms; with no read ${quiet.toFixed(1)} ms`;
  const common = { goal: 'P15', unit: 'ms', bound: { atMost: STALL }, note };
  return [
    { ...common, name: `${name}: longest turn of its loop`, figure: Number(turn.toFixed(1)) },
    { ...common, name: `${name}: wait of others, slowest in a hundred`, figure: Number(p99.toFixed(1)) },
  ];
}

/** Makes the accounts and a full block; gives the block's slot. */
async function fill(service: BenchService, load: Load): Promise<number> {
  const mint = Buffer.alloc(82);
  mint[45] = 1;
  mint.writeBigUInt64LE(10n ** 12n, 36);
  await service.cheat('setAccount', { address: MINT, lamports: 1e9, owner: TOKEN, data: mint.toString('base64') });
  const path = new URL(service.ready.adminUrl).pathname;
  const makes = function* (): Generator<Buffer> {
    for (let at = 0; at < ACCOUNTS; at++) {
      const params = {
        address: addressOf(`token ${at}`),
        mint: MINT,
        owner: addressOf(`wallet ${at % WALLETS}`),
        amount: at,
      };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'setTokenAccount', params });
      yield prepared(service.port, `${path}/rpc`, service.ready.adminToken, body);
    }
  };
  const left = makes();
  const work = async (): Promise<void> => {
    const client = await plainClient(service.port);
    for (const request of left) await client.call(request);
    client.close();
  };
  await Promise.all(Array.from({ length: 8 }, work));
  const data = Buffer.alloc(LARGE_BYTES, 7).toString('base64');
  for (const address of large) await service.cheat('setAccount', { address, lamports: 1e10, owner: SYSTEM, data });
  return fullBlock(service, load);
}

async function fullBlock(service: BenchService, load: Load): Promise<number> {
  await service.cheat('pauseClock', {});
  const client = await plainClient(service.port);
  const body = JSON.stringify(call('getSlot', { commitment: 'processed' }));
  const slot = /"result":(\d+)/.exec(
    await client.call(prepared(service.port, '/sol', service.ready.keys.rpc.key, body)),
  );
  client.close();
  await load.run({ kind: 'transfers', count: BLOCK });
  await service.cheat('nextSlot', { count: 40 });
  await service.cheat('resumeClock', {});
  return Number(slot?.[1]);
}

/** Makes the call and reads its answer whole; gives its bytes. */
async function readWhole({ ready }: BenchService, body: string): Promise<number> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${ready.keys.rpc.key}` };
  const request = http.request(ready.rpcUrl, { method: 'POST', headers }).end(body);
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  let [bytes, start] = [0, ''];
  response.on('data', (chunk: Buffer) => {
    if (bytes < 400) start += chunk.toString('latin1').slice(0, 400);
    bytes += chunk.length;
  });
  await once(response, 'end');
  if (response.statusCode !== 200 || /^[^]{0,40}"error"/.test(start)) throw new Error(`${body.slice(0, 80)}: ${start}`);
  return bytes;
}
