// The newest slot that any stream of an endpoint has seen: how far the others are behind it.

export class Tips {
  private readonly newest = new Map<string, number>();

  see(endpoint: string, slot: number): void {
    if (slot > (this.newest.get(endpoint) ?? -1)) this.newest.set(endpoint, slot);
  }

  /** Undefined before the first update. */
  behind(endpoint: string, slot: number): number | undefined {
    const newest = this.newest.get(endpoint);
    return slot < 0 || newest === undefined ? undefined : Math.max(0, newest - slot);
  }
}
