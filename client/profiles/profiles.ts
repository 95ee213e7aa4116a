// The window's endpoint profiles: read from the user's settings, the workspace's `solana-rpc.json` and the running local
// service, watched, and merged. Of settings it reads the user's own alone: no workspace can add to them.
import * as vscode from 'vscode';
import type { EndpointProfile, Environment, PlacedProfile, ProfileFault } from '../../core/service/profiles/profile';
import { readProfileFile } from '../../core/service/profiles/profileFile';
import { exactly, mergeProfiles, readProfiles, type ReadProfile } from '../../core/service/profiles/profileReader';
import type { SchemaPlace } from '../../protocol/lsp';
import { EndpointChoice, type FolderMemory } from './endpointChoice';
import { activeName, chosenName } from './profileList';
import { SharedEndpoints } from './sharedEndpoints';
import { ownValue, setting, writeOwn } from '../shared/settings';
import { plain } from '../shared/words';

const FILE = 'solana-rpc.json';
/** A larger file is not read. Bytes. */
const MAX_FILE = 1_000_000;

/** The contents of the folders' files. */
interface WorkspaceFiles {
  readonly profiles: readonly ReadProfile[];
  readonly endpoint: string | undefined;
  readonly schemas: readonly SchemaPlace[];
  readonly packs: readonly string[];
  readonly environments: readonly Environment[];
}

const NO_FILE: WorkspaceFiles = { profiles: [], endpoint: undefined, schemas: [], packs: [], environments: [] };
/** Where the window's own state has the chosen environment. */
const ENVIRONMENT_KEY = 'solanaRpc.environment';

