// Messages that an injected script may post, from a real webview to the real extension side of a page: all are
// ignored and logged once, a malformed question is refused, and the page's own messages still count.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { attach } from '../../../client/shared/page';
import { bodyAsk, bodyCommand, type BodyAsk, type BodyCommand } from '../../../protocol/responsePanels';
import { eventually } from './steps';

/** Posted by the page, one after the other: no envelope, or one around no message of the page. */
const HOSTILE = `[
  undefined, null, 7, 'save', [], {}, { kind: 'hello', body: {} }, { kind: ['ready'] }, { kind: 'notify' },
  { kind: 'ask', body: { kind: 'page', from: 0, count: 1 } }, { kind: 'ask', id: 2 ** 53, body: {} },
  { kind: 'ask', id: '1', body: { kind: 'page', from: 0, count: 1 } },
  { kind: 'notify', body: { kind: 'executeCommand', command: 'workbench.action.quit' } },
  { kind: 'notify', body: { kind: ['save'] } }, { kind: 'notify', body: { kind: 'copy', text: 7 } },
  { kind: 'notify', body: { kind: 'copy', text: 'x'.repeat(5e6) } },
  { kind: 'ask', id: 1, body: { kind: 'rows' } }, { kind: 'ask', id: 2, body: { kind: 'page', from: -1, count: 1 } },
  { kind: 'ask', id: 3, body: { kind: 'search', text: 'x'.repeat(5e6), from: 0, limit: 1 } },
]`;

/** Says what it was answered by copying it: what a page may ask for anyway. */
const PAGE = `<!doctype html><script>
  const { postMessage } = acquireVsCodeApi();
  addEventListener('message', ({ data }) => {
    if (data.kind === 'refused' || data.kind === 'answer')
      postMessage({ kind: 'notify', body: { kind: 'copy', text: data.kind + ' ' + data.id } });
  });
  for (const message of ${HOSTILE}) postMessage(message);
  postMessage({ kind: 'ask', id: 4, body: { kind: 'page', from: 0, count: 1 } });
</script>`;

describe('a page whose script is hostile', () => {
  it('is ignored in all it posts, logged once, and refused in what it asks', async () => {
    const warnings: string[] = [];
    const asks: BodyAsk[] = [];
    const commands: BodyCommand[] = [];
    const panel = vscode.window.createWebviewPanel('solanaRpc.hostile', 'hostile', vscode.ViewColumn.One);
    attach(panel.webview, {
      name: 'body',
      extensionUri: panel.webview.asWebviewUri(vscode.Uri.file('/')),
      log: { warn: (text: string) => void warnings.push(text) } as unknown as vscode.LogOutputChannel,
      hello: () => ({}),
      asks: {
        shape: bodyAsk,
        answer: (ask) => {
          asks.push(ask);
          return Promise.resolve('answer');
        },
      },
      command: bodyCommand,
      onCommand: (command) => void commands.push(command),
    });
    panel.webview.html = PAGE;
    await eventually(() => (commands.length >= 4 ? true : undefined));
    panel.dispose();
    assert.deepEqual(commands.map((command) => (command.kind === 'copy' ? command.text : command.kind)).sort(), [
      'answer 4',
      'refused 1',
      'refused 2',
      'refused 3',
    ]);
    assert.deepEqual(asks, [{ kind: 'page', from: 0, count: 1 }]);
    assert.deepEqual(warnings, ['The page body sent a message that is not its own; it is ignored.']);
  });
});
