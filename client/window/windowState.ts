// The window's state for the server as one value: trust, folders, profiles, settings.
import * as vscode from 'vscode';
import type { SchemaPlace, WindowState } from '../../protocol/lsp';
import type { Profiles } from '../profiles/profiles';
import { keypairNames } from '../keys/keypairFiles';
import { serverSettings, setting } from '../shared/settings';
import { proxySetting } from './proxy';

export function windowState(profiles: Profiles): WindowState {
  const proxy = proxySetting();
  const environment = profiles.environment()?.variables;
  return {
    trusted: vscode.workspace.isTrusted,
    folders: (vscode.workspace.workspaceFolders ?? [])
      .filter(({ uri }) => uri.scheme === 'file')
      .map(({ uri }) => uri.fsPath),
    profiles: profiles.list(),
    endpoint: profiles.active()?.profile.name,
    ...(environment !== undefined && { environment }),
    schemas: [...ownSchemas(), ...profiles.named.schemas],
    packs: [...texts(setting('packs')), ...profiles.named.packs],
    idls: idlPlaces(),
    wallets: keypairNames(),
    settings: serverSettings(),
    ...(proxy !== undefined && { proxy }),
  };
}

/** Paths of the setting are relative to the first folder. */
function ownSchemas(): SchemaPlace[] {
  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri.fsPath;
  return folder === undefined ? [] : texts(setting('schemas')).map((path) => ({ path, folder }));
}

/** Paths of the setting hold in every folder. */
function idlPlaces(): SchemaPlace[] {
  return (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .flatMap(({ uri }) => texts(setting('idls')).map((path) => ({ path, folder: uri.fsPath })));
}

const texts = (values: readonly unknown[]): string[] =>
  values.filter((value): value is string => typeof value === 'string' && value !== '');
