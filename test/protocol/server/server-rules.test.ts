// The protocol's rules for a server besides its features: error codes, the order of a session, input that is not a message.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test, type TestContext } from 'node:test';
import { ErrorCodes, ResponseError } from 'vscode-jsonrpc/node';
import { startServer, type RunningServer, type StartOptions } from '../../support/lsp/serverProcess';

const FILE = 'file:///requests/rules.jsonrpc';
const textDocument = { uri: FILE };
const position = { line: 1, character: 14 };

async function serverOf(t: TestContext, options?: StartOptions): Promise<RunningServer> {
  const server = await startServer(options);
  t.after(() => server.stop());
  return server;
}

async function refusalOf(server: RunningServer, method: string, params?: unknown): Promise<ResponseError> {
  const answer: unknown = await server.connection.sendRequest(method, params).catch((error: unknown) => error);
  assert.ok(answer instanceof ResponseError, `${method} was answered: ${JSON.stringify(answer)}`);
  return answer;
}

describe('bad parameters', () => {
  const options = { tabSize: 2, insertSpaces: true };
  const place = { request: 'abc', run: 1 };
  const rows: readonly (readonly [method: string, params: unknown])[] = [
    ['textDocument/hover', {}],
    ['textDocument/hover', { textDocument }],
    ['textDocument/hover', { textDocument: { uri: 7 }, position }],
    ['textDocument/hover', { textDocument, position: { line: 'one', character: 0 } }],
    ['textDocument/hover', { textDocument, position: { line: -1, character: 0 } }],
    ['textDocument/completion', { textDocument: null, position }],
    ['textDocument/diagnostic', {}],
    ['textDocument/documentSymbol', { textDocument: 'a' }],
    ['textDocument/codeAction', { textDocument, range: { start: position }, context: { diagnostics: [] } }],
    ['textDocument/codeAction', { textDocument, range: { start: position, end: position } }],
    ['textDocument/formatting', { textDocument }],
    ['textDocument/rangeFormatting', { textDocument, options }],
    ['textDocument/onTypeFormatting', { textDocument, position, options, ch: 1 }],
    ['textDocument/references', { textDocument, position }],
    ['textDocument/rename', { textDocument, position }],
    ['textDocument/selectionRange', { textDocument, positions: [{}] }],
    ['textDocument/semanticTokens/range', { textDocument }],
    ['textDocument/inlayHint', { textDocument, range: 1 }],
    ['completionItem/resolve', { label: 5 }],
    ['workspace/symbol', {}],
    ['solanaRpc/execute', {}],
    ['solanaRpc/execute', { uri: FILE, version: '1' }],
    ['solanaRpc/blocks', { uri: FILE }],
    ['solanaRpc/copyAs', { uri: FILE, line: null }],
    ['solanaRpc/tableRows', place],
    ['solanaRpc/streamRows', { id: 'a', from: '0', count: 1, filter: '' }],
    ['solanaRpc/validate', [1]],
    ['solanaRpc/testKey', undefined],
  ];

  test('are answered with -32602 and a sentence', async (t) => {
    const server = await serverOf(t);
    await server.open(FILE, '### A\n{ "method": "getSlot" }\n');
    for (const [method, params] of rows) {
      const { code, message } = await refusalOf(server, method, params);
      const of = `${method} ${JSON.stringify(params)}: ${message}`;
      assert.equal(code, ErrorCodes.InvalidParams, of);
      assert.doesNotMatch(message, /Cannot read|undefined|not a function|not iterable|\[object/, of);
    }
  });
});

describe('the order of a session', () => {
  test('a request after shutdown is refused with -32600, and the process still ends with 0', async (t) => {
    const server = await serverOf(t);
    const gone = once(server.child, 'exit');
    await server.open(FILE, '### A\n{ "method": "getSlot" }\n');
    await server.connection.sendRequest('shutdown');
    for (const method of ['textDocument/hover', 'shutdown', 'solanaRpc/methods', 'no/such'])
      assert.equal((await refusalOf(server, method, { textDocument, position })).code, ErrorCodes.InvalidRequest);
    await server.connection.sendNotification('exit');
    assert.deepEqual(await gone, [0, null]);
  });

  test('a second initialize is refused with -32600', async (t) => {
    const server = await serverOf(t);
    const params = { processId: null, rootUri: null, capabilities: {} };
    assert.equal((await refusalOf(server, 'initialize', params)).code, ErrorCodes.InvalidRequest);
  });

  test('exit without shutdown ends the process with 1', async (t) => {
    const server = await serverOf(t);
    const gone = once(server.child, 'exit');
    await server.connection.sendNotification('exit');
    assert.deepEqual(await gone, [1, null]);
  });
});

describe('input that is not a message', () => {
  const framed = (text: string): string => `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
  const rows: Readonly<Record<string, string>> = {
    'JSON that ends early': framed('{"jsonrpc":"2.0","id":1,"method":'),
    'no JSON': framed('hello'),
    'a request nested too deep': framed(
      `{"jsonrpc":"2.0","id":7,"method":"workspace/executeCommand","params":{"command":"x","arguments":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`,
    ),
    'an empty body': framed(''),
    null: framed('null'),
    'a number': framed('7'),
    'a list of messages': framed('[{"jsonrpc":"2.0","id":1,"method":"shutdown"}]'),
    'an object that is neither request nor answer': framed('{"jsonrpc":"2.0"}'),
    'a cancellation of nothing': framed('{"jsonrpc":"2.0","method":"$/cancelRequest"}'),
    'a request without a usable id': framed('{"jsonrpc":"2.0","id":{},"method":"shutdown"}'),
    'an answer to no question': framed('{"jsonrpc":"2.0","id":77,"result":1}'),
    'a notification with wrong parameters': framed(
      '{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":null}}',
    ),
    'a header without a length': 'Content-Type: text/plain\r\n\r\n',
    'a length that is not a number': 'Content-Length: many\r\n\r\n',
  };
  for (const [what, bytes] of Object.entries(rows))
    test(`${what} does not end the session`, async (t) => {
      const server = await serverOf(t);
      await server.open(FILE, '### A\n{ "method": "getSlot" }\n');
      server.child.stdin?.write(bytes);
      assert.ok(await server.connection.sendRequest('textDocument/hover', { textDocument, position }));
      assert.equal(server.stderr(), '');
    });

  test('malformed JSON is answered with -32700 and the id null', async (t) => {
    const server = await serverOf(t);
    let answered: (text: string) => void = () => undefined;
    const answer = new Promise<string>((resolve) => (answered = resolve));
    server.child.stdout?.on('data', (part: Buffer) => /-32700/.test(part.toString()) && answered(part.toString()));
    server.child.stdin?.write(framed('{"jsonrpc":'));
    assert.match(await answer, /"id":null,"error":\{"code":-32700,/);
  });
});

describe('pushed diagnostics', () => {
  interface Pushed {
    readonly uri: string;
    readonly version?: number;
    readonly diagnostics: readonly { readonly code: string }[];
  }

  async function pushing(t: TestContext): Promise<{ server: RunningServer; pushed: Pushed[]; until: Until }> {
    const server = await serverOf(t, { capabilities: {} });
    const pushed: Pushed[] = [];
    let wake = (): void => undefined;
    server.connection.onNotification('textDocument/publishDiagnostics', (params: Pushed) => {
      pushed.push(params);
      wake();
    });
    const until: Until = async (holds) => {
      for (;;) {
        const found = pushed.find(holds);
        if (found !== undefined) return found;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    };
    return { server, pushed, until };
  }
  type Until = (holds: (one: Pushed) => boolean) => Promise<Pushed>;

  const change = (server: RunningServer, version: number, text: string): Promise<void> =>
    server.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri: FILE, version },
      contentChanges: [{ text }],
    });

  test('carry the version of the text they are about', async (t) => {
    const { server, until } = await pushing(t);
    await server.open(FILE, '### A\n{ "method": "getSlo" }\n');
    assert.equal((await until(({ diagnostics }) => diagnostics.length === 1)).version, 1);
    await change(server, 9, '### A\n{ "method": "getSlot" }\n');
    assert.equal((await until(({ diagnostics }) => diagnostics.length === 0)).version, 9);
  });

  test('of 3,000 changes in a row are bundled, and the last text is the one that is described', async (t) => {
    const { server, pushed, until } = await pushing(t);
    await server.open(FILE, '### A\n{ "method": "getSlot" }\n');
    const last = 3_001;
    for (let version = 2; version <= last; version++)
      await change(server, version, `### A\n{ "method": "getSlot${'x'.repeat(version % 7)}" }\n`);
    const { diagnostics } = await until(({ version }) => version === last);
    assert.equal(diagnostics.length, last % 7 === 0 ? 0 : 1);
    assert.ok(pushed.length <= 100, `${pushed.length} messages`);
  });

  test('of a file that was closed are taken back', async (t) => {
    const { server, pushed, until } = await pushing(t);
    await server.open(FILE, '### A\n{ "method": "getSlo" }\n');
    await until(({ diagnostics }) => diagnostics.length === 1);
    await change(server, 2, '### A\n{ "method": "getSl" }\n');
    await server.connection.sendNotification('textDocument/didClose', { textDocument });
    await until(({ diagnostics }) => diagnostics.length === 0);
    // Every message before this answer has been handled.
    await server.connection.sendRequest('textDocument/hover', { textDocument, position });
    assert.deepEqual(pushed.at(-1)?.diagnostics, []);
  });
});
