// Unfinished files and temporary folders: a process that ends removes its own. They are named after it, so that a later
// process can remove those of a killed one. Touches nothing of another running process, another user or another machine.
import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream, lstatSync, mkdtempSync, openSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
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
/** Drafts and temporary folders that were not discarded yet. */
const unfinished = new Set<string>();

/** A free path next to `place`, for a file that is moved there once complete. Discard it afterwards. */
export function draftOf(place: string): string {
  const folder = path.dirname(place);
  if (!seen.has(folder)) {
    seen.add(folder);
    removeLeftovers(folder, DRAFT);
  }
  return unfinishedAt(path.join(folder, `.${path.basename(place).slice(0, REPEATED)}.${MAKER}${randomUUID()}.part`));
}

/** A new folder for this user alone, which is to be discarded. `purpose`: one word of small letters. */
export function temporaryFolder(purpose: string): string {
  removeLeftovers(os.tmpdir(), FOLDER);
  return unfinishedAt(mkdtempSync(path.join(os.tmpdir(), `solana-rpc-${purpose}-${MAKER}`)));
}

/** Removes a draft, or what is left of it, or a temporary folder. A process that ends, as a second Ctrl+C makes it, does so too. */
export function discard(place: string): void {
  unfinished.delete(place);
  try {
    rmSync(place, { recursive: true, force: true });
  } catch {
    // A later process removes it.
  }
}

/**
 * Writes a draft, or a file in a draft or a temporary folder, which must not be there. It is made at once: one still on its way
 * when the process ends would come after the rest is removed.
 */
export async function writeDraft(
  place: string,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
  mode: number,
): Promise<void> {
  const file = createWriteStream(place, { fd: openSync(place, 'wx', mode) });
  await pipeline(typeof content === 'string' || content instanceof Uint8Array ? [content] : content, file);
}

function unfinishedAt(place: string): string {
  if (!process.listeners('exit').includes(discardAll)) process.once('exit', discardAll);
  unfinished.add(place);
  return place;
}

function discardAll(): void {
  for (const place of unfinished) discard(place);
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
