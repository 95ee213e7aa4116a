// The panels of responses: one table and one viewer for each run, revealed again if already open, and restored with the window.
// The pages ask; the server has the responses; nothing of them stays here.
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { ResponsePlace } from '../../protocol/lsp';
import {
  responsePage,
  responseSearch,
  tableCsv,
  tableItem,
  tableOpen,
  tableRows,
  type TableCsvParams,
} from '../../protocol/responses';
import {
  bodyAsk,
  bodyCommand,
  copyCommand,
  itemAnswer,
  responseHello,
  tableAsk,
  type BodyAnswer,
  type BodyAsk,
  type BodyCommand,
  type CopyCommand,
  type ResponseHello,
  type ResponseUpdate,
  type RunPlace,
  type TableAnswer,
  type TableAsk,
} from '../../protocol/responsePanels';
import { SCHEME, type Responses } from './responses';
import { plain } from '../shared/words';
import { cancellable } from '../shared/cancellable';
import { openWithResponse } from '../shared/editorGroups';
import type { PageDeps } from '../shared/page';
import { Panels } from '../shared/panels';
import { askWhere } from '../shared/saving';

export interface ResponsePanelDeps extends PageDeps {
  readonly responses: Responses;
  /** The running server, started where it is not. */
  readonly server: () => Promise<LanguageClient>;
}

type Name = 'table' | 'body';

/** Text of an item in a list of items: what a row can show. UTF-16 units. */
const ROW_TEXT = 400;

