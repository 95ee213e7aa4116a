// The user's way to the network, for every command that sends.
import { connectSettings } from '../../net/connect/environment';
import { UsageError } from '../exit';
import type { ConnectSettings } from '../../net/api';

/** Throws UsageError if the environment names an invalid proxy. */
export function connectFrom(environment: NodeJS.ProcessEnv): ConnectSettings {
  const settings = connectSettings(environment);
  if (!settings.ok) throw new UsageError(`${settings.error.message} ${settings.error.hint ?? ''}`);
  return settings.value;
}
