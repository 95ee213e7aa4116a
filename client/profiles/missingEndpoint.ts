// The one prompt for a request that has no endpoint: start the local service, or add an endpoint. Sends nothing; the caller
// continues with what the user wanted.
import * as vscode from 'vscode';
import { LOCAL_PROFILE } from '../../core/service/profiles/profile';
import { plain } from '../shared/words';
import type { Profiles } from './profiles';

export interface MissingEndpointDeps {
  readonly profiles: Profiles;
  /** Resolves once the local service is neither starting nor stopping. */
  readonly localSettled: () => Promise<void>;
  /** Starts the local service and makes it the active endpoint; false if it did not start. */
  readonly startLocal: () => Promise<boolean>;
  /** False if the user left before an endpoint was added. */
  readonly addEndpoint: () => Promise<boolean>;
  readonly chooseEndpoint: () => Thenable<unknown>;
}

export class MissingEndpoint {
  /** The question that is open: requests that are sent together ask once. */
  #open: Promise<boolean> | undefined;

  constructor(private readonly deps: MissingEndpointDeps) {}

  /**
   * True if there is an endpoint, if need be after the question. `name`: an endpoint that a file or a stream names; without
   * one the active endpoint is meant.
   */
  async settle(name?: string): Promise<boolean> {
    if (this.#isThere(name)) return true;
    // It may be on its way: then there is nothing to ask.
    await this.localSettled();
    if (this.#isThere(name)) return true;
    this.#open ??= this.#ask(name).finally(() => (this.#open = undefined));
    await this.#open;
    return this.#isThere(name);
  }

  /** Resolves once the local service is neither starting nor stopping: what is sent then meets it, or its absence. */
  localSettled(): Promise<void> {
    return this.deps.localSettled();
  }

  /** The same for one more endpoint than there are; true if one came. */
  async another(question: string): Promise<boolean> {
    const { profiles } = this.deps;
    const before = profiles.list().length;
    await this.#offer(question, { isLocalMeant: true, isAnyMeant: false });
    return profiles.list().length > before;
  }

  #isThere(name: string | undefined): boolean {
    const { profiles } = this.deps;
    return (name === undefined ? profiles.active() : profiles.find(name)) !== undefined;
  }

  #ask(name: string | undefined): Promise<boolean> {
    const wanted = name ?? this.deps.profiles.absent();
    const isLocalMeant = name === undefined || name === LOCAL_PROFILE;
    return this.#offer(questionOf(wanted), { isLocalMeant, isAnyMeant: name === undefined });
  }

  async #offer(
    question: string,
    { isLocalMeant, isAnyMeant }: { readonly isLocalMeant: boolean; readonly isAnyMeant: boolean },
  ): Promise<boolean> {
    const { profiles, startLocal, addEndpoint, chooseEndpoint } = this.deps;
    const isLocalOff = !profiles.list().some(({ source }) => source === 'local');
    const steps: Readonly<Record<string, () => Thenable<unknown>>> = {
      ...(isLocalMeant && isLocalOff && { [vscode.l10n.t('Start Local Service')]: startLocal }),
      [vscode.l10n.t('Add Endpoint')]: addEndpoint,
      ...(isAnyMeant && profiles.list().length > 0 && { [vscode.l10n.t('Choose Endpoint')]: chooseEndpoint }),
    };
    const detail = vscode.l10n.t(
      'Nothing was sent. The local service is a ledger on this machine: no account, no cost.',
    );
    const chosen = await vscode.window.showInformationMessage(question, { modal: true, detail }, ...Object.keys(steps));
    if (chosen === undefined) return false;
    await steps[chosen]?.();
    return true;
  }
}

function questionOf(wanted: string | undefined): string {
  if (wanted === LOCAL_PROFILE) return vscode.l10n.t('The local service is not running.');
  return wanted === undefined
    ? vscode.l10n.t('There is no endpoint to send to.')
    : vscode.l10n.t('The endpoint “{0}” does not exist.', plain(wanted));
}
