// The one item of the status bar: the active endpoint, how far the local ledger is, how much of the plan is left while
// requests go out, and what is wrong with the local service or the language server; a click switches, or mends.
import * as vscode from 'vscode';
import { localHealth, serverHealth } from '../shared/health';
import type { LocalServices } from '../localService/localService';
import type { LocalSlot } from '../localService/localSlot';
import { SOURCE_ICONS } from '../profiles/chosenEndpoint';
import type { Profiles } from '../profiles/profiles';
import type { Server } from '../server/serverProcess';
import { THROTTLED_SHOWN_MS, type TrafficView } from '../usage/traffic';
import type { WindowTraffic } from '../usage/area';
import { tooltip } from '../shared/tooltip';
import { ends, plain } from '../shared/words';

/** A longer name would take the bar for itself, in characters. */
const LONGEST_NAME = 30;

export interface StatusDeps {
  readonly profiles: Profiles;
  readonly traffic: WindowTraffic;
  readonly local: LocalServices;
  readonly slot: LocalSlot;
  readonly server: Server;
}

export function createStatus({ profiles, traffic, local, slot, server }: StatusDeps): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('solanaRpc.endpoint', vscode.StatusBarAlignment.Right, 90);
  item.name = vscode.l10n.t('Solana RPC endpoint');
  let later: ReturnType<typeof setTimeout> | undefined;
  const update = (): void => {
    clearTimeout(later);
    const active = profiles.active();
    const name = active?.profile.name ?? vscode.l10n.t('no endpoint');
    const counts = active === undefined ? undefined : traffic.of(active.profile);
    // Without the server nothing works; a local service that is off matters where requests would go to it.
    const isLocal = active?.source === 'local';
    const health =
      serverHealth(server.state, vscode.l10n.t) ?? (isLocal ? localHealth(local.state, vscode.l10n.t) : undefined);
    const ledger = isLocal ? slot.words : undefined;
    const state = health?.words ?? ledger;
    const environment = profiles.environment();
    const shown = environment === undefined ? [] : [plain(ends(environment.name, LONGEST_NAME))];
    const words = [plain(ends(name, LONGEST_NAME)), ...shown, ...(state === undefined ? [] : [state])].join(' · ');
    item.text = `$(${health?.icon ?? (isLocal ? SOURCE_ICONS.local : 'plug')}) ${words}${countsText(counts)}`;
    const background = health?.isOver === true ? 'error' : counts?.isThrottled === true ? 'warning' : undefined;
    item.backgroundColor =
      background === undefined ? undefined : new vscode.ThemeColor(`statusBarItem.${background}Background`);
    item.command = `solanaRpc.${health?.step?.command ?? 'switchEndpoint'}`;
    const absent = profiles.absent();
    const lines = [
      ...(absent === undefined ? [] : [vscode.l10n.t('The chosen endpoint “{0}” does not exist.', plain(absent))]),
      ...(environment === undefined ? [] : [vscode.l10n.t('Environment: {0}', plain(environment.name))]),
      ...(health?.more ?? (ledger === undefined ? [] : [vscode.l10n.t('The local service is running: {0}.', ledger)])),
      ...linesOf(counts),
    ];
    const click =
      health?.step === undefined ? vscode.l10n.t('Click to switch.') : vscode.l10n.t('Click: {0}', health.step.title);
    item.tooltip = tooltip(vscode.l10n.t('Solana RPC endpoint: {0}', name), [...lines, click]);
    const label = [vscode.l10n.t('Solana RPC endpoint: {0}', plain(name)), ...lines.map(plain)].join(' ');
    item.accessibilityInformation = { label, role: 'button' };
    const isRequestFile = vscode.window.activeTextEditor?.document.languageId === 'jsonrpc';
    if (isRequestFile || isLocal || health?.isOver === true) item.show();
    else item.hide();
    slot.shownIn('status', isLocal);
    // The mark of a 429 goes by itself.
    if (counts?.isThrottled === true) later = setTimeout(update, THROTTLED_SHOWN_MS);
  };
  update();
  return vscode.Disposable.from(
    item,
    profiles.onDidChange(update),
    traffic.onDidChange(update),
    local.onDidChange(update),
    slot.onDidChange(update),
    server.onDidChangeState(update),
    vscode.window.onDidChangeActiveTextEditor(update),
    { dispose: (): void => clearTimeout(later) },
  );
}

/** Nothing while nothing goes out: the item keeps its place. */
function countsText(counts: TrafficView | undefined): string {
  if (counts === undefined) return '';
  const { limit, left, lastSecond, throttled, isThrottled } = counts;
  const refused = isThrottled ? ` $(warning) ${throttled} × 429` : '';
  return `${limit === undefined || lastSecond === 0 ? '' : ` ${left}/${limit}`}${refused}`;
}

function linesOf(counts: TrafficView | undefined): readonly string[] {
  if (counts === undefined) return [];
  const { limit, left, sent, throttled, lastSecond } = counts;
  return [
    limit === undefined
      ? vscode.l10n.t('{0} requests in the last second; the profile names no plan.', lastSecond)
      : vscode.l10n.t('{0} of {1} requests per second are left.', left ?? 0, limit),
    vscode.l10n.t('Sent from here: {0} requests.', sent),
    throttled === 0 ? '' : vscode.l10n.t('Answered with 429, too many requests: {0}.', throttled),
  ].filter((line) => line !== '');
}
