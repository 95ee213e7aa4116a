// The machine's clock as a NetClock; everything else in net is handed one.
import { reasonOf, whenAborted } from './aborts';
import type { NetClock } from './api';

export const systemClock: NetClock = {
  now: () => performance.now(),
  unixMs: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(reasonOf(signal));
        return;
      }
      const forget = whenAborted(signal, () => {
        clearTimeout(timer);
        reject(reasonOf(signal));
      });
      const timer = setTimeout(() => {
        forget();
        resolve();
      }, ms);
    }),
};
