// A test file that is interrupted ends as any other does: what listens to the process's `exit` ends its children. A signal
// alone would end the file at once, and leave them.
import os from 'node:os';

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => process.exit(128 + os.constants.signals[signal]));
