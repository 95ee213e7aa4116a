// The local service of this window: its own process, or the one that another window on this folder runs. Starts and stops
// it, and puts its endpoint and keys in place meanwhile. Its keys go to its own origins alone.
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { KeyType } from '../../core/service/errors';
import { originOf } from '../../core/service/profiles/origin';
import { LOCAL_PROFILE, type EndpointProfile } from '../../core/service/profiles/profile';
import {
  LocalService,
  STEADY_TRAFFIC,
  type LedgerProgress,
  type LocalServiceReady,
  type LocalServiceState,
} from '../../process/localService';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { SourceReader } from '../../process/sourceQuestions';
import { readSource } from '../../protocol/source';
import type { KeyBroker } from '../keys/keyBroker';
import type { KeyRecord } from '../keys/keyRecord';
import { textOfSecret, type KeyVault } from '../keys/keyVault';
import { originsFor } from '../profiles/origins';
import type { Profiles } from '../profiles/profiles';
import { JoinedService, SharedServices, type SharedService } from './sharedServices';
import { UnderWay } from './underWay';
import type { SetContext } from '../shared/contexts';

const TYPES = ['rpc', 'grpc', 'swqos'] as const satisfies readonly KeyType[];

export interface LocalDeps {
  /** Absolute path of dist/localnet.js. */
  readonly program: string;
  readonly profiles: Pick<Profiles, 'setLocal'>;
  readonly vault: Pick<KeyVault, 'hold' | 'remove' | 'secret'>;
  readonly broker: Pick<KeyBroker, 'local'>;
  readonly log: Pick<vscode.LogOutputChannel, 'info' | 'warn'>;
  /** Reads the endpoint that the service is a fork of. */
  readonly server: () => Promise<LanguageClient>;
  readonly setContext: SetContext;
  readonly secrets: vscode.SecretStorage;
  /** The same for all windows on this folder; undefined where no folder is open. */
  readonly place: string | undefined;
  /** Identifies this window among all others. */
  readonly window: string;
}

export class LocalServices implements vscode.Disposable {
  readonly #deps: LocalDeps;
  readonly #changed = new vscode.EventEmitter<LocalServiceState>();
  readonly #underWay = new UnderWay();
  readonly #shared: SharedServices | undefined;
  readonly #trusted: vscode.Disposable;
  #service: LocalService | JoinedService | undefined;
  #state: LocalServiceState = { kind: 'stopped' };
  #fork: string | undefined;
  /** Names the ledger: each start begins with a new one. */
  #ledger = '';

  readonly onDidChange = this.#changed.event;

  constructor(deps: LocalDeps) {
    this.#deps = deps;
    const { secrets, place } = deps;
    if (place !== undefined)
      this.#shared = new SharedServices({ secrets, place, onChange: (shared) => this.#changedElsewhere(shared) });
    this.#trusted = vscode.workspace.onDidGrantWorkspaceTrust(() => void this.join());
  }

  get state(): LocalServiceState {
    return this.#state;
  }

  /** The forked endpoint, while running or starting; undefined if the ledger is not a fork. */
  get fork(): string | undefined {
    return this.#state.kind === 'stopped' ? undefined : this.#fork;
  }

