// Reads the one line that the local service prints when it is ready, and writes it again for the editor's secret storage.
// Its secrets are wrapped at once.
import { Secret } from '../core/service/keys/secret';

export interface LocalServiceKey {
  readonly keyId: string;
  readonly key: Secret;
}

/** The service's addresses and keys. */
export interface LocalServiceReady {
  readonly pid: number;
  readonly rpcUrl: string;
  readonly wsUrl: string;
  readonly grpcUrl: string;
  readonly restUrl: string;
  readonly dashboardUrl: string;
  readonly adminUrl: string;
  readonly adminToken: Secret;
  readonly keys: { readonly rpc: LocalServiceKey; readonly grpc: LocalServiceKey; readonly swqos: LocalServiceKey };
  readonly wallet: { readonly address: string; readonly secretKey: Secret };
  /** Milliseconds per slot. */
  readonly slotMs: number;
  readonly version: string;
  /** The interfaces without keys, if they are served. */
  readonly open?: { readonly rpcUrl: string; readonly wsUrl: string };
  /** The output of solana-test-validator, if the service replaces it. */
  readonly validatorText?: string;
}

/** `undefined` for a line that is not the service's. */
export function readReadyLine(line: string): LocalServiceReady | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const keys = field(value, 'keys');
    const wallet = field(value, 'wallet');
    return {
      pid: number(value, 'pid'),
      rpcUrl: text(value, 'rpcUrl'),
      wsUrl: text(value, 'wsUrl'),
      grpcUrl: text(value, 'grpcUrl'),
      restUrl: text(value, 'restUrl'),
      dashboardUrl: text(value, 'dashboardUrl'),
      adminUrl: text(value, 'adminUrl'),
      adminToken: new Secret(text(value, 'adminToken')),
      keys: { rpc: key(keys, 'rpc'), grpc: key(keys, 'grpc'), swqos: key(keys, 'swqos') },
      wallet: { address: text(wallet, 'address'), secretKey: new Secret(text(wallet, 'secretKey')) },
      slotMs: number(value, 'slotMs'),
      version: text(value, 'version'),
      ...openOf(value),
      ...(has(value, 'validatorText') && { validatorText: text(value, 'validatorText') }),
    };
  } catch {
    return undefined;
  }
}

/** The line that `readReadyLine` reads; `textOf` opens its secrets. */
export function readyLine(
  { adminToken, keys, wallet, ...ready }: LocalServiceReady,
  textOf: (secret: Secret) => string,
): string {
  const opened = ({ keyId, key }: LocalServiceKey): object => ({ keyId, key: textOf(key) });
  return JSON.stringify({
    ...ready,
    adminToken: textOf(adminToken),
    keys: { rpc: opened(keys.rpc), grpc: opened(keys.grpc), swqos: opened(keys.swqos) },
    wallet: { address: wallet.address, secretKey: textOf(wallet.secretKey) },
  });
}

/** Names the field and not its value, which may be a secret. */
class WrongField extends Error {}

function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) throw new WrongField(name);
  return (value as Readonly<Record<string, unknown>>)[name];
}

function text(value: unknown, name: string): string {
  const found = field(value, name);
  if (typeof found !== 'string') throw new WrongField(name);
  return found;
}

function openOf(value: unknown): Pick<LocalServiceReady, 'open'> {
  if (!has(value, 'open')) return {};
  const open = field(value, 'open');
  return { open: { rpcUrl: text(open, 'rpcUrl'), wsUrl: text(open, 'wsUrl') } };
}

const has = (value: unknown, name: string): boolean =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name);

function number(value: unknown, name: string): number {
  const found = field(value, name);
  if (typeof found !== 'number') throw new WrongField(name);
  return found;
}

function key(keys: unknown, type: string): LocalServiceKey {
  const found = field(keys, type);
  return { keyId: text(found, 'keyId'), key: new Secret(text(found, 'key')) };
}
