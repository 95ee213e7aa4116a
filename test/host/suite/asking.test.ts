// Limits on language models and pasting in the real editor: a request leaves this machine only after a person agreed
// to its host and method, none goes from a workspace without trust, and a pasted curl command leaves its key behind.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import { answerDialogs } from './dialogs';
import { eventually, show } from './steps';

interface RunInput {
  readonly method: string;
  readonly params?: readonly unknown[];
  readonly endpoint?: string;
}

/** Caught as the extension hands them to the editor: this file is loaded before it does. */
const tools = new Map<string, vscode.LanguageModelTool<RunInput>>();
const lm = vscode.lm as { registerTool: typeof vscode.lm.registerTool };
const { registerTool } = lm;
lm.registerTool = (name, tool) => {
  tools.set(name, tool as vscode.LanguageModelTool<RunInput>);
  return registerTool(name, tool);
};

let pastes: vscode.DocumentPasteEditProvider | undefined;
const languages = vscode.languages as {
  registerDocumentPasteEditProvider: typeof vscode.languages.registerDocumentPasteEditProvider;
};
const { registerDocumentPasteEditProvider } = languages;
languages.registerDocumentPasteEditProvider = (selector, provider, metadata) => {
  pastes = provider;
  return registerDocumentPasteEditProvider(selector, provider, metadata);
};

const settings = () => vscode.workspace.getConfiguration('solanaRpc');
const text = ({ content }: vscode.LanguageModelToolResult): string =>
  // Behind the label.
  content
    .slice(1)
    .map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : ''))
    .join('');

/** As an agent does that asks through the editor. */
const ask = async (input: RunInput): Promise<string> =>
  text(await vscode.lm.invokeTool('solanaRpc_run', { input, toolInvocationToken: undefined }));

/** As a caller that never let the editor ask. */
async function invokeUnasked(input: RunInput): Promise<string> {
  const tool = tools.get('solanaRpc_run');
  const { token } = new vscode.CancellationTokenSource();
  const result = await tool?.invoke({ input, toolInvocationToken: undefined }, token);
  assert.ok(result, 'the tool answers');
  return text(result);
}

