// The npm package as people get it: packed from this checkout, and installed without asking a registry.
import assert from 'node:assert/strict';
import { execFile, type ExecFileException } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { packNpm } from '../../../scripts/npmPackage.mjs';
import { ENGINES } from '../../../scripts/vsix.mjs';

const root = path.join(__dirname, '..', '..', '..');

/** LiteSVM's package for this machine; undefined if there is no such package. */
export const ENGINE = ENGINES.get(`${process.platform}-${process.arch}`);
export const NPM = process.platform === 'win32' ? 'npm.cmd' : 'npm';

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProgramOptions {
  readonly input?: string;
  /** In addition to the environment of the tests, which loses every variable that could name a key or an endpoint. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program to its end. */
export function runProgram(
  folder: string,
  program: string,
  args: readonly string[],
  { input = '', env = {} }: ProgramOptions = {},
): Promise<Ended> {
  const own = Object.entries(process.env).filter(([name]) => !/^(SOLANA_|GITHUB_|CI$)/.test(name));
  return new Promise((resolve) => {
    const child = execFile(
      program,
      args,
      { cwd: folder, env: { ...Object.fromEntries(own), ...env } },
      (error: ExecFileException | null, stdout, stderr) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, stdout, stderr }),
    );
    // A program may end without having read anything.
    child.stdin?.on('error', () => undefined).end(input);
  });
}

export interface Packed {
  /** The packed files, and their size. */
  readonly own: Awaited<ReturnType<typeof packNpm>>;
  /** The tarballs that an installation needs: the package's own, and the engine's from this checkout. */
  readonly tarballs: readonly string[];
}

/** Packs into a folder. */
export async function packAll(folder: string): Promise<Packed> {
  const own = await packNpm(folder);
  if (ENGINE === undefined) return { own, tarballs: [own.file] };
  const target = path.join(folder, 'engine');
  await mkdir(target);
  const source = path.join(root, 'node_modules', ENGINE);
  const { code, stderr } = await runProgram(source, NPM, ['pack', '--pack-destination', target]);
  assert.equal(code, 0, stderr);
  const [file = ''] = await readdir(target);
  return { own, tarballs: [own.file, path.join(target, file)] };
}

export interface Registry {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * A registry on loopback that knows LiteSVM's binaries for every platform, as package-lock.json has them, and holds the one
 * for this machine: of the others npm needs no more than which platform they are for.
 */
export async function engineRegistry({ tarballs }: Packed): Promise<Registry> {
  const { packages } = JSON.parse(await readFile(path.join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly version: string }>>;
  };
  const archive = await readFile(tarballs.at(-1) ?? '');
  const server = createServer((request, response) => {
    const [, name = '', file] = (request.url ?? '').split('/');
    const { version = '', ...rest } = packages[`node_modules/${name}`] ?? {};
    if (![...ENGINES.values()].includes(name) || (file !== undefined && name !== ENGINE)) response.writeHead(404).end();
    else if (file !== undefined) response.end(archive);
    else {
      const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
      const dist = { tarball: `http://${request.headers.host}/${name}/archive.tgz`, integrity };
      const versions = { [version]: { ...rest, name, version, dist } };
      response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }));
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
