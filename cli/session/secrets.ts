// The one place of the terminal that opens secrets: the wallet's signature, the redaction of what others read, and the ready
// line of `localnet`, whose reader asked for exactly that.
import { decodeBase58, encodeBase58 } from '../../core/solana/encoding/base58';
import { redact, SecretPatterns } from '../../core/service/redaction/redact';
import { Secret } from '../../core/service/keys/secret';
import { keypairBytes } from '../../core/requests/tools/wallet';
import { signEd25519 } from '../../process/ed25519';
import type { LocalServiceReady } from '../../process/localService';

/** Takes secrets out of text that leaves for others, however they are spelled in it. */
export function redactorOf(secrets: readonly Secret[]): (text: string) => string {
  const patterns = new SecretPatterns(secrets.map((secret) => secret.reveal()));
  return (text) => redact(text, patterns);
}

/** Signs with a Solana secret key: 64 bytes in base58, the seed and then the public key. */
export function signWith(secretKey: Secret, message: Uint8Array): Uint8Array | undefined {
  const bytes = decodeBase58(secretKey.reveal());
  return bytes?.length === 64 ? signEd25519(bytes, message) : undefined;
}

/** A keypair file as the Solana tools write it: 64 bytes, the last 32 the public key of the first. */
export function readKeypair(text: string): { readonly address: string; readonly secretKey: Secret } | undefined {
  const bytes = keypairBytes(text.trim());
  return bytes && { address: encodeBase58(bytes.subarray(32)), secretKey: new Secret(encodeBase58(bytes)) };
}

/** The line that `localnet --json` prints for the program that started it. */
export function readyLineWithKeys(ready: LocalServiceReady): string {
  const { keys, wallet } = ready;
  return JSON.stringify({
    ...ready,
    adminToken: ready.adminToken.reveal(),
    keys: Object.fromEntries(
      Object.entries(keys).map(([type, { keyId, key }]) => [type, { keyId, key: key.reveal() }]),
    ),
    wallet: { address: wallet.address, secretKey: wallet.secretKey.reveal() },
  });
}

/** The same for people. Secrets are in it on a terminal only: what goes to a pipe or a file may be kept. */
export function readyText(ready: LocalServiceReady, isTerminal: boolean): string {
  const keys = Object.entries(ready.keys).map(([type, { keyId, key }]) => {
    return `  ${`${type} key`.padEnd(11)}${isTerminal ? key.reveal() : `${keyId} (shown on a terminal, or with --json)`}`;
  });
  return [
    'The local service is running. Stop it with Ctrl+C.',
    '',
    ...openText(ready),
    `  RPC        ${ready.rpcUrl}`,
    `  WebSocket  ${ready.wsUrl}`,
    `  gRPC       ${ready.grpcUrl}`,
    `  Usage      ${ready.restUrl}/v1/usage`,
    `  Dashboard  ${ready.dashboardUrl}${isTerminal ? `#${ready.adminToken.reveal()}` : ''}`,
    '',
    ...keys,
    `  wallet     ${ready.wallet.address}`,
    '',
  ].join('\n');
}

function openText({ open }: LocalServiceReady): readonly string[] {
  if (open === undefined) return [];
  return ['Without keys', `  RPC        ${open.rpcUrl}`, `  WebSocket  ${open.wsUrl}`, '', 'With keys'];
}
