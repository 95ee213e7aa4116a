// `--reporter github`: annotations on standard output, and a table appended to the job summary.
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { fileRefused } from '../../../process/files';
import { escapeLine } from '../../terminal';
import { annotationLine, type Annotation } from './annotations';
import { repositoryPath } from './repositoryPath';

/** The runner's limit for the summary of one step ("Workflow commands for GitHub Actions", step isolation and limits). Bytes */
const SUMMARY_BYTES = 1024 * 1024;

/**
 * Writes the annotations, and what `summary` makes of the room that is left. Returns false when the summary could not be
 * written; what is wrong is on standard error then.
 */
export async function reportToGithub(
  annotations: readonly Annotation[],
  summary: (room: number) => string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<boolean> {
  const place = (file: string): string | undefined => repositoryPath(file, { folder: process.cwd(), environment });
  process.stdout.write(annotations.map((each) => annotationLine(each, place)).join(''));
  const file = environment['GITHUB_STEP_SUMMARY'] ?? '';
  if (file === '') return true;
  try {
    await append(file, summary);
    return true;
  } catch (error) {
    process.stderr.write(`${escapeLine(file)} ${fileRefused(error, 'written').message}.\n`);
    return false;
  }
}

/** Other commands of the step may have written their part. */
async function append(file: string, summary: (room: number) => string): Promise<void> {
  const handle = await open(file, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT, 0o666);
  try {
    const { size } = await handle.stat();
    const text = summary(SUMMARY_BYTES - size);
    if (text !== '') await handle.writeFile(text);
  } finally {
    await handle.close();
  }
}
