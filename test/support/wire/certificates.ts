// Certificates for TLS tests, made with openssl when the test runs and thrown away with its folder.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

export interface Authority {
  /** The authority's own certificate (PEM). */
  readonly ca: string;
  /** A certificate for `name` ("DNS:…" or "IP:…"), signed by the authority; `days` below zero: expired. */
  issue(name: string, days?: number): Certificate;
}

const openssl = (folder: string, args: readonly string[]): void => {
  execFileSync('openssl', [...args], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
};

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

function inFolder<T>(work: (folder: string, read: (name: string) => string) => T): T {
  const folder = mkdtempSync(path.join(tmpdir(), 'certificates-'));
  try {
    return work(folder, (name) => readFileSync(path.join(folder, name), 'utf8'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function selfSigned(name: string): Certificate {
  return inFolder((folder, read) => {
    const names = ['-subj', '/CN=self', '-addext', `subjectAltName=${name}`];
    openssl(folder, ['req', '-x509', ...NEW_KEY, '-keyout', 'key', '-out', 'cert', '-days', '2', ...names]);
    return { key: read('key'), cert: read('cert') };
  });
}

export function authority(): Authority {
  const root = inFolder((folder, read) => {
    openssl(folder, [
      'req',
      '-x509',
      ...NEW_KEY,
      '-keyout',
      'key',
      '-out',
      'cert',
      '-days',
      '2',
      '-subj',
      '/CN=Test CA',
    ]);
    return { key: read('key'), cert: read('cert') };
  });
  return {
    ca: root.cert,
    issue: (name, days = 2) =>
      inFolder((folder, read) => {
        writeFileSync(path.join(folder, 'ca.key'), root.key);
        writeFileSync(path.join(folder, 'ca.cert'), root.cert);
        writeFileSync(path.join(folder, 'ext'), `subjectAltName=${name}\n`);
        openssl(folder, ['req', ...NEW_KEY, '-keyout', 'key', '-out', 'csr', '-subj', '/CN=service']);
        const signed = [
          '-CA',
          'ca.cert',
          '-CAkey',
          'ca.key',
          '-CAcreateserial',
          '-extfile',
          'ext',
          '-days',
          String(days),
        ];
        openssl(folder, ['x509', '-req', '-in', 'csr', '-out', 'cert', ...signed]);
        return { key: read('key'), cert: read('cert') };
      }),
  };
}
