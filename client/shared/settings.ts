// Reads and writes our settings, typed by their tables (protocol/settings.ts).
import * as vscode from 'vscode';
import {
  SERVER_SETTINGS,
  type OwnSettingName,
  type ServerSettings,
  type SettingName,
  type SettingValues,
  type WindowSettingName,
} from '../../protocol/settings';

const configured = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('solanaRpc');

/** The value of a setting that a workspace may set. */
export const setting = <N extends WindowSettingName>(name: N): SettingValues[N] =>
  checked(name, configured().get(name));

/** The value of a setting of the user: no workspace can add to it. */
export const ownSetting = <N extends OwnSettingName>(name: N): SettingValues[N] => checked(name, ownValue(name));

/** The value in the user's own settings, of any type; undefined if unset. */
export const ownValue = (name: SettingName): unknown => configured().inspect(name)?.globalValue;

/** Writes to the user's own settings; undefined unsets. */
export const writeOwn = (name: SettingName, value: unknown): Thenable<void> =>
  configured().update(name, value, vscode.ConfigurationTarget.Global);

/** The settings that the server gets. */
export function serverSettings(): ServerSettings {
  const values = Object.entries(SERVER_SETTINGS).map(([name, { scope }]) => [
    name,
    scope === 'application' ? ownSetting(name as OwnSettingName) : setting(name as WindowSettingName),
  ]);
  return Object.fromEntries(values) as ServerSettings;
}

/** The default in place of a value of another type. */
function checked<N extends SettingName>(name: N, value: unknown): SettingValues[N] {
  const unset: unknown = configured().inspect(name)?.defaultValue;
  const isValid = typeof value === typeof unset && Array.isArray(value) === Array.isArray(unset) && value !== null;
  return (isValid ? value : unset) as SettingValues[N];
}
