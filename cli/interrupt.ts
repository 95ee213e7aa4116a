// Ctrl+C and SIGTERM: the first cancels the work in progress and lets it clean up, the second ends at once.
import { EXIT } from './exit';

/** Runs a job with a signal that fires at the first SIGINT, SIGTERM or SIGHUP. */
export async function interruptible<T>(job: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const interrupt = (): void => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    controller.abort();
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const name of signals) process.on(name, interrupt);
  try {
    return await job(controller.signal);
  } finally {
    for (const name of signals) process.off(name, interrupt);
  }
}

/** The result of `job`, or of `interrupted` if it failed because the signal fired. */
export async function unlessInterrupted<T>(signal: AbortSignal, job: Promise<T>, interrupted: () => T): Promise<T> {
  try {
    return await job;
  } catch (error) {
    if (signal.aborted && error === signal.reason) return interrupted();
    throw error;
  }
}
