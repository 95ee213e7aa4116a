// Recognises state files that this user wrote on this machine: each bears a mark that only a secret of the user's makes.
// Somebody who prepares a state file knows the keys in it; its mark is missing or wrong.
import { createHmac, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createWhole } from '../files';

const BYTES = 32;

/** `…/solana-rpc/state-mark` below XDG_STATE_HOME, else below ~/.local/state. */
function secretPath(environment: NodeJS.ProcessEnv): string {
  const base = environment['XDG_STATE_HOME'] ?? '';
  return path.join(
    path.isAbsolute(base) ? base : path.join(os.homedir(), '.local', 'state'),
    'solana-rpc',
    'state-mark',
  );
}

/** The user's secret, made when it is first needed; undefined where it can be neither read nor kept. */
function secretOf(environment: NodeJS.ProcessEnv): Buffer | undefined {
  const file = secretPath(environment);
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    createWhole(file, randomBytes(BYTES));
  } catch {
    // It cannot be written: then it cannot be read either.
  }
  try {
    const secret = readFileSync(file);
    return secret.length === BYTES ? secret : undefined;
  } catch {
    return undefined;
  }
}

/** The mark of a state file with this seed, of which the keys follow; undefined where none can be made. */
export function markOf(seed: string, environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const secret = secretOf(environment);
  return secret && createHmac('sha256', secret).update(`state:${seed}`).digest('hex');
}
