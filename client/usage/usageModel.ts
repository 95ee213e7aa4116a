// The usage of the active endpoint as this window knows it: the account, its keys, the range. Asks the server when a view
// or the report is opened or refreshed, and keeps the numbers of last time over a reload. Draws nothing.
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { ServiceError } from '../../core/service/errors';
import { originOf } from '../../core/service/profiles/origin';
import type { KeyQuery } from '../../core/service/profiles/profile';
import type { ListedKey } from '../../core/service/usage';
import { usage, usageKeys, type UsageParams, type UsageResult } from '../../protocol/usage';
import type { SetContext } from '../shared/contexts';
import { serverAnswer } from '../shared/refusal';
import type { KeyRecord } from '../keys/keyRecord';
import type { Profiles } from '../profiles/profiles';
import { endsOf, type ChosenRange } from './usageRange';
import {
  askedOf,
  lastOf,
  recalled,
  type KeysState,
  type KeyUsage,
  type RememberedUsage,
  type UsageState,
} from './usageState';

export interface UsageModelDeps {
  readonly profiles: Profiles;
  readonly server: () => Promise<LanguageClient>;
  readonly memory: vscode.Memento;
  readonly setContext: SetContext;
  /** Keys of this editor whose ids are known. */
  readonly stored: () => Promise<readonly KeyRecord[]>;
  /** Called with every answer, to record what it says about the key. */
  readonly onAnswer: (query: KeyQuery | undefined, error: ServiceError | undefined) => void;
}

const MEMORY = 'solanaRpc.usage';
/** Key ids that were typed in, by endpoint. */
const TYPED = 'solanaRpc.usageKeys';
/** More keys than this are not asked for at once. */
const MAX_KEYS = 100;

const UNKNOWN: KeysState = { kind: 'unknown' };

