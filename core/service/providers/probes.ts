// Guesses the services behind an address of no known provider: the addresses to probe if the user agrees, and the
// endpoint that follows from their answers. Sends nothing itself. Pure.
import type { AuthForm } from '../keys/authForm';
import { originOf } from '../profiles/origin';
import { URL_OF, type EndpointProfile } from '../profiles/profile';
import type { AddressReading } from './address';

/** The interfaces that can be asked without changing anything. */
export type ProbedInterface = 'rpc' | 'ws' | 'grpc';

/** All of them have the host and port that were pasted: a key that was pasted goes nowhere else. */
export interface ProbeAddress {
  readonly interface: ProbedInterface;
  /** With `{key}` where the key goes. */
  readonly url: string;
  /** Absent: as the URL says. */
  readonly auth?: AuthForm;
}

/** Empty for an address that is to be used for sending alone. */
export function probesOf({ profile, slot, key }: AddressReading): readonly ProbeAddress[] {
  const pasted = profile[URL_OF[slot]];
  if (pasted === undefined || slot === 'swqos' || slot === 'rest') return [];
  const origin = originOf(pasted.replace(/^ws/i, 'http'));
  if (origin === undefined) return [];
  const form = profile.auth?.[slot];
  const isStream = slot === 'grpc';
  const web = isStream ? `${origin}/` : pasted.replace(/^ws/i, 'http');
  const streams: AuthForm | undefined = isStream || key === undefined ? form : (form ?? 'header:x-token');
  return [
    { interface: 'rpc', url: web, ...(form !== undefined && { auth: form }) },
    { interface: 'ws', url: web.replace(/^http/i, 'ws'), ...(form !== undefined && { auth: form }) },
    { interface: 'grpc', url: isStream ? pasted : origin, ...(streams !== undefined && { auth: streams }) },
  ];
}

/** The endpoint of the interfaces that are kept. */
export function profileOfProbes(kept: readonly ProbeAddress[]): Omit<EndpointProfile, 'name'> {
  const urls = kept.map(({ interface: face, url }) => [URL_OF[face], url] as const);
  const auth = kept.flatMap(({ interface: face, auth: form }) => (form === undefined ? [] : [[face, form] as const]));
  return { ...Object.fromEntries(urls), ...(auth.length > 0 && { auth: Object.fromEntries(auth) }) };
}
