// The trusted certificate authorities: Node's, the system's and the user's. Never disables verification.
import { existsSync, readFileSync } from 'node:fs';
import tls from 'node:tls';

/** Makes the TLS context of all connections when it is first asked for. */
export type Trust = () => tls.SecureContext;

/** `extraCa`: certificates (PEM) trusted in addition to Node's and the system's. */
export const createTrust = (extraCa: readonly string[] = []): Trust =>
  once(() => tls.createSecureContext({ ...trusted(extraCa), minVersion: 'TLSv1.2' }));

/** Where Linux distributions keep their certificates; Node before 22.15 has no other way to them. */
const SYSTEM_BUNDLES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

/** Certificates to trust: Node's, the system's and the user's; an empty object leaves Node's default store. */
export function trusted(extra: readonly string[]): { readonly ca?: string[] } {
  const system = systemCertificates();
  return extra.length === 0 && system.length === 0 ? {} : { ca: [...tls.rootCertificates, ...system, ...extra] };
}

type CertificateReader = (type: 'system' | 'extra') => string[];

const systemCertificates = once((): readonly string[] => {
  const reader = (tls as { readonly getCACertificates?: CertificateReader }).getCACertificates;
  if (reader !== undefined) return [...reader('system'), ...reader('extra')];
  const files = [SYSTEM_BUNDLES.find((path) => existsSync(path)), process.env['NODE_EXTRA_CA_CERTS']];
  return files.flatMap((path) => {
    try {
      return path === undefined ? [] : [readFileSync(path, 'utf8')];
    } catch {
      // An unreadable bundle is skipped; Node's certificates remain.
      return [];
    }
  });
});

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
