// Writes a report to the file that an option names.
import { fileRefused, writeNamed } from '../../process/files';
import { escapeLine } from '../terminal';

/** Who may read a report. Build servers read it as another user; what was answered to a key is its owner's. */
export type Readers = 'everybody' | 'owner';

const MODES: Readonly<Record<Readers, number>> = { everybody: 0o666, owner: 0o600 };

/** Never half a file. Returns false when it could not be written; what is wrong is on standard error then. */
export async function writeReport(name: string, text: string, readers: Readers): Promise<boolean> {
  try {
    await writeNamed(name, text, { overwrite: true, mode: MODES[readers] });
    return true;
  } catch (error) {
    process.stderr.write(`${escapeLine(name)} ${fileRefused(error, 'written').message}.\n`);
    return false;
  }
}
