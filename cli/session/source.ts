// The endpoint that a local service reads accounts from. Its questions come over IPC; each becomes one read through net,
// with the user's keys, and never anything else. URL and key stay in this process.
import { readResult } from '../../net/readResult';
import { settleInterface, shownHost } from '../../net/target/target';
import type { SourceReader } from '../../process/sourceQuestions';
import { askSource } from '../../process/sourceReads';
import { UsageError } from '../exit';
import { readArguments } from '../options';
import { resolveEndpoints } from './endpoints';
import { readGivenKeys } from './keys';
import { openNetwork } from './network';

/** The clusters as the Solana tools call them. */
const CLUSTERS: Readonly<Record<string, readonly string[]>> = {
  m: ['--provider', 'public:mainnet'],
  'mainnet-beta': ['--provider', 'public:mainnet'],
  d: ['--provider', 'public:devnet'],
  devnet: ['--provider', 'public:devnet'],
  t: ['--provider', 'public:testnet'],
  testnet: ['--provider', 'public:testnet'],
  l: ['--rpc-url', 'http://localhost:8899'],
  localhost: ['--rpc-url', 'http://localhost:8899'],
};

export interface Source {
  /** The name shown to people and the service: a host or a profile's name, without any key. */
  readonly name: string;
  readonly read: SourceReader;
  close(): Promise<void>;
}

/** `address` is a URL, a cluster's name, or that of an endpoint profile. Throws UsageError. */
export async function openSource(address: string, keyFromStdin: boolean): Promise<Source> {
  const place = Object.hasOwn(CLUSTERS, address) ? CLUSTERS[address] : undefined;
  const isUrl = /^https?:\/\//i.test(address);
  const given = readArguments('usage', place ?? [isUrl ? '--rpc-url' : '--endpoint', address]);
  const keys = await readGivenKeys(process.env, keyFromStdin ? process.stdin : undefined);
  const endpoints = await resolveEndpoints(given, process.env, process.cwd(), keys);
  if (endpoints.active === undefined) throw new UsageError('Which endpoint is to be read? Give a URL or a profile.');
  const target = settleInterface(endpoints.active, 'rpc');
  if (!target.ok) throw new UsageError([target.error.message, target.error.hint ?? ''].join(' ').trim());
  const { net } = await openNetwork(endpoints, keys);
  return {
    name: isUrl || place !== undefined ? shownHost(target.value.url) : address,
    read: (question, signal) =>
      askSource(
        question,
        (method, params) => readResult({ net, target: target.value, signal }, method, params),
        signal,
      ),
    close: () => net.close(),
  };
}
