// Adds a key: for an endpoint, for the host that rejected a request, or from a pasted command or a file. No command takes a key
// as an argument or returns one.
import * as vscode from 'vscode';
import type { PastedRequest } from '../../core/requests/curl/read';
import type { AddressReading } from '../../core/service/providers/address';
import { failed, ok, type KeyType, type Result } from '../../core/service/errors';
import type { KeyQuery, PlacedProfile } from '../../core/service/profiles/profile';
import type { Secret } from '../../core/service/keys/secret';
import { entryPorts, type KeyFlowDeps } from './keyFlow';
import { hostsOf, keyUses, placeFor, readQuery, type KeyUse } from './keyPlace';
import type { NewKey } from './keyRecord';
import type { KeyVault } from './keyVault';
import { hostOf, originsFor } from '../profiles/origins';
import type { Profiles } from '../profiles/profiles';
import { enterKey } from './rotation';
import { plain, TYPE_NAMES } from '../shared/words';
import { profileNameIn } from '../shared/command';

export interface AddKeyDeps extends KeyFlowDeps {
  readonly vault: KeyVault;
  readonly profiles: Profiles;
}

/** `target`: an endpoint by name, a row of the Endpoints view, or `{ key: KeyQuery }`. `pasted`: a key that is here already. True once stored. */
export async function addKey(deps: AddKeyDeps, target: unknown, pasted?: Secret): Promise<boolean> {
  const query = readQuery(target);
  const named = deps.profiles.find(query?.profile ?? profileNameIn(target) ?? '');
  // A key for a host without an endpoint is stored under that host, never under the active endpoint.
  const place = query === undefined ? await pickedPlace(named ?? deps.profiles.active()) : placeFor(named, query);
  return place !== undefined && (await addKeyAt(deps, place, pasted));
}

/** The place for a key of a type that the user picks; without an endpoint one is added first. */
export async function pickedPlace(placed: PlacedProfile | undefined): Promise<KeyUse | undefined> {
  if (placed === undefined) {
    await vscode.commands.executeCommand('solanaRpc.addEndpoint');
    return undefined;
  }
  const type = await pickType(placed);
  return type === undefined ? undefined : keyUses(placed, type);
}

/** Asks for label and key, tests and stores it. True when one was stored. */
export async function addKeyAt(deps: AddKeyDeps, place: KeyUse, pasted?: Secret): Promise<boolean> {
  const label = await enteredLabel(place.type, await labelsAt(deps, place));
  if (label === undefined) return false;
  const save = (secret: Secret, as: KeyType, tested: boolean): Promise<Result<void>> =>
    storedAt(deps, place, { type: as, label, tested }, secret);
  const ports = entryPorts(deps, place, save);
  let first = pasted;
  const outcome = await enterKey(place.type, undefined, {
    ...ports,
    ask: (check) => {
      const given = first;
      first = undefined;
      return given === undefined ? ports.ask(check) : Promise.resolve(given);
    },
  });
  if (outcome.kind === 'kept') return false;
  const stays = outcome.kind === 'storedAs' ? outcome.type : place.type;
  const hosts = hostsOf(originsOf(place, stays)).join(', ');
  vscode.window.setStatusBarMessage(
    `$(key) ${vscode.l10n.t('{0} key stored for {1}', TYPE_NAMES[stays], plain(hosts))}`,
    5_000,
  );
  return true;
}

/** The known facts about a key that is about to be stored. */
interface KeyFacts {
  readonly type: KeyType;
  readonly label: string;
  /** Whether the service has accepted it. */
  readonly tested: boolean;
}

/** Stores a key under its actual type and at that type's origins, even if another type was asked for. */
export function storedAt(
  deps: AddKeyDeps,
  place: KeyUse,
  { type, label, tested }: KeyFacts,
  secret: Secret,
): Promise<Result<void>> {
  const origins = originsOf(place, type);
  if (Object.keys(origins).length === 0)
    return Promise.resolve(
      failed({
        kind: 'invalidRequest',
        message: vscode.l10n.t('this endpoint has no interface that takes a {0} key', TYPE_NAMES[type]),
      }),
    );
  const key: NewKey = {
    type,
    label,
    profile: place.profile,
    origins,
    ...waysAt(place, origins),
    state: { kind: tested ? 'active' : 'untested' },
  };
  return stored(() => deps.vault.add(key, secret));
}

const originsOf = ({ type, origins, tried }: KeyUse, as: KeyType): KeyUse['origins'] =>
  as === type ? origins : tried === undefined ? {} : originsFor(tried, as);

/** The ways to exactly these interfaces. */
function waysAt({ ways }: KeyUse, origins: KeyUse['origins']): Pick<NewKey, 'ways'> {
  const kept = Object.entries(ways).filter(([face]) => Object.hasOwn(origins, face));
  return kept.length === 0 ? {} : { ways: Object.fromEntries(kept) };
}

/** The labels of an endpoint's keys of a type. */
export const labelsAt = async (
  { vault }: AddKeyDeps,
  { type, profile }: Pick<KeyUse, 'type' | 'profile'>,
): Promise<readonly string[]> =>
  (await vault.list()).filter((key) => key.type === type && key.profile === profile).map(({ label }) => label);

