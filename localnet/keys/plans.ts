// The plans' rate limits as the service enforces them, from docs/local-service.md, "Keys". The client paces itself by a
// separate table (core/service/profiles/planLimits.ts), so that a mistake in one does not cancel out in the other.

interface PlanLimits {
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

export const isPlanName = (name: string): name is PlanName => Object.hasOwn(PLANS, name);
