// Opens a document or a panel where the user wants responses: reads the editor's groups, and makes the new one where the
// rules ask for it.
import * as vscode from 'vscode';
import { distance, placementOf, staysInFront, type EditorGroup, type Front, type Placement } from './placement';
import { setting } from './settings';

/** Of our responses' documents, and of what is shown in their place. */
const RESPONSE_SCHEMES: ReadonlySet<string> = new Set(['solana-response', 'solana-decoded', 'solana-exchange']);
const RESPONSE_PANELS = /solanaRpc\.(?:table|body|runReport|transaction)$/;
const STREAM_PANELS = /solanaRpc\.(?:stream|account)$/;

/** Opens something in the column it is handed. */
type OpenAt = (column: vscode.ViewColumn) => Thenable<unknown>;

/**
 * Opens what belongs to a response: in its place where one is in front, else where responses open. The focus goes along,
 * unless `keepsFocus`.
 */
export async function openWithResponse(
  request: vscode.Uri | undefined,
  open: OpenAt,
  keepsFocus = false,
): Promise<void> {
  const { activeTab, viewColumn } = vscode.window.tabGroups.activeTabGroup;
  if (frontOf(activeTab) === 'response') await open(viewColumn);
  else await openAsResponse(request, open, keepsFocus);
}

/** Opens a response next to the request's file, or next to the active editor. */
export async function openAsResponse(request: vscode.Uri | undefined, open: OpenAt, keepsFocus = true): Promise<void> {
  // The editor reports in order: once it has answered, what the user clicked before is known here.
  await vscode.commands.executeCommand('noop');
  const active: number = vscode.window.tabGroups.activeTabGroup.viewColumn;
  const placement = placementOf(groups(), homeOf(request), setting('response.openIn'));
  if (placement.kind === 'column') await open(placement.column);
  else if (placement.side === 'right' && placement.of === active) await open(vscode.ViewColumn.Beside);
  else {
    await openInSplit(placement, open);
    // Columns are counted as they are seen: the new one follows the one it was split from.
    if (keepsFocus) await focusColumn(active > placement.of ? active + 1 : active);
  }
}

/** The column for a stream: an existing one without a request file, else a new one. */
export function columnOfStream(): vscode.ViewColumn {
  const home = homeOf(undefined);
  const others = groups().filter(({ column, front }) => column !== home && front !== 'request');
  const [nearest] = others.toSorted((a, b) => distance(a, home) - distance(b, home));
  return nearest?.column ?? vscode.ViewColumn.Beside;
}

/** Whether a page of the editor's own is in front, the walkthrough for one. */
export const isGuideInFront = (): boolean => frontOf(vscode.window.tabGroups.activeTabGroup.activeTab) === 'guide';

/** The column that has a document among its tabs. */
export const columnShowing = ({ uri }: vscode.TextDocument): vscode.ViewColumn | undefined =>
  vscode.window.tabGroups.all.find(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString()),
  )?.viewColumn;

/** Whether a group may be covered by a response: nothing in front of it has to stay. */
export const mayCover = (group: vscode.TabGroup): boolean => !staysInFront(frontOf(group.activeTab));

const groups = (): readonly EditorGroup[] =>
  vscode.window.tabGroups.all.map(({ viewColumn, activeTab, tabs }) => ({
    column: viewColumn,
    front: frontOf(activeTab),
    hasResponse: tabs.some((tab) => frontOf(tab) === 'response'),
  }));

function homeOf(request: vscode.Uri | undefined): number {
  const { all, activeTabGroup } = vscode.window.tabGroups;
  const holds = ({ activeTab }: vscode.TabGroup): boolean =>
    request !== undefined &&
    activeTab?.input instanceof vscode.TabInputText &&
    activeTab.input.uri.toString() === request.toString();
  const home = holds(activeTabGroup) ? activeTabGroup : all.find(holds);
  return (home ?? activeTabGroup).viewColumn;
}

function frontOf(tab: vscode.Tab | undefined): Front {
  const input = tab?.input;
  if (tab === undefined) return 'none';
  // The editor does not report its own pages.
  if (input === undefined) return 'guide';
  if (input instanceof vscode.TabInputText) return ofDocument(input.uri);
  if (input instanceof vscode.TabInputTextDiff) return ofDocument(input.modified);
  if (!(input instanceof vscode.TabInputWebview)) return 'other';
  if (STREAM_PANELS.test(input.viewType)) return 'stream';
  return RESPONSE_PANELS.test(input.viewType) ? 'response' : 'other';
}

function ofDocument(uri: vscode.Uri): Front {
  if (RESPONSE_SCHEMES.has(uri.scheme)) return 'response';
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  return open?.languageId === 'jsonrpc' || uri.path.endsWith('.jsonrpc') ? 'request' : 'other';
}

/** The editor's commands that focus its groups, the first one first. */
const FOCUS = [
  'workbench.action.focusFirstEditorGroup',
  'workbench.action.focusSecondEditorGroup',
  'workbench.action.focusThirdEditorGroup',
  'workbench.action.focusFourthEditorGroup',
  'workbench.action.focusFifthEditorGroup',
  'workbench.action.focusSixthEditorGroup',
  'workbench.action.focusSeventhEditorGroup',
  'workbench.action.focusEighthEditorGroup',
];
const NEW_GROUP = {
  right: 'workbench.action.newGroupRight',
  below: 'workbench.action.newGroupBelow',
} as const;

/** The editor creates new groups only next to the active one. */
async function openInSplit({ of, side }: Extract<Placement, { kind: 'split' }>, open: OpenAt): Promise<void> {
  await focusColumn(of);
  await vscode.commands.executeCommand(NEW_GROUP[side]);
  await open(vscode.window.tabGroups.activeTabGroup.viewColumn);
}

async function focusColumn(column: number): Promise<void> {
  const focus = FOCUS[column - 1];
  if (focus !== undefined) await vscode.commands.executeCommand(focus);
}