/** The label that the user gives a key; undefined when he gives up. Keys of one type at one endpoint bear different ones. */
export async function enteredLabel(
  type: KeyType,
  taken: readonly string[],
  current?: string,
): Promise<string | undefined> {
  const label = await vscode.window.showInputBox({
    title: vscode.l10n.t('A label for this key'),
    prompt: vscode.l10n.t('It is shown in the Endpoints view; a file chooses a key by it: # @key LABEL'),
    value: current ?? freeLabel(TYPE_NAMES[type].toLowerCase(), taken),
    ignoreFocusOut: true,
    validateInput: (text) => {
      if (text.trim() === '') return vscode.l10n.t('A label is needed.');
      return taken.includes(text.trim()) ? vscode.l10n.t('Another key here has this label.') : undefined;
    },
  });
  return label?.trim();
}

/** Stores a key under a label that nobody was asked for. */
export async function storedUnasked(deps: AddKeyDeps, place: KeyUse, secret: Secret): Promise<Result<void>> {
  const { type } = place;
  const label = freeLabel(TYPE_NAMES[type].toLowerCase(), await labelsAt(deps, place));
  return storedAt(deps, place, { type, label, tested: false }, secret);
}

function freeLabel(wanted: string, taken: readonly string[]): string {
  let label = wanted;
  for (let n = 2; taken.includes(label); n++) label = `${wanted}-${n}`;
  return label;
}

export async function stored(write: () => Promise<unknown>): Promise<Result<void>> {
  try {
    await write();
    return ok(undefined);
  } catch (error) {
    // The storage's own words may hold what it was given; its kind of error is enough.
    const reason = error instanceof Error ? error.name : 'Error';
    return failed({ kind: 'invalidRequest', message: vscode.l10n.t('the secret storage failed ({0})', reason) });
  }
}

/** `withoutKeys` is offered along with the types, and called if the user says that no key is needed. */
export async function pickType(
  { profile }: PlacedProfile,
  withoutKeys?: () => Promise<void>,
): Promise<KeyType | undefined> {
  const types = [
    { type: 'rpc', detail: vscode.l10n.t('JSON-RPC, WebSocket and usage') },
    { type: 'grpc', detail: vscode.l10n.t('Streams') },
    { type: 'swqos', detail: vscode.l10n.t('Priority transaction landing') },
  ] as const;
  const offered = types.filter(({ type }) => Object.keys(originsFor(profile, type)).length > 0);
  const rows: (vscode.QuickPickItem & { readonly type?: KeyType })[] = offered.map((row) => ({
    ...row,
    label: vscode.l10n.t('{0} key', TYPE_NAMES[row.type]),
  }));
  if (withoutKeys !== undefined) rows.push({ label: vscode.l10n.t('It needs no key') });
  const title = vscode.l10n.t('Add a key for {0}', plain(profile.name));
  const choice = await vscode.window.showQuickPick(rows, { title });
  if (choice !== undefined && choice.type === undefined) await withoutKeys?.();
  return choice?.type;
}

/** A pasted command held a key: it stays out of the file, and can go to the secret storage of the endpoint it was for. */
export async function offerKeys(
  deps: AddKeyDeps & { readonly addEndpoint: (read: AddressReading) => Promise<boolean> },
  { keys, host, endpoint, dropped }: PastedRequest,
): Promise<void> {
  if (keys.length === 0) return;
  const placed = deps.profiles.list().find(({ profile }) => hostOf(profile.rpcUrl ?? '').split('/')[0] === host);
  const store = placed === undefined ? vscode.l10n.t('Add Endpoint…') : vscode.l10n.t('Store the Key');
  const text =
    dropped.length === 0
      ? vscode.l10n.t('The command contained a key for {0}. It was left out of the file.', plain(host))
      : vscode.l10n.t(
          'The command contained {0} keys for {1}. They were left out of the file, and an endpoint has one: without the one in {2}.',
          keys.length,
          plain(host),
          plain(dropped.join(', ')),
        );
  if ((await vscode.window.showInformationMessage(text, store)) !== store) return;
  if (placed === undefined) await deps.addEndpoint(endpoint);
  else await addKey(deps, placed.profile.name, endpoint.key?.secret);
}

/** Hosts with an open prompt: a run of many requests asks once. */
const asking = new Set<string>();

/** A request was refused for want of a key: says so, with the way to add one. True once a key was stored. */
export async function offerKeyFor(deps: AddKeyDeps, query: KeyQuery): Promise<boolean> {
  const name = `${query.type} ${query.origin}`;
  if (asking.has(name)) return false;
  asking.add(name);
  try {
    const host = plain(hostOf(query.origin));
    const add = vscode.l10n.t('Add Key for {0}', host);
    const text = vscode.l10n.t('No {0} key for {1}.', TYPE_NAMES[query.type], host);
    return (await vscode.window.showWarningMessage(text, add)) === add && (await addKey(deps, { key: query }));
  } finally {
    asking.delete(name);
  }
}
