// Five providers in the real editor, each under its own host name and in exactly its form: its address is pasted, its key
// tested, requests go over every interface, the key is rotated. Then every place a key could have been left in is searched.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, mkdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openEditor, type Editor } from '../../support/editor/editor';
import { statusSays } from '../../support/editor/statusMessages';
import { DUMP_STORAGE } from '../../support/editor/storage';
import { tooltipOf } from '../../support/editor/tooltip';
import type { Workbench } from '../../support/editor/workbench';
import { assertNoLeak, filesBelow, filesWith } from '../../support/process/leaks';
import { startDoubles, type Doubles, type Form, type Refusal } from '../../support/wire/providers';

const BLOCKS = {
  http: '### Slot\n{ "method": "getSlot" }\n?? result == 1\n',
  ws: '### Slots\n# @until 1 messages or 20s\n{ "method": "slotSubscribe" }\n?? messages[0].slot == 2\n',
  grpc: '### Version\nGRPC geyser.Geyser/GetVersion\n?? result.version == "1.2.3"\n',
  send: '### Send\n{ "method": "sendTransaction", "params": ["AA==", { "encoding": "base64", "skipPreflight": true, "maxRetries": 0 }] }\n',
  swqos:
    '### Send\nSWQOS\n{ "method": "sendTransaction", "params": ["AA==", { "encoding": "base64", "skipPreflight": true, "maxRetries": 0 }] }\n',
} as const;

interface Row {
  /** The endpoint's name and its file's. */
  readonly name: string;
  readonly address: (key: string) => string;
  /** The forms that a request with this key has. */
  readonly forms: (key: string) => readonly Form[];
  readonly blocks: readonly (keyof typeof BLOCKS)[];
  readonly refusal: Refusal;
  /** The addresses as the settings have them. */
  readonly profile: Readonly<Record<string, unknown>>;
}

const encoded = encodeURIComponent;
const over = (kind: Form['kind'], host: string, where: string, headers: Form['headers'] = {}): Form => ({
  kind,
  host,
  path: where,
  headers,
});
const pair = (host: string, where: string, ws = where): readonly Form[] => [
  over('http', host, where),
  over('ws', host, ws),
];
const rpcError = (code: number, message: string): string =>
  `{"jsonrpc":"2.0","error":{"code":${code},"message":"${message}","data":{got}},"id":1}`;

const QUICKNODE = 'blue-moon.solana-mainnet.quiknode.pro';
const TRITON = 'team.mainnet.rpcpool.com';
const ALCHEMY = 'solana-mainnet.g.alchemy.com';
const LASERSTREAM = 'laserstream-mainnet-ewr.helius-rpc.com';

const ROWS: readonly Row[] = [
  {
    name: 'helius',
    address: (key) => `https://mainnet.helius-rpc.com/?api-key=${encoded(key)}`,
    forms: (key) => [
      ...pair('mainnet.helius-rpc.com', `/?api-key=${encoded(key)}`),
      over('grpc', LASERSTREAM, '', { 'x-token': key }),
      over('http', 'sender.helius-rpc.com', '/fast'),
    ],
    blocks: ['http', 'ws', 'grpc', 'swqos'],
    refusal: { status: 401, body: rpcError(-32401, 'Unauthorized: missing api key') },
    profile: {
      rpcUrl: 'https://mainnet.helius-rpc.com/?api-key={key}',
      wsUrl: 'wss://mainnet.helius-rpc.com/?api-key={key}',
      grpcUrl: `https://${LASERSTREAM}`,
      swqosUrl: 'https://sender.helius-rpc.com/fast',
      auth: { grpc: 'header:x-token', swqos: 'none' },
    },
  },
  {
    name: 'quicknode',
    address: (key) => `https://${QUICKNODE}/${encoded(key)}/`,
    forms: (key) => [
      ...pair(QUICKNODE, `/${encoded(key)}/`),
      over('grpc', `${QUICKNODE}:10000`, '', { 'x-token': key }),
    ],
    blocks: ['http', 'ws', 'grpc', 'send'],
    refusal: { status: 401, body: rpcError(-32009, 'Invalid token in the path') },
    profile: {
      rpcUrl: `https://${QUICKNODE}/{key}/`,
      wsUrl: `wss://${QUICKNODE}/{key}/`,
      grpcUrl: `https://${QUICKNODE}:10000`,
      auth: { grpc: 'header:x-token' },
    },
  },
  {
    name: 'alchemy',
    address: (key) => `${ALCHEMY}/v2/${encoded(key)}`,
    forms: (key) => [...pair(ALCHEMY, `/v2/${encoded(key)}`), over('grpc', ALCHEMY, '', { 'x-token': key })],
    blocks: ['http', 'ws', 'grpc', 'send'],
    refusal: { status: 401, body: rpcError(-32600, 'Must be authenticated!') },
    profile: {
      rpcUrl: `https://${ALCHEMY}/v2/{key}`,
      wsUrl: `wss://${ALCHEMY}/v2/{key}`,
      grpcUrl: `https://${ALCHEMY}`,
      auth: { grpc: 'header:X-Token' },
    },
  },
  {
    name: 'triton',
    address: (key) => `wss://${TRITON}/${encoded(key)}`,
    forms: (key) => [...pair(TRITON, `/${encoded(key)}`), over('grpc', TRITON, '', { 'x-token': key })],
    blocks: ['http', 'ws', 'grpc', 'send'],
    refusal: { status: 403, body: '{"error":"Access forbidden","got":{got}}' },
    profile: {
      rpcUrl: `https://${TRITON}/{key}`,
      wsUrl: `wss://${TRITON}/{key}`,
      grpcUrl: `https://${TRITON}`,
      auth: { grpc: 'header:x-token' },
    },
  },
  {
    name: 'drpc',
    address: (key) => `https://lb.drpc.org/ogrpc?network=solana&dkey=${encoded(key)}`,
    forms: (key) =>
      pair('lb.drpc.org', `/ogrpc?network=solana&dkey=${encoded(key)}`, `/ogws?network=solana&dkey=${encoded(key)}`),
    blocks: ['http', 'ws', 'send'],
    refusal: { status: 403, body: '{"message":"token is invalid","code":4,"got":{got}}' },
    profile: {
      rpcUrl: 'https://lb.drpc.org/ogrpc?network=solana&dkey={key}',
      wsUrl: 'wss://lb.drpc.org/ogws?network=solana&dkey={key}',
    },
  },
];

