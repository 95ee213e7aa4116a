// Send Again of the History: the request of a kept response is found again by its name or title, and runs as it ran then.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { sendAgain as SendAgain, SentPlace } from '../../../client/runs/goToRequest';
import type { StartOptions } from '../../../client/runs/runs';
import { parseDocument } from '../../../core/requests/document/document';
import { blocksOf } from '../../../core/requests/language/features/structure';
import { STANDARD_METHODS } from '../../../core/requests/methods/index';
import type { ExecuteOutcome } from '../../../protocol/lsp';
import { loadOver } from '../../support/editor/fakeVscode';

const FILE = 'file:///project/pay.jsonrpc';
const TEXT = `### Slot
{ "method": "getSlot" }

### Pay
{ "method": "sendTransaction", "params": ["AQ=="] }

### Pay a friend
# @name friend
{ "method": "sendTransaction", "params": ["AQ=="] }

### Pay (twice)
{ "method": "sendTransaction", "params": ["AQ=="] }
`;

const said: string[] = [];
const document = { uri: { toString: () => FILE }, getText: () => TEXT };
const editor = {
  l10n: { t: (text: string) => text },
  Uri: { parse: () => ({ scheme: 'file' }) },
  window: { showInformationMessage: (text: string) => void said.push(text) },
  workspace: { textDocuments: [document] },
};

const { sendAgain } = loadOver<{ readonly sendAgain: typeof SendAgain }>(
  editor,
  '../../../client/runs/goToRequest',
  __filename,
);

/** The line and the variant that run, or the words to the user where nothing does. */
async function again(sent: Omit<SentPlace, 'uri'> & Pick<ExecuteOutcome, 'variant'>): Promise<unknown> {
  said.length = 0;
  const started: (readonly [number | undefined, StartOptions['variant']])[] = [];
  const found = blocksOf(parseDocument(FILE, 0, TEXT), STANDARD_METHODS);
  const server = { sendRequest: () => Promise.resolve(found) } as unknown as LanguageClient;
  const runs = {
    start: (_document: unknown, line: number | undefined, { variant }: StartOptions = {}) => {
      started.push([line, variant]);
      return Promise.resolve();
    },
  };
  await sendAgain(() => Promise.resolve(server), runs, { uri: FILE, ...sent });
  return started[0] ?? said[0];
}

const simulation = { kind: 'simulation' } as const;
const elsewhere = { kind: 'endpoint', name: 'mainnet' } as const;

test('a request is sent as its file has it', async () => {
  assert.deepEqual(await again({ title: 'Pay', line: 3 }), [3, undefined]);
  assert.deepEqual(await again({ title: 'friend', line: 30 }), [6, undefined]);
});

test('what was simulated is simulated again, and never sent', async () => {
  assert.deepEqual(await again({ title: 'Pay (simulated)', block: 'Pay', variant: simulation, line: 3 }), [
    3,
    simulation,
  ]);
  const named = { title: 'Pay a friend (simulated)', block: 'Pay a friend', variant: simulation, line: 6 };
  assert.deepEqual(await again(named), [6, simulation]);
});

test('what was compared goes to the same endpoint, which asks before it sends a transaction', async () => {
  assert.deepEqual(await again({ title: 'Pay (mainnet)', block: 'Pay', variant: elsewhere, line: 3 }), [3, elsewhere]);
});

test('a row of a list sends its request', async () => {
  assert.deepEqual(await again({ title: 'Slot [2]', block: 'Slot', line: 0 }), [0, undefined]);
});

test('what an earlier version kept of a simulation sends nothing', async () => {
  assert.match(String(await again({ title: 'Pay (simulated)', line: 3 })), /no longer in its file/);
});
