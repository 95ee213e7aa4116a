// The service's ready line, as one line of JSON. It contains secrets: readers must keep it out of logs.
import { encodeBase58 } from '../core/solana/encoding/base58';
import type { Ledger } from './node/open';
import type { Service } from './service';
import { VERSION } from './version';

export interface ReadyMessage {
  readonly pid: number;
  readonly rpcUrl: string;
  readonly wsUrl: string;
  readonly grpcUrl: string;
  /** The base of `/v1/usage`. */
  readonly restUrl: string;
  /** Opened with the admin token in the fragment. */
  readonly dashboardUrl: string;
  readonly adminUrl: string;
  readonly adminToken: string;
  readonly keys: Service['keys'];
  readonly wallet: { readonly address: string; readonly secretKey: string };
  readonly slotMs: number;
  readonly version: string;
  /** The interfaces without keys, where they are served. */
  readonly open?: { readonly rpcUrl: string; readonly wsUrl: string };
  /** The text that solana-test-validator prints, if the service replaces it. */
  readonly validatorText?: string;
}

interface Shown {
  /** The port of the HTTP without keys. */
  readonly openPort: number | undefined;
  readonly validatorText: string | undefined;
}

export function readyOf(
  service: Service,
  { wallet, chain }: Pick<Ledger, 'wallet' | 'chain'>,
  { openPort, validatorText }: Shown,
): ReadyMessage {
  const base = `http://127.0.0.1:${service.port}`;
  return {
    pid: process.pid,
    rpcUrl: `${base}/sol`,
    wsUrl: `ws://127.0.0.1:${service.port}/ws/sol`,
    grpcUrl: `http://127.0.0.1:${service.grpcPort}`,
    restUrl: base,
    dashboardUrl: `${base}/dashboard`,
    adminUrl: `${base}/local`,
    adminToken: service.adminToken,
    keys: service.keys,
    wallet: { address: wallet.address, secretKey: encodeBase58(wallet.secretKey) },
    slotMs: chain.slotMs,
    version: VERSION,
    ...(openPort === undefined
      ? {}
      : { open: { rpcUrl: `http://127.0.0.1:${openPort}`, wsUrl: `ws://127.0.0.1:${openPort + 1}` } }),
    ...(validatorText === undefined ? {} : { validatorText }),
  };
}
