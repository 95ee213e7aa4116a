// A slot with two banks, from the local service to the panel's rows, the export and the terminal: what the first bank held is
// marked once the second one is confirmed.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import type * as live from '../../protocol/streams';
import { LiveStreams, STREAMS_FILE as FILE } from '../support/lsp/liveStreams';
import { startServerOn } from '../support/lsp/requestFile';
import { urlOptions, testWorkspace } from '../support/process/cli';
import { testLedger } from '../support/process/localnet';

const STREAM =
  '### Banks\n# @name banks\nGRPC geyser.Geyser/Subscribe\n{ "slots": { "s": {} }, "blocksMeta": { "m": {} } }\n';

const work = testWorkspace();
const local = testLedger(['--plan', 'Ultra']);

async function twoBanks(): Promise<void> {
  await local.admin('PUT', '/faults', { faults: [{ scope: 'grpc', kind: 'twobanks', times: 1 }] });
  await local.slots(2);
}

test('the panel marks the rows of the first bank, the filter finds them, and both exports say so', async (t) => {
  const { server, broker } = await startServerOn(t, local);
  await server.open(FILE, STREAM);
  const view = new LiveStreams(server, broker);
  const info = await view.block();
  await view.tick(({ state }) => state.kind === 'live');
  const onwards = path.join(server.storage, 'onwards.ndjson');
  const fromNow: live.ExportStreamParams = {
    id: info.id,
    file: onwards,
    format: 'ndjson',
    filter: '',
    what: 'fromNow',
  };
  assert.deepEqual(await view.ask('solanaRpc/exportStream', fromNow), { kind: 'done' });
  await twoBanks();
  // Of the first bank came its meta and one status; of the other its meta and two.
  const { abandoned } = await view.tick((tick) => tick.abandoned !== undefined && tick.total >= 8);
  assert.equal(abandoned, 2);
  const { rows } = await view.rows(info.id);
  const at = (field: string): number => info.columns.findIndex((column) => column.field === field);
  const marked = rows.flatMap((row) => (row.kind === 'update' && row.isAbandoned === true ? [row.cells] : []));
  assert.deepEqual(
    marked.map((cells) => [cells[at('kind')], cells[at('fate')]]),
    [
      ['blockMeta', 'abandoned'],
      ['slot', 'abandoned'],
    ],
  );
  assert.equal((await view.rows(info.id, 'fate == abandoned')).next, 2);
  assert.equal((await view.rows(info.id, '!(fate == abandoned)')).next, rows.length - 2);

  await view.ask('solanaRpc/stopExport', { id: info.id });
  await view.tick((tick) => tick.export?.kind === 'written' && tick.export.file === onwards);
  const note = (await readFile(onwards, 'utf8')).split('\n').find((line) => line.startsWith('{"abandoned"'));
  assert.match(note ?? '', /^\{"abandoned":\{"slot":"\d+","bankId":"\d+","confirmedBankId":"\d+","updates":2\}\}$/);
  for (const [format, mark] of [
    ['ndjson', /^\{"abandoned":true,"/],
    ['csv', /,abandoned$/],
  ] as const) {
    const file = path.join(server.storage, `kept.${format}`);
    const kept: live.ExportStreamParams = { id: info.id, file, format, filter: '', what: 'kept' };
    assert.deepEqual(await view.ask('solanaRpc/exportStream', kept), { kind: 'done' });
    await view.tick((tick) => tick.export?.kind === 'written' && tick.export.file === file);
    const lines = (await readFile(file, 'utf8')).trimEnd().split(/\r?\n/);
    assert.equal(lines.filter((line) => mark.test(line)).length, 2, lines.join('\n'));
  }
});

test('the terminal prints both banks, and that the first one was given up', async (t) => {
  const file = work.write('stream.jsonrpc', STREAM);
  const env = { SOLANA_RPC_KEY: local.ready.keys.rpc.key, SOLANA_GRPC_KEY: local.ready.keys.grpc.key };
  const child = work.start(['watch', `${file}#banks`, ...urlOptions(local.ready)], { env });
  t.after(() => child.kill('SIGKILL'));
  assert.ok(child.stdout !== null);
  interface Line {
    readonly slot?: { readonly slot: string };
    readonly blockMeta?: { readonly slot: string; readonly bankId: string };
    readonly abandoned?: { readonly slot: string; readonly bankId: string; readonly confirmedBankId: string };
  }
  const lines: Line[] = [];
  const printed = createInterface({ input: child.stdout });
  const reading = async (): Promise<void> => {
    for await (const text of printed) {
      const line = JSON.parse(text) as Line;
      lines.push(line);
      // Its first line: the stream is there.
      if (lines.length === 1)
        await local.admin('PUT', '/faults', { faults: [{ scope: 'grpc', kind: 'twobanks', times: 1 }] });
      if (line.abandoned !== undefined) break;
    }
  };
  await local.slotsUntil(reading());
  const { slot, bankId, confirmedBankId } = lines.at(-1)?.abandoned ?? {};
  const banks = lines.flatMap(({ blockMeta }) => (blockMeta?.slot === slot ? [blockMeta?.bankId] : []));
  assert.deepEqual(banks, [bankId, confirmedBankId]);
});
