// The window's endpoint profiles: read from the user's settings, the workspace's `solana-rpc.json` and the running local
// service, watched, and merged. Of settings it reads the user's own alone: no workspace can add to them.
import * as vscode from 'vscode';
import type { EndpointProfile, PlacedProfile } from '../core/profile';
import type { SchemaPlace } from '../protocol/lsp';
import { activeName, chosenName, mergeProfiles, readProfiles } from './profileList';
import { SharedEndpoints } from './sharedEndpoints';

const FILE = 'solana-rpc.json';
/** A larger file is no list of endpoints. Bytes. */
const MAX_FILE = 1_000_000;

interface WorkspaceFile {
  readonly profiles: readonly EndpointProfile[];
  readonly endpoint: string | undefined;
  readonly schemas: readonly SchemaPlace[];
}

const NO_FILE: WorkspaceFile = { profiles: [], endpoint: undefined, schemas: [] };

export class Profiles implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #watchers: vscode.Disposable[];
  readonly #shared: SharedEndpoints;
  #file = NO_FILE;
  /** What another window wrote into the user's settings, until this one has read them again. */
  #told: readonly EndpointProfile[] | undefined;
  #local: EndpointProfile | undefined;

  readonly onDidChange = this.#changed.event;

  /** `storage`: the folder that all windows of this extension have in common. */
  constructor(
    private readonly log: vscode.LogOutputChannel,
    storage: vscode.Uri,
  ) {
    this.#shared = new SharedEndpoints({
      folder: storage,
      log,
      onTold: (profiles) => {
        this.#told = profiles;
        this.#changed.fire();
      },
    });
    const watcher = vscode.workspace.createFileSystemWatcher(`**/${FILE}`);
    const reread = (): void => void this.load();
    this.#watchers = [
      this.#shared,
      watcher,
      watcher.onDidChange(reread),
      watcher.onDidCreate(reread),
      watcher.onDidDelete(reread),
      vscode.workspace.onDidChangeWorkspaceFolders(reread),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('solanaRpc.endpoints')) this.#wrote();
        else if (event.affectsConfiguration('solanaRpc')) this.#changed.fire();
      }),
    ];
  }

  dispose(): void {
    this.#watchers.forEach((watcher) => void watcher.dispose());
    this.#changed.dispose();
  }

  /** Reads the workspace's files again. */
  async load(): Promise<void> {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const files = await Promise.all(folders.map(({ uri }) => this.#read(vscode.Uri.joinPath(uri, FILE))));
    this.#file = {
      profiles: files.flatMap(({ profiles }) => profiles),
      endpoint: files.find(({ endpoint }) => endpoint !== undefined)?.endpoint,
      schemas: files.flatMap(({ schemas }) => schemas),
    };
    this.#changed.fire();
  }

  /** The local service runs with this profile, or no longer. */
  setLocal(profile: EndpointProfile | undefined): void {
    this.#local = profile;
    this.#changed.fire();
  }

  list(): readonly PlacedProfile[] {
    return mergeProfiles(this.#own(), this.#local, this.#file.profiles);
  }

  active(): PlacedProfile | undefined {
    const profiles = this.list();
    const name = activeName(profiles, this.#setting(), this.#file.endpoint);
    return profiles.find(({ profile }) => profile.name === name);
  }

  /** The name of the chosen endpoint, which is not there; undefined while one is active, or none was chosen. */
  absent(): string | undefined {
    return this.active() === undefined ? chosenName(this.#setting(), this.#file.endpoint) : undefined;
  }

  /** OpenRPC documents that the workspace's files name. */
  schemas(): readonly SchemaPlace[] {
    return this.#file.schemas;
  }

  find(name: string): PlacedProfile | undefined {
    return this.list().find(({ profile }) => profile.name === name);
  }

  /** Writes a profile into the user's settings, in place of one of the same name, and makes it the active one. */
  async add(profile: EndpointProfile): Promise<void> {
    const others = this.#own().filter(({ name }) => name !== profile.name);
    await this.#write([...others, profile]);
    await this.activate(profile.name);
  }

  /** Takes a profile out of the user's settings; where it was the chosen one, none is. */
  async remove(name: string): Promise<void> {
    const others = this.#own().filter((profile) => profile.name !== name);
    await this.#write(others);
    const settings = vscode.workspace.getConfiguration('solanaRpc');
    const { globalValue, workspaceValue } = settings.inspect('endpoint') ?? {};
    if (workspaceValue === name) await settings.update('endpoint', undefined, vscode.ConfigurationTarget.Workspace);
    if (globalValue === name) await settings.update('endpoint', undefined, vscode.ConfigurationTarget.Global);
  }

  /** Kept in the workspace where there is one, so that each project has its own endpoint. */
  async activate(name: string): Promise<void> {
    const target =
      vscode.workspace.workspaceFolders === undefined
        ? vscode.ConfigurationTarget.Global
        : vscode.ConfigurationTarget.Workspace;
    await vscode.workspace.getConfiguration('solanaRpc').update('endpoint', name, target);
  }

  #setting(): string | undefined {
    return vscode.workspace.getConfiguration('solanaRpc').get<string>('endpoint');
  }

  async #write(profiles: readonly EndpointProfile[]): Promise<void> {
    const settings = vscode.workspace.getConfiguration('solanaRpc');
    await settings.update('endpoints', profiles, vscode.ConfigurationTarget.Global);
    // Where this window had not read what another one wrote, nothing may have changed in its eyes.
    this.#wrote();
  }

  /** The settings were read again: they hold, and the other windows are told. */
  #wrote(): void {
    this.#told = undefined;
    this.#shared.tell(this.#own());
    this.#changed.fire();
  }

  #own(): readonly EndpointProfile[] {
    return this.#told ?? readProfiles(vscode.workspace.getConfiguration('solanaRpc').inspect('endpoints')?.globalValue);
  }

  async #read(uri: vscode.Uri): Promise<WorkspaceFile> {
    try {
      const { size } = await vscode.workspace.fs.stat(uri);
      if (size > MAX_FILE) throw new Error(`larger than ${MAX_FILE} bytes`);
      const value: unknown = JSON.parse(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)));
      if (typeof value !== 'object' || value === null) return NO_FILE;
      const { endpoints, endpoint, schemas } = value as Readonly<Record<string, unknown>>;
      const folder = vscode.Uri.joinPath(uri, '..').fsPath;
      const named: readonly unknown[] = Array.isArray(schemas) && uri.scheme === 'file' ? schemas : [];
      return {
        profiles: readProfiles(endpoints),
        endpoint: typeof endpoint === 'string' ? endpoint : undefined,
        schemas: named.flatMap((path) => (typeof path === 'string' ? [{ path, folder }] : [])),
      };
    } catch (error) {
      const missing = error instanceof vscode.FileSystemError && error.code === 'FileNotFound';
      if (!missing)
        this.log.warn(`${FILE} could not be read: ${error instanceof Error ? error.name : 'unknown error'}`);
      return NO_FILE;
    }
  }
}