  /** Takes the service that another window on this folder runs, if one does and this one has none. */
  join(): Promise<void> {
    return this.#underWay.during(async () => {
      const shared = await this.#shared?.find();
      if (shared !== undefined && this.#isOff()) this.#join(shared);
    });
  }

  /** Starts it unless it runs, with an empty ledger or as a fork; resolves with the outcome. */
  start(fork?: string): Promise<LocalServiceState> {
    return this.#underWay.during(() => this.#start(fork));
  }

  /** Does something that starts or ends it in several steps; `settled` waits for all of them. */
  during<T>(work: () => Promise<T>): Promise<T> {
    return this.#underWay.during(work);
  }

  /** Resolves once it is neither starting nor stopping, nor about to. */
  async settled(): Promise<void> {
    await this.#underWay.ended();
    await this.#service?.settled();
  }

  /** How far its ledger is; nothing while it does not run, or where another window runs it. */
  async progress(): Promise<LedgerProgress> {
    return (await this.#service?.progress()) ?? {};
  }

  /** Ends it, for every window that shares it. */
  stop(): Promise<void> {
    return this.#underWay.during(async () => {
      await this.#service?.stop();
      // After a failed start there is no process to end, but its endpoint is removed.
      if (this.#state.kind === 'failed') this.#become({ kind: 'stopped' });
    });
  }

  /** A key of it may have been rotated here: then the other windows have the new one, too. */
  async keyChanged({ id, type, keyId }: KeyRecord): Promise<void> {
    if (id !== localId(type) || keyId === undefined) return;
    const key = await this.#deps.vault.secret(id);
    if (this.#state.kind !== 'running' || key === undefined) return;
    const { ready } = this.#state;
    if (ready.keys[type].key.equals(key)) return;
    this.#state = { kind: 'running', ready: { ...ready, keys: { ...ready.keys, [type]: { keyId, key } } } };
    this.#lend(this.#state.ready);
  }

  /** Opens the dashboard, its token in the fragment, which no browser sends anywhere. */
  async openDashboard(): Promise<void> {
    if (this.#state.kind !== 'running') return;
    const { dashboardUrl, adminToken } = this.#state.ready;
    await vscode.env.openExternal(vscode.Uri.parse(dashboardUrl).with({ fragment: textOfSecret(adminToken) }));
  }

  dispose(): void {
    this.#shared?.dispose();
    this.#trusted.dispose();
    // A service of another window continues without this one.
    if (this.#service instanceof LocalService) {
      void this.#shared?.remove(this.#deps.window);
      void this.#service.stop();
    } else this.#service?.leave();
    this.#changed.dispose();
  }

  #isOff(): boolean {
    return this.#state.kind === 'stopped' || this.#state.kind === 'failed';
  }

  async #start(fork: string | undefined): Promise<LocalServiceState> {
    if (this.#isOff() && fork === undefined) await this.join();
    if (this.#isOff()) {
      this.#fork = fork;
      this.#service = new LocalService({
        program: this.#deps.program,
        // On a fork nothing happens but what its user does.
        ...(fork === undefined
          ? { args: ['--traffic', String(STEADY_TRAFFIC)] }
          : { args: [`--fork=${fork}`], source: forkSource(this.#deps.server, fork) }),
        onState: (state) => this.#ownBecame(state),
      });
    }
    return (await this.#service?.settled()) ?? this.#state;
  }

  /** Another window on this folder wrote: its service as it is now, undefined where none runs any more. */
  #changedElsewhere(shared: SharedService | undefined): void {
    const isOwn = this.#service instanceof LocalService && !this.#isOff();
    if (!isOwn) {
      if (shared !== undefined) this.#join(shared);
      else if (this.#service instanceof JoinedService) this.#service.end();
    } else if (shared === undefined) {
      void this.stop();
    } else if (shared.owner === this.#deps.window && this.#state.kind === 'running') {
      this.#become({ kind: 'running', ready: shared.ready });
    }
  }

  #join(shared: SharedService): void {
    if (!vscode.workspace.isTrusted || this.#shared === undefined) return;
    this.#fork = shared.fork;
    this.#ledger = shared.ledger;
    if (this.#service instanceof JoinedService) this.#service.leave();
    const joined = new JoinedService(shared, this.#shared, () => {
      if (this.#service === joined && !this.#isOff()) this.#become({ kind: 'stopped' });
    });
    this.#service = joined;
    this.#become({ kind: 'running', ready: shared.ready });
  }

  #ownBecame(state: LocalServiceState): void {
    if (state.kind === 'running') this.#ledger = randomUUID();
    this.#become(state);
    if (state.kind === 'running') this.#lend(state.ready);
    else if (this.#isOff()) void this.#shared?.remove(this.#deps.window);
  }

  #lend(ready: LocalServiceReady): void {
    const fork = this.#fork === undefined ? {} : { fork: this.#fork };
    const owner = this.#service instanceof JoinedService ? this.#service.owner : this.#deps.window;
    void this.#shared?.lend({ owner, ready, ledger: this.#ledger, ...fork });
  }

  #become(state: LocalServiceState): void {
    this.#state = state;
    this.#deps.log.info(`Local service: ${state.kind}${'reason' in state ? ` (${state.reason})` : ''}`);
    if (state.kind === 'failed') state.log.forEach((line) => this.#deps.log.warn(`Local service: ${line}`));
    this.#deps.setContext('solanaRpc.localService', state.kind);
    if (state.kind === 'running') this.#arrived(state.ready);
    // After a crash the endpoint stays: requests for it must not go to another endpoint meanwhile.
    else if (state.kind === 'stopped') this.#left();
    this.#changed.fire(state);
  }

  #arrived(ready: LocalServiceReady): void {
    const { profiles, vault, broker } = this.#deps;
    const profile = profileOf(ready, this.#ledger);
    broker.local = {
      origin: originOf(ready.adminUrl) ?? '',
      adminToken: ready.adminToken,
      profile: profile.name,
      wallet: ready.wallet.secretKey,
    };
    for (const type of TYPES) {
      const { keyId, key } = ready.keys[type];
      const label = vscode.l10n.t('default');
      vault.hold(localId(type), { type, label, profile: profile.name, origins: originsFor(profile, type), keyId }, key);
    }
    profiles.setLocal(profile);
  }

  #left(): void {
    this.#deps.broker.local = undefined;
    for (const type of TYPES) void this.#deps.vault.remove(localId(type));
    this.#deps.profiles.setLocal(undefined);
  }
}

/** Where the vault holds its key of a type. */
const localId = (type: KeyType): string => `local-${type}`;

/** The keys travel as the service expects them by default; its plan is left to the service to enforce. */
function profileOf(ready: LocalServiceReady, ledger: string): EndpointProfile {
  return {
    name: LOCAL_PROFILE,
    rpcUrl: ready.rpcUrl,
    restUrl: ready.restUrl,
    dashboardUrl: ready.dashboardUrl,
    wsUrl: ready.wsUrl,
    grpcUrl: ready.grpcUrl,
    variables: JSON.stringify({ wallet: ready.wallet.address }),
    ledger,
  };
}

/** Reads the accounts of a fork from its endpoint, of this name: the language server does it, with the endpoint's key. */
function forkSource(server: () => Promise<LanguageClient>, profile: string): SourceReader {
  return async (question, signal) => {
    const cancel = new vscode.CancellationTokenSource();
    const stop = (): void => cancel.cancel();
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await (await server()).sendRequest(readSource, { profile, question }, cancel.token);
    } catch {
      return { ok: false, message: vscode.l10n.t('The language server did not answer.') };
    } finally {
      signal.removeEventListener('abort', stop);
      cancel.dispose();
    }
  };
}
