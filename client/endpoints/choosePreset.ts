// The first box of *Add Endpoint*: presets to pick from, and a line that takes any address in their place.
import * as vscode from 'vscode';
import { readAddress } from '../../core/service/providers/address';
import { looksLikeAddress, presetRows, type Preset } from './presets';

/** A preset, or the address that was typed. It may hold a key. */
export type Start = Preset | { readonly kind: 'address'; readonly text: string };

interface Row extends vscode.QuickPickItem {
  /** Absent from a row that only says something. */
  readonly start?: Start;
}

/** Undefined if the user left. */
export function chooseStart(hasLocal: boolean): Promise<Start | undefined> {
  const box = vscode.window.createQuickPick<Row>();
  const presets: readonly Row[] = presetRows(vscode.l10n.t, hasLocal).map(({ label, description, icon, preset }) => ({
    label: `$(${icon}) ${label}`,
    description,
    start: preset,
  }));
  const draw = (): void => {
    const text = box.value.trim();
    // The typed text is not echoed: it may contain a key.
    box.items = looksLikeAddress(text) ? [addressRow(text)] : presets;
  };
  box.title = vscode.l10n.t('Add endpoint: where is it?');
  box.placeholder = vscode.l10n.t(
    'Choose one, or paste any address of a service; a key in it goes to the secret storage',
  );
  box.ignoreFocusOut = true;
  box.matchOnDescription = true;
  draw();
  return new Promise((resolve) => {
    box.onDidChangeValue(draw);
    box.onDidAccept(() => {
      const typed = box.value.trim();
      // The rows may still be those of what was typed before.
      const start = looksLikeAddress(typed) ? addressRow(typed).start : box.activeItems[0]?.start;
      if (start === undefined) return;
      resolve(start);
      box.hide();
    });
    box.onDidHide(() => {
      box.dispose();
      resolve(undefined);
    });
    box.show();
  });
}

function addressRow(text: string): Row {
  if (readAddress(text) === undefined)
    return {
      label: `$(error) ${vscode.l10n.t('Not an address')}`,
      detail: vscode.l10n.t('Write a host, or an address that begins with https://, wss:// or grpc://.'),
      alwaysShow: true,
    };
  return {
    label: `$(plug) ${vscode.l10n.t('Add the Endpoint at This Address')}`,
    alwaysShow: true,
    start: { kind: 'address', text },
  };
}
