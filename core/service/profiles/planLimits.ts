// The plans' rate limits (docs/local-service.md, "Keys"), as requests are paced by them. The local service has its own table.

export interface PlanLimits {
  /** Requests per second and key, over all methods. */
  readonly rps: number;
  /** sendTransaction calls per second and key; a send counts against both. */
  readonly sendPerSecond: number;
}

export const PLANS = {
  Free: { rps: 5, sendPerSecond: 1 },
  Dev: { rps: 50, sendPerSecond: 5 },
  Pro: { rps: 200, sendPerSecond: 20 },
  Ultra: { rps: 500, sendPerSecond: 50 },
  'Shared Metal': { rps: 2000, sendPerSecond: 200 },
} as const satisfies Record<string, PlanLimits>;

export type PlanName = keyof typeof PLANS;

export function isPlanName(name: string): name is PlanName {
  return Object.hasOwn(PLANS, name);
}

/** The usage of a range is asked for in at most so many parts. */
export const MOST_PARTS = 24;
