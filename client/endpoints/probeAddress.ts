// An address of no known provider: offers to ask it what it serves, shows each address first, and what answered. Asks
// nothing itself.
import * as vscode from 'vscode';
import { originOf } from '../../core/service/profiles/origin';
import type { AddressReading } from '../../core/service/providers/address';
import {
  probesOf,
  profileOfProbes,
  type ProbeAddress,
  type ProbedInterface,
} from '../../core/service/providers/probes';
import { probe, type ProbeFinding, type ProbeResult } from '../../protocol/probing';
import { cancellable } from '../shared/cancellable';
import { plain } from '../shared/words';
import type { KeyFlowDeps } from '../keys/keyFlow';

const NAMES: Readonly<Record<ProbedInterface, string>> = { rpc: 'HTTPS', ws: 'WebSocket', grpc: 'gRPC' };

/** The reading with the interfaces that the user keeps, or as it is; undefined where the user gives up. */
export async function probed(deps: KeyFlowDeps, read: AddressReading): Promise<AddressReading | undefined> {
  const addresses = probesOf(read);
  // Nothing leaves a window that is not trusted, and what is known need not be asked.
  if (read.provider !== undefined || addresses.length === 0 || !vscode.workspace.isTrusted) return read;
  const ask = vscode.l10n.t('Probe');
  const keep = vscode.l10n.t('Keep as Pasted');
  const detail = [
    vscode.l10n.t('Each of these gets one request that changes nothing:'),
    ...addresses.map(({ interface: face, url }) => `• ${NAMES[face]}: ${plain(url)}`),
    ...(read.key === undefined ? [] : [vscode.l10n.t('The pasted key is sent to these addresses only.')]),
  ].join('\n');
  const question = vscode.l10n.t('No provider is known at this address. Probe what it serves?');
  const choice = await vscode.window.showInformationMessage(question, { modal: true, detail }, ask, keep);
  if (choice !== ask) return choice === keep ? read : undefined;
  const result = await findings(deps, addresses, read);
  if (result === 'cancelled') return undefined;
  if (result.kind === 'refused') {
    void vscode.window.showWarningMessage(plain(result.error.message));
    return read;
  }
  return chosen(read, addresses, result.findings);
}

async function findings(
  { broker, server }: KeyFlowDeps,
  addresses: readonly ProbeAddress[],
  { key }: AddressReading,
): Promise<ProbeResult | 'cancelled'> {
  const asked = addresses.map((address) => {
    const origin = originOf(address.url);
    if (key === undefined || origin === undefined) return address;
    return { ...address, candidate: broker.offer(key.secret, origin) };
  });
  let isCancelled = false;
  try {
    return await cancellable(vscode.l10n.t('Probing the address…'), async (token) => {
      token.onCancellationRequested(() => (isCancelled = true));
      return (await server()).sendRequest(probe, { addresses: asked }, token);
    });
  } catch (error) {
    if (isCancelled) return 'cancelled';
    const reason = error instanceof Error ? error.message : String(error);
    const message = vscode.l10n.t('The address could not be probed, and is kept as it was pasted: {0}', reason);
    return { kind: 'refused', error: { kind: 'invalidRequest', message } };
  } finally {
    for (const address of asked) if ('candidate' in address) broker.withdraw(address.candidate);
  }
}

/** Asks which addresses to keep. Those that answered are preselected; the user may add the others. */
async function chosen(
  read: AddressReading,
  addresses: readonly ProbeAddress[],
  found: readonly ProbeFinding[],
): Promise<AddressReading | undefined> {
  const rows = addresses.map((address) => {
    const finding = found.find((one) => one.interface === address.interface);
    const isGuarded = finding?.outcome === 'wantsKey' && address.interface === read.slot;
    return {
      label: NAMES[address.interface],
      description: plain(address.url),
      detail: finding === undefined ? '' : words(finding, read.key !== undefined),
      picked: finding?.outcome === 'answers' || isGuarded,
      address,
    };
  });
  const picked = await vscode.window.showQuickPick(rows, {
    title: vscode.l10n.t('Which interfaces should the endpoint have?'),
    placeHolder: vscode.l10n.t('None chosen: the address stays as it was pasted.'),
    canPickMany: true,
    ignoreFocusOut: true,
  });
  if (picked === undefined) return undefined;
  if (picked.length === 0) return read;
  return { ...read, profile: profileOfProbes(picked.map(({ address }) => address)) };
}

function words({ outcome, error }: ProbeFinding, hasKey: boolean): string {
  const why = plain(error?.message ?? '');
  switch (outcome) {
    case 'answers':
      return error === undefined ? vscode.l10n.t('It answers.') : vscode.l10n.t('It answers with an error: {0}', why);
    case 'wantsKey':
      return hasKey ? vscode.l10n.t('It refuses the key: {0}', why) : vscode.l10n.t('It asks for a key.');
    case 'busy':
      return vscode.l10n.t('It answers that it is busy: try again in a moment.');
    case 'nothing':
      return vscode.l10n.t('Nothing usable: {0}', why);
  }
}