export class ResponsePanels implements vscode.Disposable {
  readonly #panels: Readonly<{
    table: Panels<ResponseHello, TableAsk, CopyCommand>;
    body: Panels<ResponseHello, BodyAsk, BodyCommand>;
  }>;
  readonly #subscription: vscode.Disposable;
  readonly #cancelled = new vscode.EventEmitter<RunPlace>();

  /** Fires with the run of a response that the user wants cancelled. */
  readonly onDidCancel = this.#cancelled.event;

  constructor(private readonly deps: ResponsePanelDeps) {
    const common = {
      ...deps,
      key: ({ place }: ResponseHello): string => keyOf(place),
      restore: (state: unknown): ResponseHello | undefined => responseHello(state),
    };
    this.#panels = {
      table: new Panels({
        ...common,
        name: 'table',
        type: 'solanaRpc.table',
        serve: ({ content: hello }) => ({
          hello: () => hello,
          asks: { shape: tableAsk, answer: (ask) => this.#answerTable(hello, ask) },
          command: copyCommand,
          onCommand: copy,
        }),
      }),
      body: new Panels({
        ...common,
        name: 'body',
        type: 'solanaRpc.body',
        serve: ({ content: hello }) => ({
          hello: () => hello,
          asks: { shape: bodyAsk, answer: (ask) => this.#answerBody(hello.place, ask) },
          command: bodyCommand,
          onCommand: (command) => this.#onCommand(hello, command),
        }),
      }),
    };
    this.#subscription = deps.responses.onDidChangeFile((changes) => {
      for (const { uri } of changes) {
        const run = /^run=(\d+)$/.exec(uri.query)?.[1];
        if (uri.scheme === SCHEME && run !== undefined) this.changed({ request: uri.authority, run: Number(run) });
      }
    });
  }

  dispose(): void {
    const { table, body } = this.#panels;
    for (const each of [table, body, this.#subscription, this.#cancelled]) each.dispose();
  }

  /** Shows a response next to the active editor; `isQuiet` leaves the focus where it is. */
  show(name: Name, hello: ResponseHello, isQuiet = false): void {
    const panels = this.#panels[name];
    const known = panels.of(keyOf(hello.place));
    if (known !== undefined) {
      known.panel.reveal(undefined, isQuiet);
      return;
    }
    const title = name === 'table' ? vscode.l10n.t('{0}: table', plain(hello.title)) : plain(hello.title);
    const request = hello.run === undefined ? undefined : vscode.Uri.parse(hello.run.uri, true);
    const open = async (viewColumn: vscode.ViewColumn): Promise<void> =>
      panels.open(hello, title, { viewColumn, preserveFocus: isQuiet });
    void openWithResponse(request, open, isQuiet);
  }

  /** Whether a viewer of this response is open. */
  isShown(name: Name, place: ResponsePlace): boolean {
    return this.#panels[name].of(keyOf(place)) !== undefined;
  }

  /** Notifies the pages of a response that it has grown or is complete. */
  changed(place: ResponsePlace): void {
    const update: ResponseUpdate = { kind: 'changed' };
    for (const panels of Object.values(this.#panels)) panels.of(keyOf(place))?.post(update);
  }

  async #answerTable({ place, title }: ResponseHello, ask: TableAsk): Promise<TableAnswer> {
    if (ask.kind === 'csv') {
      await this.#saveCsv(title, { ...place, ...ask });
      return { kind: 'done' };
    }
    const client = await this.deps.server();
    switch (ask.kind) {
      case 'open':
        return client.sendRequest(tableOpen, { ...place, ...ask });
      case 'rows':
        return client.sendRequest(tableRows, { ...place, ...ask });
      case 'item':
        return itemAnswer(await client.sendRequest(tableItem, { ...place, ...ask }));
    }
  }

  async #answerBody(place: ResponsePlace, ask: BodyAsk): Promise<BodyAnswer> {
    const client = await this.deps.server();
    switch (ask.kind) {
      case 'item':
        return itemAnswer(await client.sendRequest(tableItem, { ...place, ...ask }));
      case 'search':
        return client.sendRequest(responseSearch, { ...place, ...ask });
      case 'page': {
        const page = await client.sendRequest(responsePage, { ...place, ...ask });
        if (page.kind !== 'page') return page;
        const items = page.items.map(({ index, text, isCut }) => ({
          index,
          text: text.slice(0, ROW_TEXT),
          isCut: isCut || text.length > ROW_TEXT,
        }));
        return { ...page, items };
      }
    }
  }

  #onCommand({ place, run, title }: ResponseHello, command: BodyCommand): unknown {
    const uri = vscode.Uri.from({ scheme: SCHEME, authority: place.request, path: '/', query: `run=${place.run}` });
    switch (command.kind) {
      case 'copy':
        return copy(command);
      case 'cancel':
        return run && this.#cancelled.fire(run);
      case 'openTable':
        // Also while it comes in, when nothing is known of it but its place.
        return this.show('table', { place, title });
      case 'openInFull':
        return vscode.commands.executeCommand('solanaRpc.openInFull', uri);
      case 'save':
        return vscode.commands.executeCommand('solanaRpc.saveResponse', uri);
    }
  }

  /** Asks where to, lets the server write all rows, and puts the file there. */
  async #saveCsv(title: string, params: TableCsvParams): Promise<void> {
    const name = `${title.replace(/[^\p{L}\p{N} ._-]+/gu, ' ').trim() || 'table'}.csv`;
    const target = await askWhere(name, vscode.l10n.t('Export table'), { CSV: ['csv'] });
    if (target === undefined) return;
    const written = await cancellable(vscode.l10n.t('Exporting the table'), async (token) =>
      (await this.deps.server()).sendRequest(tableCsv, params, token),
    );
    if (written.kind !== 'written') {
      if (written.kind === 'gone' || written.reason !== 'cancelled')
        await vscode.window.showWarningMessage(
          vscode.l10n.t('The table could not be exported. Show it again and retry.'),
        );
      return;
    }
    const file = vscode.Uri.file(written.file);
    try {
      await vscode.workspace.fs.copy(file, target, { overwrite: true });
    } finally {
      await vscode.workspace.fs.delete(file);
    }
    const rows = written.rows.toLocaleString(vscode.env.language);
    vscode.window.setStatusBarMessage(`$(check) ${vscode.l10n.t('{0} rows exported', rows)}`, 5_000);
  }
}

const keyOf = ({ request, run }: ResponsePlace): string => `${request}-${run}`;

const copy = ({ text }: CopyCommand): Thenable<void> => vscode.env.clipboard.writeText(text);
