// Writes a report to the file that an option names.
import path from 'node:path';
import { fileRefused, writeWhole } from '../../process/files';
import { escapeLine } from '../terminal';

/** Never half a file. Returns false when it could not be written; what is wrong is on standard error then. */
export async function writeReport(name: string, text: string): Promise<boolean> {
  try {
    // Build servers read it as another user.
    await writeWhole(path.resolve(name), text, { overwrite: true, mode: 0o666 });
    return true;
  } catch (error) {
    process.stderr.write(`${escapeLine(name)} ${fileRefused(error, 'written').message}.\n`);
    return false;
  }
}
