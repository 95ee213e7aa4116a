// The local service in this window: starts and stops its process, and puts its endpoint and keys in place while it runs.
// Its keys stay in memory and go to its own origins alone.
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { originOf } from '../../core/origin';
import { LOCAL_PROFILE, type EndpointProfile } from '../../core/profile';
import {
  LocalService,
  STEADY_TRAFFIC,
  type LedgerProgress,
  type LocalServiceReady,
  type LocalServiceState,
} from '../../process/localService';
import type { LanguageClient } from 'vscode-languageclient/node';
import { forkSource } from './forkSource';
import type { KeyBroker } from '../keys/keyBroker';
import { textOfSecret, type KeyVault } from '../keys/keyVault';
import { originsFor } from '../endpoints/origins';
import type { Profiles } from '../endpoints/profiles';
import { UnderWay } from './underWay';

const TYPES = ['rpc', 'grpc', 'swqos'] as const;

export interface LocalDeps {
  /** Absolute path of dist/localnet.js. */
  readonly program: string;
  readonly profiles: Profiles;
  readonly vault: KeyVault;
  readonly broker: KeyBroker;
  readonly log: vscode.LogOutputChannel;
  /** Reads the endpoint that the service is a fork of. */
  readonly server: () => Promise<LanguageClient>;
}

export class LocalServices implements vscode.Disposable {
  readonly #deps: LocalDeps;
  readonly #changed = new vscode.EventEmitter<LocalServiceState>();
  readonly #underWay = new UnderWay();
  #service: LocalService | undefined;
  #state: LocalServiceState = { kind: 'stopped' };
  #fork: string | undefined;

  readonly onDidChange = this.#changed.event;

  constructor(deps: LocalDeps) {
    this.#deps = deps;
  }

  get state(): LocalServiceState {
    return this.#state;
  }

  /** The endpoint that it is a fork of, while it runs or is on its way; undefined for a ledger of its own. */
  get fork(): string | undefined {
    return this.#state.kind === 'stopped' ? undefined : this.#fork;
  }

  /** Starts it where it does not run, with a ledger of its own or as a fork of an endpoint; resolves with how it came out. */
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

  /** How far its ledger is; nothing while it does not run. */
  async progress(): Promise<LedgerProgress> {
    return (await this.#service?.progress()) ?? {};
  }

  stop(): Promise<void> {
    return this.#underWay.during(async () => {
      await this.#service?.stop();
      // One that gave up has no process to end; its endpoint goes all the same.
      if (this.#state.kind === 'failed') this.#become({ kind: 'stopped' });
    });
  }

  /** Opens the dashboard, its token in the fragment, which no browser sends anywhere. */
  async openDashboard(): Promise<void> {
    if (this.#state.kind !== 'running') return;
    const { dashboardUrl, adminToken } = this.#state.ready;
    await vscode.env.openExternal(vscode.Uri.parse(dashboardUrl).with({ fragment: textOfSecret(adminToken) }));
  }

  dispose(): void {
    void this.#service?.stop();
    this.#changed.dispose();
  }

  async #start(fork: string | undefined): Promise<LocalServiceState> {
    if (this.#state.kind === 'stopped' || this.#state.kind === 'failed') {
      this.#fork = fork;
      this.#service = new LocalService({
        program: this.#deps.program,
        // On a fork nothing happens but what its user does.
        ...(fork === undefined
          ? { args: ['--traffic', String(STEADY_TRAFFIC)] }
          : { args: [`--fork=${fork}`], source: forkSource(this.#deps.server, fork) }),
        onState: (state) => this.#become(state),
      });
    }
    return (await this.#service?.settled()) ?? this.#state;
  }

  #become(state: LocalServiceState): void {
    this.#state = state;
    this.#deps.log.info(`Local service: ${state.kind}${'reason' in state ? ` (${state.reason})` : ''}`);
    if (state.kind === 'failed') state.log.forEach((line) => this.#deps.log.warn(`Local service: ${line}`));
    void vscode.commands.executeCommand('setContext', 'solanaRpc.localService', state.kind);
    if (state.kind === 'running') this.#arrived(state.ready);
    // One that crashed keeps its endpoint: what was meant for it must not go to another one meanwhile.
    else if (state.kind === 'stopped') this.#left();
    this.#changed.fire(state);
  }

  #arrived(ready: LocalServiceReady): void {
    const { profiles, vault, broker } = this.#deps;
    const profile = profileOf(ready);
    broker.local = {
      origin: originOf(ready.adminUrl) ?? '',
      adminToken: ready.adminToken,
      profile: profile.name,
      wallet: ready.wallet.secretKey,
    };
    for (const type of TYPES) {
      const { keyId, key } = ready.keys[type];
      const label = vscode.l10n.t('default');
      vault.hold(
        `local-${type}`,
        { type, label, profile: profile.name, origins: originsFor(profile, type), keyId },
        key,
      );
    }
    profiles.setLocal(profile);
  }

  #left(): void {
    this.#deps.broker.local = undefined;
    for (const type of TYPES) void this.#deps.vault.remove(`local-${type}`);
    this.#deps.profiles.setLocal(undefined);
  }
}

/** The keys travel as the service expects them by default; its plan is left to the service to enforce. */
function profileOf(ready: LocalServiceReady): EndpointProfile {
  return {
    name: LOCAL_PROFILE,
    rpcUrl: ready.rpcUrl,
    restUrl: ready.restUrl,
    dashboardUrl: ready.dashboardUrl,
    wsUrl: ready.wsUrl,
    grpcUrl: ready.grpcUrl,
    variables: JSON.stringify({ wallet: ready.wallet.address }),
    // Each start of the service begins with a new ledger.
    ledger: randomUUID(),
  };
}
