// The user's way to the network, for every command that sends.
import type { PlacedProfile } from '../../core/service/profiles/profile';
import type { ConnectSettings, KeyPort, Net } from '../../net/api';
import { connectSettings } from '../../net/connect/environment';
import { UsageError } from '../exit';
import type { Endpoints } from './endpoints';
import { keyPort, type KeysByType } from './keys';
import type { Local } from './local';

export interface Network extends Pick<Endpoints, 'find' | 'known'> {
  readonly net: Net;
}

/** The endpoints of a command. A local service is the active one, and only its keys are used. Throws UsageError. */
export async function openNetwork(endpoints: Endpoints, keys: KeysByType, local?: Local): Promise<Network> {
  if (local === undefined) {
    const net = await openNet(keyPort(keys, endpoints.keyOrigins, endpoints.keyWays));
    return { net, find: (name) => endpoints.find(name), known: endpoints.known };
  }
  const { profile } = local;
  const find = (name: string | undefined): PlacedProfile | undefined =>
    name === undefined || name === 'local' ? profile : endpoints.find(name);
  const net = await openNet(keyPort(local.keys, local.origins));
  return { net, find, known: [profile, ...endpoints.known] };
}

/** The transports, loaded when something may be sent, and not before. Throws UsageError. */
export async function openNet(keys: KeyPort): Promise<Net> {
  const { createNet } = await import('../../net/transports');
  return createNet({ connect: connectFrom(process.env), keys });
}

/** Throws UsageError if the environment names an invalid proxy. */
function connectFrom(environment: NodeJS.ProcessEnv): ConnectSettings {
  const settings = connectSettings(environment);
  if (!settings.ok) throw new UsageError(`${settings.error.message} ${settings.error.hint ?? ''}`);
  return settings.value;
}
