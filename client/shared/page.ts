// The page of a panel: its HTML with a policy that loads our own bundle and nothing else, and its messages, read before
// they are believed. Owns no panel: `attach` takes one the caller created or the editor restored.
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Reader } from '../../protocol/shapes';
import { fromPage, type ToPage } from '../../protocol/webview';
import { pageHtml } from './html';

export interface PageDeps {
  readonly extensionUri: vscode.Uri;
  readonly log: vscode.LogOutputChannel;
}

export interface PageMessages<Ask, Command> {
  /** The first message to the page; requested again when the page is reloaded. */
  readonly hello: () => unknown;
  /** The page's requests; absent: it sends none. Invalid messages are refused and logged once. */
  readonly asks?: { readonly shape: Reader<Ask>; readonly answer: (ask: Ask) => Promise<unknown> };
  readonly command: Reader<Command>;
  /** An error is logged. */
  readonly onCommand: (command: Command) => unknown;
}

export interface PageOptions<Ask, Command> extends PageDeps, PageMessages<Ask, Command> {
  /** The bundle's name: `dist/webview/NAME.js` and `.css`. */
  readonly name: string;
}

export interface PanelPage {
  /** Notifies the page. What is posted before it listens, or while it is hidden, is lost: the caller posts it again. */
  post(body: unknown): void;
}

/** Fills a panel's or a view's page and serves it until it is gone. */
export function attach<Ask, Command>(webview: vscode.Webview, options: PageOptions<Ask, Command>): PanelPage {
  const folder = vscode.Uri.joinPath(options.extensionUri, 'dist', 'webview');
  webview.options = { enableScripts: true, localResourceRoots: [folder], enableForms: false };
  let isListening = false;
  let isLogged = false;
  const post = (message: ToPage): void => void webview.postMessage(message);
  const refuse = (): void => {
    if (!isLogged) options.log.warn(`The page ${options.name} sent a message that is not its own; it is ignored.`);
    isLogged = true;
  };
  const logError = (error: unknown): void =>
    options.log.error(`${options.name}: ${error instanceof Error ? error.message : 'failed'}`);
  const onCommand = async (command: Command): Promise<void> => {
    try {
      await options.onCommand(command);
    } catch (error) {
      logError(error);
    }
  };
  const onAsk = async (id: number, body: unknown): Promise<void> => {
    const { asks } = options;
    const ask = asks?.shape(body);
    if (asks === undefined || ask === undefined) {
      refuse();
      post({ kind: 'refused', id });
      return;
    }
    try {
      post({ kind: 'answer', id, body: await asks.answer(ask) });
    } catch (error) {
      logError(error);
      post({ kind: 'refused', id });
    }
  };
  webview.onDidReceiveMessage((received: unknown) => {
    const message = fromPage(received);
    switch (message?.kind) {
      case 'ready':
        isListening = true;
        post({ kind: 'hello', words: vscode.l10n.bundle ?? {}, body: options.hello() });
        break;
      case 'ask':
        void onAsk(message.id, message.body);
        break;
      case 'notify': {
        const command = options.command(message.body);
        if (command === undefined) refuse();
        else void onCommand(command);
        break;
      }
      case undefined:
        refuse();
    }
  });
  webview.html = htmlOf(webview, folder, options.name);
  return {
    post: (body) => {
      if (isListening) post({ kind: 'notify', body });
    },
  };
}

function htmlOf(webview: vscode.Webview, folder: vscode.Uri, name: string): string {
  const source = (file: string): string => webview.asWebviewUri(vscode.Uri.joinPath(folder, file)).toString();
  return pageHtml({
    styles: webview.cspSource,
    nonce: randomBytes(16).toString('base64'),
    language: vscode.env.language,
    scriptUrl: source(`${name}.js`),
    styleUrl: source(`${name}.css`),
  });
}
