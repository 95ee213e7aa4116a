// The one item of the status bar: the active endpoint, and how much of its plan is left while requests go out; a click
// switches.
import * as vscode from 'vscode';
import type { Profiles } from './profiles';
import { THROTTLED_SHOWN_MS, type TrafficCounts, type TrafficView } from './traffic';
import { tooltip } from './tooltip';
import { plain } from './words';

export interface Status extends vscode.Disposable {
  /** The counts changed. */
  refresh(): void;
}

export function createStatus(profiles: Profiles, traffic: TrafficCounts): Status {
  const item = vscode.window.createStatusBarItem('solanaRpc.endpoint', vscode.StatusBarAlignment.Right, 90);
  item.name = vscode.l10n.t('Solana RPC endpoint');
  item.command = 'solanaRpc.switchEndpoint';
  let later: ReturnType<typeof setTimeout> | undefined;
  const update = (): void => {
    clearTimeout(later);
    const active = profiles.active();
    const name = active?.profile.name ?? vscode.l10n.t('no endpoint');
    const counts = active === undefined ? undefined : traffic.of(active.profile.name, active.profile.plan);
    item.text = `$(plug) ${plain(name)}${countsText(counts)}`;
    item.backgroundColor =
      counts?.isThrottled === true ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    const lines = linesOf(counts);
    item.tooltip = tooltip(vscode.l10n.t('Solana RPC endpoint: {0}', name), [
      ...lines,
      vscode.l10n.t('Click to switch.'),
    ]);
    const label = [vscode.l10n.t('Solana RPC endpoint: {0}', plain(name)), ...lines].join(' ');
    item.accessibilityInformation = { label, role: 'button' };
    if (vscode.window.activeTextEditor?.document.languageId === 'jsonrpc' || active?.source === 'local') item.show();
    else item.hide();
    // The mark of a 429 goes by itself.
    if (counts?.isThrottled === true) later = setTimeout(update, THROTTLED_SHOWN_MS);
  };
  update();
  const parts = vscode.Disposable.from(
    item,
    profiles.onDidChange(update),
    vscode.window.onDidChangeActiveTextEditor(update),
    { dispose: (): void => clearTimeout(later) },
  );
  return { refresh: update, dispose: () => void parts.dispose() };
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
