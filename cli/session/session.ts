// Everything a command needs to send: keys, endpoints, variables, the transports, and a local service if requested. All of it
// is always ended.
import { DEFAULT_TIMEOUT_MS, type RunInput } from '../../runner/run';
import { Chains } from '../../core/requests/run/chains';
import type { Result } from '../../core/service/errors';
import type { PreparedRequest } from '../../core/requests/run/model';
import type { Net, SendTarget } from '../../net/api';
import type { RunPorts, RunProgress } from '../../runner/ports';
import type { Bodies } from './bodies';
import { variablesOf, type PlacedProfile } from '../../core/service/profiles/profile';
import { resolveEndpoints } from './endpoints';
import { readGivenKeys } from './keys';
import { durationOption, type Given } from '../options';
import { openNetwork } from './network';
import { createPorts, place } from './ports';
import { allowedEnvironment, readVariables } from './variables';

export interface Session {
  readonly ports: RunPorts;
  /** The part of a run that is the same for all files. */
  readonly input: Pick<RunInput, 'variables' | 'environment' | 'profileVariables' | 'endpoint' | 'defaultTimeoutMs'>;
  readonly net: Net;
  /** Where a request goes. */
  place(request: PreparedRequest): Result<SendTarget>;
  /** The active endpoint. */
  readonly active: PlacedProfile | undefined;
}

interface SessionOptions {
  /** Where large bodies are kept. */
  readonly bodies: Bodies;
  readonly signal: AbortSignal;
  readonly onProgress: (event: RunProgress) => void;
}

export async function withSession<T>(
  given: Given,
  { bodies, signal, onProgress }: SessionOptions,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const workspace = process.cwd();
  const defaultTimeoutMs = durationOption(given, 'timeout', DEFAULT_TIMEOUT_MS);
  const variables = await readVariables(given);
  const allowed = allowedEnvironment(given);
  const environmentKeys = await readGivenKeys(process.env, given.flag('key-stdin') ? process.stdin : undefined);
  const endpoints = await resolveEndpoints(given, process.env, workspace, environmentKeys);
  const replayed = given.text('case');
  const isLocal = given.flag('local') || replayed !== undefined;
  const local = isLocal ? await (await import('./local')).startForRun(signal, replayed) : undefined;
  try {
    const network = await openNetwork(endpoints, environmentKeys, local);
    const { net, find } = network;
    try {
      const ports = createPorts({
        ...network,
        workspace,
        spillFile: () => bodies.file(),
        environment: process.env,
        extraEnvironment: variables.environment,
        allowedEnvironment: allowed,
        yes: given.flag('yes'),
        localWallet: local?.ready.wallet,
        wallets: endpoints.wallets,
        onProgress,
        chains: new Chains(),
        signal,
      });
      const active = find(undefined);
      const input = {
        variables: variables.values,
        ...(endpoints.environment !== undefined && { environment: endpoints.environment }),
        profileVariables: (name: string | undefined) => variablesOf(find(name)),
        endpoint: active?.profile.name ?? '',
        defaultTimeoutMs,
      };
      return await work({ ports, input, net, place: (request) => place(request, network), active });
    } finally {
      await net.close();
    }
  } finally {
    await local?.stop();
  }
}