export class UsageModel implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscription: vscode.Disposable;
  #state: UsageState = { kind: 'idle' };
  #keys: KeysState = UNKNOWN;
  #range: ChosenRange = { kind: 'day' };
  #endpoint: string | undefined;
  #ledger: string | undefined;
  #loading: vscode.CancellationTokenSource | undefined;
  /** The newest request of the list of keys, and of each key's usage: an older answer may come after the newer one. */
  #listing: symbol | undefined;
  readonly #asking = new Map<string, symbol>();

  readonly onDidChange = this.#changed.event;

  constructor(private readonly deps: UsageModelDeps) {
    this.#subscription = deps.profiles.onDidChange(() => this.#endpointChanged());
    this.#endpointChanged();
  }

  dispose(): void {
    this.#loading?.cancel();
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  get state(): UsageState {
    return this.#state;
  }

  get keys(): KeysState {
    return this.#keys;
  }

  get range(): ChosenRange {
    return this.#range;
  }

  get endpoint(): string | undefined {
    return this.#endpoint;
  }

  /** Which key the usage is asked with. */
  get query(): KeyQuery | undefined {
    const profile = this.deps.profiles.active()?.profile;
    const origin = originOf(profile?.restUrl ?? '');
    if (profile === undefined || origin === undefined) return undefined;
    return { type: 'rpc', interface: 'rest', profile: profile.name, origin };
  }

  async setRange(range: ChosenRange): Promise<void> {
    this.#range = range;
    await this.load();
  }

  /** Reloads what is shown: the account, and the keys that were opened. A load that is under way is cancelled. */
  async load(): Promise<void> {
    if (this.#endpoint === undefined) return;
    this.#loading?.cancel();
    const cancel = new vscode.CancellationTokenSource();
    this.#loading = cancel;
    const opened =
      this.#keys.kind === 'known' ? this.#keys.keys.filter(({ usage: known }) => known.kind !== 'idle') : [];
    const isCurrent = (): boolean => this.#loading === cancel;
    this.#set({ kind: 'loading', last: lastOf(this.#state) });
    await vscode.window.withProgress({ location: { viewId: 'solanaRpc.usage' } }, async () => {
      const result = await this.#ask(undefined, cancel.token);
      if (!isCurrent()) return;
      this.deps.onAnswer(this.query, result.kind === 'failed' ? result.error : undefined);
      this.#set(stateAfter(result, this.#state));
      // After a refusal of the account the keys would be refused for the same reason.
      if (result.kind === 'loaded')
        await this.#loadKeys(
          opened.map(({ keyId }) => keyId),
          cancel.token,
        );
    });
    cancel.dispose();
    if (!isCurrent()) return;
    this.#loading = undefined;
    await this.#remember();
  }

  /** Lists the account's keys if the service does, along with those that were typed in or are stored here. */
  async openKeys(): Promise<void> {
    if (this.#keys.kind !== 'unknown' || this.#endpoint === undefined) return;
    await this.#listKeys();
  }

  /** Loads the usage of one key. */
  async openKey(keyId: string): Promise<void> {
    const token = new vscode.CancellationTokenSource();
    try {
      await this.#loadKeys([keyId], token.token);
    } finally {
      token.dispose();
    }
  }

  /** For the report: the keys, and the usage of each. */
  async openAll(): Promise<void> {
    await this.openKeys();
    if (this.#keys.kind !== 'known') return;
    for (const { keyId, usage: known } of this.#keys.keys.slice(0, MAX_KEYS))
      if (known.kind === 'idle') await this.openKey(keyId);
  }

  async addKeyId(keyId: string): Promise<void> {
    await this.#setTyped([...new Set([...this.#typed(), keyId])]);
    this.#keys = UNKNOWN;
    await this.#listKeys();
    await this.openKey(keyId);
  }

  async removeKeyId(keyId: string): Promise<void> {
    await this.#setTyped(this.#typed().filter((id) => id !== keyId));
    if (this.#keys.kind === 'known')
      this.#keys = { ...this.#keys, keys: this.#keys.keys.filter((key) => key.keyId !== keyId || !key.isTyped) };
    this.#changed.fire();
  }

  async #listKeys(): Promise<void> {
    this.#keys = { kind: 'loading' };
    this.#changed.fire();
    const listing = Symbol('listing');
    this.#listing = listing;
    const result = await serverAnswer(async () => (await this.deps.server()).sendRequest(usageKeys));
    const listed: readonly ListedKey[] = result.kind === 'listed' ? result.keys : [];
    const own = (await this.deps.stored()).flatMap(({ keyId, type, label, profile }) =>
      keyId === undefined || profile !== this.#endpoint ? [] : [{ keyId, type, label }],
    );
    if (this.#listing !== listing) return;
    const known = new Map<string, KeyUsage>();
    const add = (key: ListedKey, isTyped: boolean): void => {
      if (!known.has(key.keyId)) known.set(key.keyId, { ...key, isTyped, usage: { kind: 'idle' } });
    };
    listed.forEach((key) => add(key, false));
    own.forEach((key) => add(key, false));
    this.#typed().forEach((keyId) => add({ keyId }, true));
    this.#keys = {
      kind: 'known',
      keys: [...known.values()],
      listed: result.kind === 'listed',
      ...(result.kind === 'failed' && { error: result.error }),
    };
    this.#changed.fire();
  }

  async #loadKeys(keyIds: readonly string[], token: vscode.CancellationToken): Promise<void> {
    for (const keyId of keyIds) {
      if (token.isCancellationRequested) return;
      const asking = Symbol(keyId);
      this.#asking.set(keyId, asking);
      this.#setKey(keyId, (before) => ({ kind: 'loading', last: lastOf(before) }));
      const result = await this.#ask(keyId, token);
      // A load that is cancelled has a newer one after it, or another endpoint.
      if (token.isCancellationRequested) return;
      if (this.#asking.get(keyId) !== asking) continue;
      this.#setKey(keyId, (before) => stateAfter(result, before));
    }
  }

  #setKey(keyId: string, next: (before: UsageState) => UsageState): void {
    if (this.#keys.kind !== 'known') return;
    const keys = this.#keys.keys.map((key) => (key.keyId === keyId ? { ...key, usage: next(key.usage) } : key));
    this.#keys = { ...this.#keys, keys };
    this.#changed.fire();
  }

  #ask(keyId: string | undefined, token: vscode.CancellationToken): Promise<UsageResult> {
    const params: UsageParams = {
      ...endsOf(this.#range, Math.floor(Date.now() / 1000)),
      ...(keyId !== undefined && { keyId }),
    };
    return serverAnswer(async () => (await this.deps.server()).sendRequest(usage, params, token));
  }

  #endpointChanged(): void {
    const profile = this.deps.profiles.active()?.profile;
    const asked = askedOf(profile);
    const endpoint = typeof asked === 'string' ? asked : undefined;
    const { kind } = this.#state;
    const isSame = endpoint === this.#endpoint && profile?.ledger === this.#ledger;
    if (isSame && (typeof asked === 'string' ? kind !== 'idle' : kind === asked.kind)) return;
    this.#endpoint = endpoint;
    this.#ledger = profile?.ledger;
    this.#loading?.cancel();
    this.#loading = undefined;
    this.#listing = undefined;
    this.#asking.clear();
    this.#keys = UNKNOWN;
    if (typeof asked !== 'string') {
      this.#set(asked);
      return;
    }
    const kept = recalled(this.deps.memory.get<RememberedUsage>(MEMORY), asked, this.#ledger);
    this.#range = kept.range ?? this.#range;
    this.#set(kept.state);
  }

  #typed(): readonly string[] {
    const all = this.deps.memory.get<Readonly<Record<string, readonly string[]>>>(TYPED) ?? {};
    const own = Object.hasOwn(all, this.#endpoint ?? '') ? all[this.#endpoint ?? ''] : undefined;
    return own ?? [];
  }

  async #setTyped(keyIds: readonly string[]): Promise<void> {
    const all = this.deps.memory.get<Readonly<Record<string, readonly string[]>>>(TYPED) ?? {};
    await this.deps.memory.update(TYPED, { ...all, [this.#endpoint ?? '']: keyIds });
  }

  async #remember(): Promise<void> {
    if (this.#state.kind !== 'loaded' || this.#endpoint === undefined) return;
    const remembered: RememberedUsage = {
      endpoint: this.#endpoint,
      ...(this.#ledger !== undefined && { ledger: this.#ledger }),
      range: this.#range,
      last: this.#state.last,
    };
    await this.deps.memory.update(MEMORY, remembered);
  }

  #set(state: UsageState): void {
    this.#state = state;
    this.deps.setContext('solanaRpc.usage', state.kind);
    this.#changed.fire();
  }
}

function stateAfter(result: UsageResult, before: UsageState): UsageState {
  if (result.kind === 'failed') return { kind: 'failed', error: result.error, last: lastOf(before) };
  return { kind: 'loaded', last: { ...result, at: Date.now() } };
}
