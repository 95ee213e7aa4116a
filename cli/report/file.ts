// Writes a report to the file that an option names.
import { fileRefused, writeNamed } from '../../process/files';
import { escapeLine } from '../terminal';

/**
 * Never half a file. Returns false when it could not be written; what is wrong is on standard error then. Build servers read
 * it as another user; what was answered to a key is its owner's.
 */
export async function writeReport(name: string, text: string, isPrivate: boolean): Promise<boolean> {
  try {
    await writeNamed(name, text, { overwrite: true, mode: isPrivate ? 0o600 : 0o666 });
    return true;
  } catch (error) {
    process.stderr.write(`${escapeLine(name)} ${fileRefused(error, 'written').message}.\n`);
    return false;
  }
}