export class Profiles implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #watchers: vscode.Disposable[];
  readonly #shared: SharedEndpoints;
  readonly #choice: EndpointChoice;
  #file = NO_FILE;
  /** The endpoints that another window wrote to the user's settings, until this window has read them. */
  #fromOthers: readonly unknown[] | undefined;
  #local: EndpointProfile | undefined;

  readonly onDidChange = this.#changed.event;

  /**
   * `storage`: the folder that all windows of this extension share. `memory`: this window's own state. `folder`: what the
   * windows on the opened folder share; undefined where none is open.
   */
  constructor(
    private readonly log: vscode.LogOutputChannel,
    storage: vscode.Uri,
    private readonly memory: vscode.Memento,
    folder?: FolderMemory,
  ) {
    this.#choice = new EndpointChoice(memory, () => setting('endpoint'), folder);
    this.#shared = new SharedEndpoints({
      folder: storage,
      log,
      onShared: (endpoints) => {
        this.#fromOthers = endpoints;
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
      packs: files.flatMap(({ packs }) => packs),
      environments: files.flatMap(({ environments }) => environments),
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
    const name = activeName(profiles, this.#choice.name, this.#file.endpoint);
    return profiles.find(({ profile }) => profile.name === name);
  }

  /** The name of the chosen endpoint, which is not there; undefined while one is active, or none was chosen. */
  absent(): string | undefined {
    return this.active() === undefined ? chosenName(this.#choice.name, this.#file.endpoint) : undefined;
  }

  /** The schemas, packs and environments that the workspace's files name. */
  get named(): Pick<WorkspaceFiles, 'schemas' | 'packs' | 'environments'> {
    return this.#file;
  }

  /** The environment chosen in this window; undefined if none is chosen or it no longer exists. */
  environment(): Environment | undefined {
    const name = this.memory.get<string>(ENVIRONMENT_KEY);
    return this.#file.environments.find((environment) => environment.name === name);
  }

  /** Chooses an environment, and with it the endpoint that it names; undefined chooses none. */
  async chooseEnvironment(environment: Environment | undefined): Promise<void> {
    await this.memory.update(ENVIRONMENT_KEY, environment?.name);
    if (environment?.endpoint !== undefined) await this.#choice.choose(environment.endpoint);
    this.#changed.fire();
  }

  find(name: string): PlacedProfile | undefined {
    return this.list().find(({ profile }) => profile.name === name);
  }

  /**
   * Writes a profile into the user's settings, in place of one of the same name, and makes it the active one. False if
   * the settings cannot be written; the user knows why.
   */
  async add(profile: EndpointProfile): Promise<boolean> {
    if (!(await this.isWritable())) return false;
    const { variables, ...members } = profile;
    const entry = { ...members, ...(variables !== undefined && { variables: JSON.parse(variables) as unknown }) };
    await this.#write([...this.#others(profile.name), entry]);
    await this.activate(profile.name);
    return true;
  }

  /** Changes the user's own profile of that name in the settings, and leaves every other member of it as it is. */
  async edit(name: string, changes: Partial<EndpointProfile>): Promise<void> {
    const raw = this.#raw();
    const entries: readonly unknown[] = Array.isArray(raw) ? raw : [];
    const edited = (entry: unknown): unknown =>
      typeof entry === 'object' && entry !== null && nameOf(entry) === name ? { ...entry, ...changes } : entry;
    await this.#write(entries.map(edited));
  }

  /** Whether writing the list back would keep every digit of it; informs the user if not. */
  async isWritable(): Promise<boolean> {
    const fault = this.#own().find((read) => read.fault?.isRounded === true)?.fault;
    if (fault === undefined) return true;
    const edit = vscode.l10n.t('Edit Settings');
    const text = vscode.l10n.t('The endpoints in your settings cannot be written: {0} {1}', fault.message, fault.hint);
    if ((await vscode.window.showErrorMessage(plain(text), edit)) === edit) await openEndpointSettings();
    return false;
  }

  /** Removes a profile from the user's settings, and the choice of it from there and from this window. */
  async remove(name: string): Promise<void> {
    await this.#write(this.#others(name));
    if (ownValue('endpoint') === name) await writeOwn('endpoint', undefined);
    await this.#choice.forget(name);
    this.#changed.fire();
  }

  /** Makes an endpoint the active one of this window, and of this window alone. */
  async activate(name: string): Promise<void> {
    await this.#choice.choose(name);
    this.#changed.fire();
  }

  async #write(endpoints: readonly unknown[]): Promise<void> {
    await writeOwn('endpoints', endpoints);
    // Where this window had not read what another one wrote, nothing may have changed in its eyes.
    this.#wrote();
  }

  /** The settings were read again: they hold, and go to the other windows. */
  #wrote(): void {
    this.#fromOthers = undefined;
    this.#shared.publish(this.#raw());
    this.#changed.fire();
  }

  /** The list as the user's settings have it. */
  #raw(): unknown {
    return this.#fromOthers ?? ownValue('endpoints');
  }

  #own(): readonly ReadProfile[] {
    const raw = this.#raw();
    return raw === undefined ? [] : readProfiles(exactly(raw));
  }

  /** The entries of the settings but those of this name, as they are: also what this version does not understand. */
  #others(name: string): readonly unknown[] {
    const raw = this.#raw();
    return Array.isArray(raw) ? raw.filter((entry: unknown) => nameOf(entry) !== name) : [];
  }

  async #read(uri: vscode.Uri): Promise<WorkspaceFiles> {
    try {
      const { size, type } = await vscode.workspace.fs.stat(uri);
      // A named pipe would never be read to its end.
      if ((type & vscode.FileType.File) === 0) throw new Error('not a file');
      if (size > MAX_FILE) throw new Error(`larger than ${MAX_FILE} bytes`);
      const read = readProfileFile(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)));
      if (read.kind === 'faulty') return faulty(read.fault);
      const { endpoints: profiles, endpoint, schemas, packs, environments } = read.file;
      const folder = vscode.Uri.joinPath(uri, '..').fsPath;
      const named = uri.scheme === 'file' ? schemas : [];
      return { profiles, endpoint, schemas: named.map((path) => ({ path, folder })), packs, environments };
    } catch (error) {
      const missing = error instanceof vscode.FileSystemError && error.code === 'FileNotFound';
      if (missing) return NO_FILE;
      this.log.warn(`${FILE} could not be read: ${error instanceof Error ? error.name : 'unknown error'}`);
      const hint = vscode.l10n.t('It must be a file of at most {0} bytes.', MAX_FILE);
      return faulty({ message: vscode.l10n.t('this cannot be read.'), hint });
    }
  }
}

/** Listed like an endpoint, so that its fault is seen where endpoints are. */
const faulty = (fault: ProfileFault): WorkspaceFiles => ({
  ...NO_FILE,
  profiles: [{ profile: { name: FILE }, fault }],
});

function nameOf(entry: unknown): string | undefined {
  const name = typeof entry === 'object' && entry !== null && 'name' in entry ? entry.name : undefined;
  return typeof name === 'string' ? name.trim() : undefined;
}

/** Opens the user’s settings at the list of endpoints. With `edit` VS Code would begin a line: unsaved settings take no change. */
export const openEndpointSettings = (): Thenable<unknown> =>
  vscode.commands.executeCommand('workbench.action.openSettingsJson', {
    revealSetting: { key: 'solanaRpc.endpoints' },
  });
