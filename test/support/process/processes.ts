// Processes as /proc shows them (Linux): who descends from whom, with which arguments, environment and sockets.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** A process and what it was started with. */
export interface Seen {
  readonly pid: number;
  readonly cmdline: string;
  /** `NAME=value` entries. */
  readonly environ: readonly string[];
}

/** A TCP socket that is not a listener. */
export interface Connection {
  readonly localPort: number;
  readonly remotePort: number;
}

const LISTENING = '0A';

/** Every process that descends from `pid`, itself left out. Processes that end meanwhile are left out. */
export function descendantsOf(pid: number): readonly Seen[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // The name in parentheses may hold anything; state and parent follow the last one.
    const stat = read(`/proc/${name}/stat`);
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    if (stat !== '') parents.set(Number(name), parent);
  }
  const descends = (child: number): boolean => {
    const parent = parents.get(child);
    return parent !== undefined && parent !== 0 && (parent === pid || descends(parent));
  };
  return [...parents.keys()].filter(descends).map(see);
}

export const see = (pid: number): Seen => ({
  pid,
  cmdline: read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim(),
  environ: read(`/proc/${pid}/environ`).split('\0').filter(Boolean),
});

/** False once it has ended, although nobody may have collected its exit code yet. */
export const isRunning = (pid: number): boolean => {
  const stat = read(`/proc/${pid}/stat`);
  return stat !== '' && stat.slice(stat.lastIndexOf(')') + 2)[0] !== 'Z';
};

/** The TCP connections a process holds. */
export const connectionsOf = (pid: number): readonly Connection[] =>
  socketsOf(pid).flatMap(({ local, remote, isListening }) =>
    isListening ? [] : [{ localPort: portOf(local), remotePort: portOf(remote) }],
  );

/** Where a process listens over TCP: `127.0.0.1:PORT`, or the address in hex where it is one of IPv6. */
export const listenersOf = (pid: number): readonly string[] =>
  socketsOf(pid)
    .filter(({ isListening }) => isListening)
    .map(({ local }) => `${hostOf(local)}:${portOf(local)}`);

interface TcpSocket {
  /** `ADDRESS:PORT` in hex, as the system writes it. */
  readonly local: string;
  readonly remote: string;
  readonly isListening: boolean;
}

function socketsOf(pid: number): readonly TcpSocket[] {
  const inodes = new Set<string>();
  for (const fd of list(`/proc/${pid}/fd`)) {
    const inode = /^socket:\[(\d+)\]$/.exec(link(`/proc/${pid}/fd/${fd}`))?.[1];
    if (inode !== undefined) inodes.add(inode);
  }
  return ['tcp', 'tcp6'].flatMap((table) =>
    read(`/proc/${pid}/net/${table}`)
      .split('\n')
      .slice(1)
      .flatMap((line) => {
        const [, local = '', remote = '', state, , , , , , inode = ''] = line.trim().split(/\s+/);
        return inodes.has(inode) ? [{ local, remote, isListening: state === LISTENING }] : [];
      }),
  );
}

const portOf = (address: string): number => Number.parseInt(address.split(':')[1] ?? '', 16);

/** An address of IPv4 has its lowest byte last. */
function hostOf(address: string): string {
  const [hex = ''] = address.split(':');
  return hex.length === 8 ? [...Buffer.from(hex, 'hex').reverse()].join('.') : hex;
}

/** Files of /proc go with their process. */
function attempt<T>(look: () => T, gone: T): T {
  try {
    return look();
  } catch {
    return gone;
  }
}

const read = (file: string): string => attempt(() => readFileSync(file, 'utf8'), '');
const list = (folder: string): readonly string[] => attempt(() => readdirSync(folder), []);
const link = (file: string): string => attempt(() => readlinkSync(file), '');

/** The memory of a process that is in use, in bytes; `undefined` if the system does not report it. */
export function residentBytes(pid: number): number | undefined {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}
