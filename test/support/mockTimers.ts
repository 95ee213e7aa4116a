// The mock timers of node:test, in a process shared with other test files and with libraries that also set timers.
import nodeTimers from 'node:timers';
import type { MockTimers, TestContext } from 'node:test';

const CLEAR = { setTimeout: 'clearTimeout', setInterval: 'clearInterval' } as const;

/**
 * Lets timers fire by `tick` alone until the test ends. Timers set before can still be cleared: else they would fire
 * when their purpose is gone, an error in whichever file runs then.
 */
export function mockTimers(t: TestContext, api: keyof typeof CLEAR): MockTimers {
  const clear = CLEAR[api];
  const clearReal = globalThis[clear];
  t.mock.timers.enable({ apis: [api] });
  const clearMocked = globalThis[clear];
  for (const home of [globalThis, nodeTimers])
    home[clear] = (timer?: Parameters<typeof clearReal>[0]) => {
      clearReal(timer);
      clearMocked(timer);
    };
  return t.mock.timers;
}
