// Runs copied scripts one after the other in one process: the paths are lines of the first argument. Prints how each ended:
// null, or the message of what it threw.
import { pathToFileURL } from 'node:url';

/** @type {(string | null)[]} */
const ends = [];
for (const file of (process.argv[2] ?? '').split('\n'))
  ends.push(
    await import(pathToFileURL(file).href).then(
      () => null,
      (error) => (error instanceof Error ? error.message : String(error)),
    ),
  );
process.send?.(ends, () => process.exit(0));
