// Keypair files of the user's own settings: a workspace's value never counts, and a file is read only for a request that
// the user sends.
import os from 'node:os';
import path from 'node:path';
import { FILE_BYTES } from '../../core/service/fileKinds';
import { Secret } from '../../core/service/keys/secret';
import { readRegularText } from '../../process/files';
import { ownSetting } from '../shared/settings';
import type { KeypairText } from './keyBroker';

/** Paths by name, as the user set them. */
function ownFiles(): ReadonlyMap<string, string> {
  const entries: readonly (readonly [string, unknown])[] = Object.entries(ownSetting('wallets'));
  return new Map(entries.flatMap(([name, file]) => (typeof file === 'string' && file !== '' ? [[name, file]] : [])));
}

/** The names alone. */
export const keypairNames = (): readonly string[] => [...ownFiles().keys()];

/** Returns only files of 64 numbers, no matter which file the setting names. */
export async function keypairText(name: string): Promise<KeypairText> {
  const file = ownFiles().get(name);
  if (file === undefined) return { kind: 'denied', reason: 'none' };
  const place = file.startsWith('~/') ? path.join(os.homedir(), file.slice(2)) : file;
  if (!path.isAbsolute(place)) return { kind: 'denied', reason: 'unreadable' };
  const text = await readRegularText(place, FILE_BYTES.keypair).catch(() => '');
  return /^\s*\[\s*\d{1,3}\s*(?:,\s*\d{1,3}\s*){63}\]\s*$/.test(text)
    ? { kind: 'text', secret: new Secret(text.trim()) }
    : { kind: 'denied', reason: 'unreadable' };
}
