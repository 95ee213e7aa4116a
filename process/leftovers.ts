// Names unfinished files and temporary folders after the process that makes them, so that a later process can remove
// those of a killed one. Touches nothing of a running process, another user or another machine.
import { createHash, randomUUID } from 'node:crypto';
import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isRunning } from './running';

/** This machine and process. Containers may share a folder, but not their processes. */
const HERE = createHash('sha256').update(os.hostname()).digest('hex').slice(0, 8);
const MAKER = `${HERE}-${process.pid}-`;
const DRAFT = new RegExp(`^\\..*\\.${HERE}-(\\d+)-[0-9a-f-]{36}\\.part$`);
const FOLDER = new RegExp(`^solana-rpc-[a-z]+-${HERE}-(\\d+)-\\w{6}$`);
/** Characters of a file's name that its draft repeats. */
const REPEATED = 100;

/** Folders whose drafts this process has looked at. */
const seen = new Set<string>();

/** A free path beside `place`, for a file that is moved there once it is complete. */
export function draftOf(place: string): string {
  const folder = path.dirname(place);
  if (!seen.has(folder)) {
    seen.add(folder);
    removeLeftovers(folder, DRAFT);
  }
  return path.join(folder, `.${path.basename(place).slice(0, REPEATED)}.${MAKER}${randomUUID()}.part`);
}

/** A new folder for this user alone, which the caller removes. `purpose`: one word of small letters. */
export function temporaryFolder(purpose: string): string {
  removeLeftovers(os.tmpdir(), FOLDER);
  return mkdtempSync(path.join(os.tmpdir(), `solana-rpc-${purpose}-${MAKER}`));
}

function removeLeftovers(folder: string, pattern: RegExp): void {
  try {
    for (const name of readdirSync(folder)) {
      const maker = pattern.exec(name)?.[1];
      const place = path.join(folder, name);
      if (maker === undefined || isRunning(Number(maker)) || !isOwn(place)) continue;
      rmSync(place, { recursive: true, force: true });
    }
  } catch {
    // Removal is best effort: the write that follows reports a problem with the folder.
  }
}

const isOwn = (place: string): boolean =>
  process.getuid === undefined || lstatSync(place, { throwIfNoEntry: false })?.uid === process.getuid();