/** Keys of each provider: one pasted first, another that it refuses, and the rotated one; URLs have to encode them. */
const keysOf = ({ name }: Row) => ({
  first: `3f7a9c1e-5b2d+48f6/${name}=e8b1c2`,
  wrong: `ffff0000-1111+2222/${name}=444455`,
  second: `d1c2b3a4-9e8f+7a6b/${name}=3e2f41`,
});
const SECRETS = ROWS.flatMap((row) => Object.values(keysOf(row)));
const file = ({ name }: Row): string => `${name}.jsonrpc`;

describe('five providers in the editor', () => {
  let doubles: Doubles;
  let editor: Editor;
  let bench: Workbench;
  let temporary: string;
  /** Responses in the history. */
  let kept = 0;

  before(async () => {
    const hosts = ROWS.flatMap(({ forms }) => forms('key').map(({ host }) => host));
    doubles = await startDoubles([...new Set(hosts)]);
    temporary = await mkdtemp(path.join(os.tmpdir(), 'workbench-providers-'));
    await mkdir(path.join(temporary, 'tmp'));
    const { HTTPS_PROXY = '', NODE_EXTRA_CA_CERTS = '' } = doubles.env;
    editor = await openEditor({
      tooltips: true,
      files: Object.fromEntries(
        ROWS.map((row) => [
          file(row),
          [`# @endpoint ${row.name}\n`, ...row.blocks.map((one) => BLOCKS[one])].join('\n'),
        ]),
      ),
      settings: { 'http.proxy': HTTPS_PROXY, 'solanaRpc.trace.server': 'verbose' },
      env: { NODE_EXTRA_CA_CERTS, TMPDIR: path.join(temporary, 'tmp') },
    });
    bench = editor.workbench;
    await bench.openContainer('Solana RPC');
  });
  after(async () => {
    await editor?.close();
    await doubles?.close();
    await rm(temporary, { recursive: true, force: true });
  });

  const picture = async (row: Row, step: string): Promise<void> => {
    if (row === ROWS[0]) await bench.screenshot(`provider-${step}`);
  };

  const add = async (row: Row): Promise<void> => {
    await bench.runCommand('Solana RPC: Add Endpoint');
    await bench.quickInput.title('Add endpoint: where is it?').waitFor();
    await bench.quickInput.fill(row.address(keysOf(row).first));
    await picture(row, 'address');
    await bench.quickInput.input.press('Enter');
    await bench.quickInput.title('Add endpoint: its name').waitFor();
    await picture(row, 'name');
    await bench.quickInput.answer(row.name);
    await bench.quickInput.title('A label for this key').waitFor();
    await picture(row, 'label');
    await statusSays(bench, /RPC key stored for/, () => bench.quickInput.answer(row.name));
    await picture(row, 'keys');
  };

  const ownSettings = (): string => {
    const found = [...filesBelow(editor.profileFolder)].find(
      (one) => one.endsWith('settings.json') && readFileSync(one, 'utf8').includes('solanaRpc.endpoints'),
    );
    return found === undefined ? '' : readFileSync(found, 'utf8');
  };

  /** Sends the whole file, and waits until each of its interfaces was asked in its form and every block is good. */
  const sendAll = async (row: Row, key: string): Promise<void> => {
    doubles.serve(row.forms(key), row.refusal);
    await bench.runCommandIn(file(row), 'Solana RPC: Send All Requests in File');
    const wanted = row.blocks.map((block) => (block === 'swqos' ? 'send' : block));
    await bench.until(`${row.name} was asked over ${wanted.join()}`, async () => {
      const kinds = new Set(doubles.seen.map(({ kind, body }) => (body.includes('"sendTransaction"') ? 'send' : kind)));
      return wanted.every((kind) => kinds.has(kind)) ? true : undefined;
    });
    kept += row.blocks.length;
    await bench.treeItem('History', `Today, ${kept} responses`).waitFor();
    assert.equal(await bench.statusItem(/^Errors: [1-9]/).count(), 0);
    assert.equal(await bench.lens(/^✗ /).count(), 0);
    assertOnlyForms(row, key);
  };

  const assertOnlyForms = (row: Row, key: string): void => {
    assert.deepEqual(
      doubles.seen.filter(({ accepted }) => !accepted),
      [],
    );
    const places = new Set(row.forms(key).map(({ host }) => (host.includes(':') ? host : `${host}:443`)));
    for (const place of doubles.connected) assert.ok(places.has(place), place);
  };

  /** The list of keys says the icon first, then the label and the endpoint, which are the same here. */
  const keyRow = ({ name }: Row): RegExp => new RegExp(`^key RPC key, ${name} · ${name}$`);

  const testKey = async (row: Row): Promise<void> => {
    const before = doubles.seen.length;
    await statusSays(bench, /The service accepts this key\./, () =>
      bench.runCommandAndPick('Solana RPC: Test Key', keyRow(row)),
    );
    assert.ok(doubles.seen.length > before);
  };

  const rotate = async (row: Row): Promise<void> => {
    const { wrong, second } = keysOf(row);
    doubles.serve(row.forms(second), row.refusal);
    await bench.runCommandAndPick('Solana RPC: Rotate Key', keyRow(row));
    await bench
      .dialog(`Rotate the RPC key “${row.name}” of ${row.name}?`)
      .getByRole('button', { name: 'Continue', exact: true })
      .click();
    await bench.quickInput.title(`RPC key for ${row.name}`).waitFor();
    assert.equal(await bench.quickInput.isPassword(), true);
    await bench.quickInput.answer(wrong);
    const refused = bench.dialog('The service refused this key as unknown. The old key is still in place.');
    await refused.waitFor();
    await picture(row, 'refused');
    assertNoLeak(await refused.innerText(), SECRETS, 'the question');
    await refused.getByRole('button', { name: 'Enter It Again', exact: true }).click();
    await bench.quickInput.title(`RPC key for ${row.name}`).waitFor();
    await statusSays(bench, /Rotated/, () => bench.quickInput.answer(second));
    await picture(row, 'rotated');
  };

  for (const row of ROWS)
    test(`${row.name}: pasted, tested, asked over every interface, rotated`, async () => {
      const { first, second } = keysOf(row);
      doubles.serve(row.forms(first), row.refusal);
      await add(row);
      assertOnlyForms(row, first);
      const settings = await bench.until('the settings have the endpoint', async () =>
        ownSettings().includes(`"name": "${row.name}"`) ? ownSettings() : undefined,
      );
      const { 'solanaRpc.endpoints': endpoints = [] } = JSON.parse(settings) as {
        readonly 'solanaRpc.endpoints'?: readonly { readonly name: string }[];
      };
      assert.deepEqual(
        endpoints.find(({ name }) => name === row.name),
        { name: row.name, ...row.profile },
      );
      await testKey(row);
      await sendAll(row, first);
      await picture(row, 'answers');
      await rotate(row);
      await sendAll(row, second);
      await testKey(row);
      await bench.closeEditors();
    });

  test('no key is on the screen, in a tooltip, or in the window’s own storage but sealed', async () => {
    await tooltipOf(bench, bench.treeItem('Endpoints', /^RPC key, /).first(), /Goes only to/);
    await bench.screenshot('provider-all-keys');
    assertNoLeak(await bench.page.content(), SECRETS, 'the window');
    const stored = await bench.page.evaluate<string>(DUMP_STORAGE);
    assert.match(stored, /solanaRpc/);
    assertNoLeak(stored, SECRETS, 'the window’s storage');
  });

  test('no key is on disk in any spelling: workspace, settings, storage, responses, logs, temporary files', () => {
    const folders = [editor.workspace, editor.profileFolder, path.join(temporary, 'tmp')];
    const files = folders.flatMap((folder) => [...filesBelow(folder)]);
    for (const wanted of [/settings\.json$/, /responses\/[0-9a-f]+-\d+\.json$/, /Solana RPC\.log$/, /exthost.*\.log$/])
      assert.ok(
        files.some((one) => wanted.test(one)),
        String(wanted),
      );
    assert.deepEqual(
      folders.flatMap((folder) => filesWith(folder, SECRETS)),
      [],
    );
  });

  test('nothing else was asked for: neither past the proxy nor by the window', () => {
    assert.deepEqual(editor.strayRequests, []);
  });
});