describe('a language model that sends to an endpoint of somebody else', () => {
  const bodies: string[] = [];
  const server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      bodies.push(body);
      const id = /"id":("[^"]*"|\d+)/.exec(body)?.[1] ?? '1';
      response.setHeader('content-type', 'application/json').end(`{"jsonrpc":"2.0","result":4711,"id":${id}}`);
    });
  });
  let host: string;

  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    // The path is the endpoint's own business; subscriptions go elsewhere.
    const remote = {
      name: 'remote',
      rpcUrl: `http://${host}/sol/of-no-concern`,
      wsUrl: 'wss://streams.example/sol',
      auth: { rpc: 'none' },
    };
    await settings().update('endpoints', [remote], vscode.ConfigurationTarget.Global);
    await show('### Slot\n{ "method": "getSlot" }\n');
    await eventually(() => tools.get('solanaRpc_run'));
  });
  after(async () => {
    await settings().update('endpoints', undefined, vscode.ConfigurationTarget.Global);
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => void bodies.splice(0));

  const SLOT: RunInput = { method: 'getSlot', endpoint: 'remote' };
  const SEND: RunInput = { method: 'sendTransaction', params: ['AAAA'], endpoint: 'remote' };

  it('lets the editor ask with the host and the method', async () => {
    const { token } = new vscode.CancellationTokenSource();
    const slots: RunInput = { method: 'slotSubscribe', endpoint: 'remote' };
    for (const [input, place] of [
      [SLOT, host],
      [SEND, host],
      [slots, 'streams.example'],
    ] as const) {
      const prepared = await tools.get('solanaRpc_run')?.prepareInvocation?.({ input }, token);
      assert.equal(prepared?.confirmationMessages?.title, `Send ${input.method} to ${place}?`);
      assert.equal(
        prepared.confirmationMessages.message,
        `A language model wants to send ${input.method} to ${place}.`,
      );
      // The confirmation above was for the next call, which is not made.
      const dialogs = answerDialogs([undefined]);
      await invokeUnasked({ ...input, params: ['other'] });
      dialogs.restore();
    }
    assert.equal(bodies.length, 0);
  });

  it('is asked by us where the editor did not, and sends nothing when it is declined', async () => {
    for (const input of [{ ...SLOT, params: [] }, SEND]) {
      const dialogs = answerDialogs([undefined]);
      assert.match(await invokeUnasked(input), /did not agree/);
      dialogs.restore();
      assert.deepEqual(dialogs.questions, [`Send ${input.method} to ${host}?`]);
    }
    assert.equal(bodies.length, 0);
  });

  it('sends once when it is accepted', async () => {
    const dialogs = answerDialogs(['Send']);
    assert.match(await invokeUnasked({ ...SLOT, params: [{}] }), /4711/);
    dialogs.restore();
    assert.equal(bodies.length, 1);
    assert.match(bodies[0] ?? '', /"method":"getSlot"/);
  });

  it('asks for each transaction itself, even if the editor already agreed', async () => {
    // Under a test the editor agrees to its own questions.
    for (const input of [SEND, { ...SEND, method: 'sendBundle' }]) {
      const declined = answerDialogs([undefined]);
      assert.match(await ask(input), /did not agree/);
      declined.restore();
      assert.equal(bodies.filter((body) => body.includes(input.method)).length, 0);
      const accepted = answerDialogs(['Send']);
      await ask(input);
      accepted.restore();
      assert.equal(bodies.filter((body) => body.includes(input.method)).length, 1);
    }
  });

  it('sends and reads nothing in a workspace that is not trusted', async () => {
    const trust = Object.getOwnPropertyDescriptor(vscode.workspace, 'isTrusted');
    assert.ok(trust);
    Object.defineProperty(vscode.workspace, 'isTrusted', { ...trust, get: () => false });
    try {
      await assert.rejects(invokeUnasked(SLOT), /not trusted/);
      for (const name of ['listMethods', 'validate', 'run'])
        await assert.rejects(
          Promise.resolve(
            vscode.lm.invokeTool(`solanaRpc_${name}`, {
              input: { ...SLOT, text: '' },
              toolInvocationToken: undefined,
            }),
          ),
          /not trusted/,
          name,
        );
    } finally {
      Object.defineProperty(vscode.workspace, 'isTrusted', trust);
    }
    assert.equal(bodies.length, 0);
  });
});

describe('a paste into a request file', () => {
  const KEY = 'a1b2c3d4e5f6a7b8c9d0';
  const CURL = `curl https://host.example/sol -H 'Authorization: Bearer ${KEY}' -d '{"method":"getSlot"}'`;

  /**
   * The extension's edit for pasted text, as the editor requests it on Ctrl+V; a browser under test has no key for that.
   * The command *Paste* is the editor's own way for text alone.
   */
  async function edited(content: string): Promise<string | undefined> {
    const document = await show('');
    const data = new vscode.DataTransfer();
    data.set('text/plain', new vscode.DataTransferItem(content));
    const context = { only: undefined, triggerKind: vscode.DocumentPasteTriggerKind.Automatic };
    const { token } = new vscode.CancellationTokenSource();
    const [edit] =
      (await pastes?.provideDocumentPasteEdits?.(document, [new vscode.Range(0, 0, 0, 0)], data, context, token)) ?? [];
    return edit === undefined || typeof edit.insertText !== 'string' ? undefined : edit.insertText;
  }

  async function pasted(content: string): Promise<string> {
    const document = await show('');
    await vscode.env.clipboard.writeText(content);
    await vscode.commands.executeCommand('editor.action.clipboardPasteAction');
    return eventually(() => (document.getText() === '' ? undefined : document.getText()));
  }

  it('of a curl command becomes a block, and its key is not in the text', async () => {
    const dialogs = answerDialogs([undefined]);
    const block = (await edited(CURL)) ?? '';
    await eventually(() => (dialogs.questions.length > 0 ? true : undefined));
    dialogs.restore();
    assert.match(block, /^### getSlot\nPOST https:\/\/host\.example\/sol\n/);
    assert.ok(!block.includes(KEY));
    assert.match(dialogs.questions.join(), /contained a key for host\.example/);
  });

  it('of anything else is that text', async () => {
    for (const content of ['### Slot\n{ "method": "getSlot" }\n', 'curly words', 'curl https://host.example']) {
      assert.equal(await edited(content), undefined);
      assert.equal(await pasted(content), content);
    }
  });
});
