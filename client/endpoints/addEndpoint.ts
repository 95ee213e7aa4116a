// Adding an endpoint, guided: any of its addresses, its name, its key. The key is tested against it as every other.
import * as vscode from 'vscode';
import type { EndpointProfile } from '../../core/profile';
import { placeAt } from '../keys/keyPlace';
import { readPasted } from './pastedEndpoint';
import { plain } from '../app/words';
import { addKeyAt, pickType, type AddKeyDeps } from '../keys/addKey';

/** True once an endpoint was added, with a key or without. */
export async function addEndpoint(deps: AddKeyDeps): Promise<boolean> {
  const address = await vscode.window.showInputBox({
    title: vscode.l10n.t('Add endpoint (1 of 2): where is it?'),
    prompt: vscode.l10n.t(
      'A host, or any address of the service. A key in it goes to the secret storage, not to the settings.',
    ),
    placeHolder: 'https://host.example/sol',
    ignoreFocusOut: true,
    validateInput: (text) =>
      text.trim() !== '' && readPasted(text) === undefined
        ? vscode.l10n.t('Not an address: write a host, or an address that begins with https://, wss:// or grpc://.')
        : undefined,
  });
  const pasted = address === undefined ? undefined : readPasted(address);
  if (pasted === undefined) return false;
  const name = await enteredName(deps, pasted.name);
  if (name === undefined) return false;
  const profile: EndpointProfile = { name, ...pasted.profile };
  if (!(await deps.profiles.add(profile))) return false;
  vscode.window.setStatusBarMessage(
    `$(plug) ${vscode.l10n.t('Added {0}: {1}.', plain(name), interfacesOf(profile).join(', '))}`,
    8_000,
  );
  if (profile.auth?.rpc === 'none') return true;
  const placed = { profile, source: 'user' } as const;
  const key = pasted.key;
  const type = key?.type ?? (await pickType(placed, () => withoutKeys(deps, profile)));
  if (type !== undefined) await addKeyAt(deps, placeAt(placed, type), key?.secret);
  return true;
}

async function enteredName({ profiles }: AddKeyDeps, wanted: string): Promise<string | undefined> {
  const taken = new Set(profiles.list().map(({ profile }) => profile.name));
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t('Add endpoint (2 of 2): its name'),
    value: wanted,
    ignoreFocusOut: true,
    validateInput: (text) => {
      if (text.trim() === '') return vscode.l10n.t('A name is needed.');
      return taken.has(text.trim()) ? vscode.l10n.t('Another endpoint has this name.') : undefined;
    },
  });
  return name?.trim();
}

/** What was found or guessed, for a look at it. */
const interfacesOf = ({ rpcUrl, wsUrl, grpcUrl, restUrl }: EndpointProfile): readonly string[] => [
  ...(rpcUrl === undefined ? [] : ['HTTPS']),
  ...(wsUrl === undefined ? [] : ['WebSocket']),
  ...(grpcUrl === undefined ? [] : ['gRPC']),
  ...(restUrl === undefined ? [] : [vscode.l10n.t('usage')]),
];

/** A public endpoint, or a validator on the own network. */
const withoutKeys = async ({ profiles }: AddKeyDeps, profile: EndpointProfile): Promise<void> => {
  await profiles.add({ ...profile, auth: { rpc: 'none', ws: 'none', grpc: 'none', rest: 'none' } });
};
