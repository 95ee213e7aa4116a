// What the service says when it is ready: one line of JSON for programs, or a block of text for people.
// The line holds secrets: whoever reads it keeps it out of logs.
import type { Wallet } from './ledger/open';
import { encodeBase58 } from '../core/values/base58';
import type { Service } from './service';
import { VERSION } from './version';

export interface Ready {
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
}

/** `openPort` is that of the HTTP without keys. */
export function readyOf(service: Service, wallet: Wallet, slotMs: number, openPort?: number): Ready {
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
    slotMs,
    version: VERSION,
    ...(openPort === undefined
      ? {}
      : { open: { rpcUrl: `http://127.0.0.1:${openPort}`, wsUrl: `ws://127.0.0.1:${openPort + 1}` } }),
  };
}

/**
 * The block for people. Secrets are in it only on a terminal, where the person who started the service reads them; text
 * that goes to a file or a pipe may be kept for longer than the service lives.
 */
export function readyText(ready: Ready, terminal: boolean): string {
  const keys = Object.entries(ready.keys).map(([type, { keyId, key }]) => {
    return `  ${type.padEnd(11)}${terminal ? key : `${keyId} (its secret is shown on a terminal, or with --json)`}`;
  });
  return [
    'The local service is running. Stop it with Ctrl+C.',
    '',
    ...openText(ready),
    `  RPC        ${ready.rpcUrl}`,
    `  WebSocket  ${ready.wsUrl}`,
    `  gRPC       ${ready.grpcUrl}`,
    `  Usage      ${ready.restUrl}/v1/usage`,
    `  Dashboard  ${ready.dashboardUrl}${terminal ? `#${ready.adminToken}` : ''}`,
    '',
    'Keys, good here and until it stops',
    ...keys,
    '',
    `Wallet with funds  ${ready.wallet.address}`,
    '',
  ].join('\n');
}

function openText({ open }: Ready): readonly string[] {
  if (open === undefined) return [];
  return ['Without keys', `  RPC        ${open.rpcUrl}`, `  WebSocket  ${open.wsUrl}`, '', 'With keys'];
}
