// Formatting, names, signatures, tokens and hints of the built server, asked as an editor asks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_SETTINGS } from '../../../protocol/settings';
import { startServer } from '../../support/lsp/serverProcess';

const LIB = 'file:///requests/lib.jsonrpc';
const FILE = 'file:///requests/use.jsonrpc';
const TEXT = '@a=1\n### A\n# @name q\n{"method":"requestAirdrop","params":["{{a}}",1500000000]}\n';

test('the server offers exactly the editing features it answers', async (t) => {
  const server = await startServer();
  t.after(() => server.stop());
  await server.open(FILE, TEXT);
  const textDocument = { uri: FILE };
  const options = { tabSize: 2, insertSpaces: true };
  const position = { line: 3, character: 40 };
  const range = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };
  const rows: readonly (readonly [provider: string, method: string, params: object, answer: RegExp])[] = [
    ['documentFormattingProvider', 'textDocument/formatting', { options }, /"@a = 1"/],
    ['documentRangeFormattingProvider', 'textDocument/rangeFormatting', { options, range }, /"@a = 1"/],
    [
      'documentOnTypeFormattingProvider',
      'textDocument/onTypeFormatting',
      { options, ch: '\n', position: { line: 1, character: 0 } },
      /"@a = 1"/,
    ],
    ['definitionProvider', 'textDocument/definition', { position }, /"line":0,"character":1/],
    ['referencesProvider', 'textDocument/references', { position, context: { includeDeclaration: true } }, /"line":3/],
    ['documentHighlightProvider', 'textDocument/documentHighlight', { position }, /"line":3/],
    ['renameProvider', 'textDocument/rename', { position, newName: 'b' }, /"newText":"b".*"newText":"b"/],
    ['renameProvider', 'textDocument/prepareRename', { position }, /"line":3/],
    ['signatureHelpProvider', 'textDocument/signatureHelp', { position }, /requestAirdrop\(/],
    ['semanticTokensProvider', 'textDocument/semanticTokens/full', {}, /"data":\[\d/],
    ['semanticTokensProvider', 'textDocument/semanticTokens/range', { range }, /"data":\[\d/],
    ['selectionRangeProvider', 'textDocument/selectionRange', { positions: [position] }, /"parent"/],
    ['inlayHintProvider', 'textDocument/inlayHint', { range }, /1\.5 SOL/],
    ['documentLinkProvider', 'textDocument/documentLink', {}, /solana\.com/],
    ['workspaceSymbolProvider', 'workspace/symbol', { query: 'a' }, /"name":"a"/],
  ];
  for (const [provider, method, params, answer] of rows) {
    assert.ok(server.capabilities[provider] !== undefined, provider);
    const answered = await server.connection.sendRequest(method, { textDocument, ...params });
    assert.match(JSON.stringify(answered), answer, method);
  }
});

test('a rename that cannot be done is answered with its reason', async (t) => {
  const server = await startServer();
  t.after(() => server.stop());
  await server.open(FILE, TEXT);
  const asked = server.connection.sendRequest('textDocument/rename', {
    textDocument: { uri: FILE },
    position: { line: 0, character: 1 },
    newName: 'no name',
  });
  await assert.rejects(asked, /A name is letters/);
});

test('settings of the window turn hints off', async (t) => {
  const off = ['lamports', 'units', 'addresses', 'defaults'].map((name) => [`inlayHints.${name}`, false] as const);
  const server = await startServer({
    window: { settings: { ...DEFAULT_SETTINGS, ...Object.fromEntries(off) } },
  });
  t.after(() => server.stop());
  await server.open(LIB, TEXT);
  const range = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };
  assert.deepEqual(
    await server.connection.sendRequest('textDocument/inlayHint', { textDocument: { uri: LIB }, range }),
    [],
  );
});
