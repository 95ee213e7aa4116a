// How endpoints were when the user last asked, for the Endpoints view. Asks by a gesture alone and never again by itself;
// forgets what was said of an address that an endpoint no longer has.
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { EndpointProfile } from '../../core/service/profiles/profile';
import { endpointState } from '../../protocol/endpointState';
import type { Clusters } from '../profiles/clusters';
import type { EndpointState } from './endpointWords';
import type { Profiles } from '../profiles/profiles';
import { serverAnswer } from '../shared/refusal';

export interface EndpointStatesDeps {
  readonly profiles: Profiles;
  readonly clusters: Clusters;
  readonly server: () => Promise<LanguageClient>;
}

interface Known {
  /** Identifies the endpoint's configuration at the time of the check. */
  readonly subject: string;
  readonly state: EndpointState;
}

export class EndpointStates implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #known = new Map<string, Known>();

  readonly onDidChange = this.#changed.event;

  constructor(private readonly deps: EndpointStatesDeps) {}

  dispose(): void {
    this.#changed.dispose();
  }

  /** Undefined for an endpoint that nobody asked, or that changed since. */
  of(profile: EndpointProfile): EndpointState | undefined {
    const known = this.#known.get(profile.name);
    return known?.subject === subjectOf(profile) ? known.state : undefined;
  }

  /** Asks the endpoint, with its key, how it is. A question that is still open is not asked again. */
  async ask(profile: EndpointProfile): Promise<void> {
    if (this.of(profile)?.kind === 'asking') return;
    const subject = subjectOf(profile);
    const set = (state: EndpointState): void => {
      this.#known.set(profile.name, { subject, state });
      this.#changed.fire();
    };
    set({ kind: 'asking' });
    const params = { profile: profile.name };
    const result = await serverAnswer(async () => (await this.deps.server()).sendRequest(endpointState, params));
    if (result.kind === 'answered' && result.genesisHash !== undefined && profile.rpcUrl !== undefined)
      await this.deps.clusters.note(profile.rpcUrl, result.genesisHash);
    set({ ...result, at: Date.now() });
  }
}

/** Changes with anything that decides who answers. */
const subjectOf = ({ rpcUrl, grpcUrl, ledger }: EndpointProfile): string => JSON.stringify([rpcUrl, grpcUrl, ledger]);
