// The window's state for the server as one value: trust, folders, profiles, settings.
import * as vscode from 'vscode';
import type { SchemaPlace, WindowState } from '../../protocol/lsp';
import { DEFAULT_SETTINGS } from '../../protocol/settings';
import type { Profiles } from '../profiles/profiles';
import { keypairNames } from '../keys/keypairFiles';
import { proxySetting } from './proxy';

const MB = 1_000_000;

export function windowState(profiles: Profiles): WindowState {
  const settings = vscode.workspace.getConfiguration('solanaRpc');
  const proxy = proxySetting();
  const { responseInlineBytes, respectPlan, inlayHints } = DEFAULT_SETTINGS;
  const environment = profiles.environment()?.variables;
  return {
    trusted: vscode.workspace.isTrusted,
    folders: (vscode.workspace.workspaceFolders ?? [])
      .filter(({ uri }) => uri.scheme === 'file')
      .map(({ uri }) => uri.fsPath),
    profiles: profiles.list(),
    endpoint: profiles.active()?.profile.name,
    ...(environment !== undefined && { environment }),
    schemas: [...ownSchemas(settings), ...profiles.schemas()],
    packs: [...ownPacks(settings), ...profiles.packs()],
    idls: idlPlaces(settings),
    wallets: keypairNames(),
    settings: {
      responseInlineBytes: MB * settings.get<number>('response.inlineSize', responseInlineBytes / MB),
      respectPlan: settings.get<boolean>('limits.respectPlan', respectPlan),
      allowedEnvironment: ownNames(settings),
      ...(proxy !== undefined && { proxy }),
      inlayHints: {
        lamports: settings.get<boolean>('inlayHints.lamports', inlayHints.lamports),
        units: settings.get<boolean>('inlayHints.units', inlayHints.units),
        addresses: settings.get<boolean>('inlayHints.addresses', inlayHints.addresses),
        defaults: settings.get<boolean>('inlayHints.defaults', inlayHints.defaults),
      },
    },
  };
}

/** The user's own list: no workspace can add a name to it. */
function ownNames(settings: vscode.WorkspaceConfiguration): readonly string[] {
  const names: unknown = settings.inspect('allowedEnvironment')?.globalValue;
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}

/** Paths of the setting are relative to the first folder. */
function ownSchemas(settings: vscode.WorkspaceConfiguration): SchemaPlace[] {
  const named = settings.get<unknown>('schemas');
  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri.fsPath;
  if (folder === undefined || !Array.isArray(named)) return [];
  return named.flatMap((path: unknown) => (typeof path === 'string' && path !== '' ? [{ path, folder }] : []));
}

function ownPacks(settings: vscode.WorkspaceConfiguration): readonly string[] {
  const named = settings.get<unknown>('packs');
  return Array.isArray(named) ? named.filter((name) => typeof name === 'string') : [];
}

/** Paths of the setting hold in every folder. */
function idlPlaces(settings: vscode.WorkspaceConfiguration): SchemaPlace[] {
  const named = settings.get<unknown>('idls');
  const paths: readonly unknown[] = Array.isArray(named) ? named : [];
  return (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .flatMap(({ uri }) =>
      paths.flatMap((path) => (typeof path === 'string' && path !== '' ? [{ path, folder: uri.fsPath }] : [])),
    );
}
