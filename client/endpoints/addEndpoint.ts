// Adding an endpoint, guided: a preset or any of its addresses, its name, its key. The key is tested against it as every other.
import * as vscode from 'vscode';
import type { EndpointProfile } from '../../core/service/profiles/profile';
import { readAddress, withSender, type AddressReading } from '../../core/service/providers/address';
import { withoutKeyPlaces } from '../../core/service/providers/forms';
import { keyUses } from '../keys/keyPlace';
import { plain } from '../shared/words';
import { addKeyAt, pickType, storedUnasked, type AddKeyDeps } from '../keys/addKey';
import { chooseStart } from './choosePreset';
import { hostOf, needsKey } from '../profiles/origins';
import { freeName, type Preset } from './presets';
import { probed } from './probeAddress';

/** True once an endpoint was added, with a key or without. `read`: an address that is here already. */
export async function addEndpoint(deps: AddKeyDeps, read?: AddressReading): Promise<boolean> {
  if (read !== undefined) return addAt(deps, read);
  const isLocalOn = (): boolean => deps.profiles.list().some(({ source }) => source === 'local');
  const start = await chooseStart(isLocalOn());
  switch (start?.kind) {
    case undefined:
      return false;
    case 'local':
      await vscode.commands.executeCommand('solanaRpc.startLocalService');
      return isLocalOn();
    case 'public':
      return addPublic(deps, start);
    case 'address':
    case 'provider': {
      const address = start.kind === 'address' ? readAddress(start.text) : await enteredAddress(start);
      return address !== undefined && addAt(deps, address);
    }
  }
}

/** A public cluster needs no name, no key and no second one of it. */
async function addPublic(
  { profiles }: AddKeyDeps,
  { name, address }: Extract<Preset, { kind: 'public' }>,
): Promise<boolean> {
  const read = readAddress(address);
  if (read === undefined) return false;
  const { rpcUrl } = read.profile;
  const known = profiles.list().find(({ profile, source }) => source === 'user' && profile.rpcUrl === rpcUrl);
  if (known !== undefined) {
    await profiles.activate(known.profile.name);
    return true;
  }
  const taken = new Set(profiles.list().map(({ profile }) => profile.name));
  return added(profiles, { name: freeName(name, taken), ...read.profile });
}

/** Writes it down and says so; false if the settings cannot be written. */
async function added(profiles: AddKeyDeps['profiles'], profile: EndpointProfile): Promise<boolean> {
  if (!(await profiles.add(profile))) return false;
  vscode.window.setStatusBarMessage(
    `$(plug) ${vscode.l10n.t('Added {0}: {1}.', plain(profile.name), interfacesOf(profile).join(', '))}`,
    8_000,
  );
  return true;
}

async function addAt(deps: AddKeyDeps, address: AddressReading): Promise<boolean> {
  if (address.slot === 'swqos') {
    const given = await givenToAnother(deps, address);
    if (given !== 'its own') return given === 'added';
  }
  const pasted = await probed(deps, address);
  if (pasted === undefined) return false;
  const name = await enteredName(deps, pasted.name);
  if (name === undefined) return false;
  const profile: EndpointProfile = { name, ...pasted.profile };
  if (!(await added(deps.profiles, profile))) return false;
  const { key } = pasted;
  if (key === undefined && !needsKey(profile)) return true;
  const placed = { profile, source: 'user' } as const;
  const type = key?.type ?? (await pickType(placed, () => withoutKeys(deps, profile)));
  const isStored = type !== undefined && (await addKeyAt(deps, keyUses(placed, type), key?.secret));
  // An unknown address has several interfaces only where they were probed, all of them with the pasted key.
  const isProbed = pasted.provider === undefined && profile.grpcUrl !== undefined && key?.type === 'rpc';
  if (!isStored || !isProbed) return true;
  const result = await storedUnasked(deps, keyUses(placed, 'grpc'), key.secret);
  if (!result.ok) void vscode.window.showWarningMessage(plain(result.error.message));
  return true;
}

/** A sender lands transactions and answers nothing else: offers it to the endpoints that have an address to ask. */
async function givenToAnother(deps: AddKeyDeps, sender: AddressReading): Promise<'added' | 'left' | 'its own'> {
  const owners = deps.profiles
    .list()
    .filter(({ profile, source }) => source === 'user' && profile.rpcUrl !== undefined);
  if (owners.length === 0) return 'its own';
  const rows: (vscode.QuickPickItem & { readonly profile?: EndpointProfile })[] = owners.map(({ profile }) => ({
    label: plain(profile.name),
    description:
      profile.swqosUrl === undefined ? '' : vscode.l10n.t('in place of {0}', plain(hostOf(profile.swqosUrl))),
    profile,
  }));
  rows.push({ label: vscode.l10n.t('A separate endpoint for sending transactions') });
  const title = vscode.l10n.t('{0} lands transactions. Which endpoint sends with it?', plain(sender.name));
  const choice = await vscode.window.showQuickPick(rows, { title, ignoreFocusOut: true });
  if (choice === undefined) return 'left';
  if (choice.profile === undefined) return 'its own';
  const profile = withSender(choice.profile, sender);
  if (!(await deps.profiles.add(profile))) return 'left';
  if (profile.auth?.swqos !== 'none')
    await addKeyAt(deps, keyUses({ profile, source: 'user' }, 'swqos'), sender.key?.secret);
  return 'added';
}

/** The user's own address of a provider. */
async function enteredAddress({
  name,
  hint,
  example,
}: Extract<Preset, { kind: 'provider' }>): Promise<AddressReading | undefined> {
  const address = await vscode.window.showInputBox({
    title: vscode.l10n.t('Add endpoint: address at {0}', name),
    prompt: `${hint.replaceAll('`', '')} ${vscode.l10n.t('A key in it goes to the secret storage, not to the settings.')}`,
    placeHolder: example,
    ignoreFocusOut: true,
    validateInput: (text) =>
      text.trim() !== '' && readAddress(text) === undefined
        ? vscode.l10n.t('Not an address: write a host, or an address that begins with https://, wss:// or grpc://.')
        : undefined,
  });
  return address === undefined ? undefined : readAddress(address);
}

async function enteredName({ profiles }: AddKeyDeps, wanted: string): Promise<string | undefined> {
  const taken = new Set(profiles.list().map(({ profile }) => profile.name));
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t('Add endpoint: its name'),
    value: wanted,
    ignoreFocusOut: true,
    validateInput: (text) => {
      if (text.trim() === '') return vscode.l10n.t('A name is needed.');
      return taken.has(text.trim()) ? vscode.l10n.t('Another endpoint has this name.') : undefined;
    },
  });
  return name?.trim();
}

/** The interfaces of an endpoint, for display. */
const interfacesOf = ({ rpcUrl, wsUrl, grpcUrl, restUrl, swqosUrl }: EndpointProfile): readonly string[] => [
  ...(rpcUrl === undefined ? [] : ['HTTPS']),
  ...(wsUrl === undefined ? [] : ['WebSocket']),
  ...(grpcUrl === undefined ? [] : ['gRPC']),
  ...(swqosUrl === undefined ? [] : ['SWQoS']),
  ...(restUrl === undefined ? [] : [vscode.l10n.t('usage')]),
];

/** A public endpoint, or a validator on the own network. */
const withoutKeys = async ({ profiles }: AddKeyDeps, profile: EndpointProfile): Promise<void> => {
  await profiles.add(withoutKeyPlaces(profile));
};
