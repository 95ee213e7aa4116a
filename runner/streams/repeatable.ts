// The updates of a stream that a replay would bring again: those of the ring, and of the evicted ones the identities.
import { EVICTED_SLOTS, MOST_EVICTED } from './bounds';
import { Recent } from './recent';
import type { Shape } from '../../core/service/streams/shape';
import type { Ring } from './ring';

export class Repeatable {
  readonly #gone = new Recent(EVICTED_SLOTS, MOST_EVICTED);
  /** The first row of the ledger that the endpoint serves now. */
  first = 0;

  constructor(
    private readonly ring: Ring,
    private readonly shape: Pick<Shape, 'identity'>,
  ) {}

  /** An update is evicted. `newest`: slot. */
  evict(number: number, newest: number): void {
    const { ring, shape } = this;
    const slot = ring.slot(number);
    if (number >= this.first && this.#gone.concerns(slot, newest))
      for (const identity of identitiesOf(ring, shape, number)) this.#gone.add(identity, slot, newest);
  }

  /** The ledger is another one: kept rows are shown as they were, and nothing repeats them. */
  beginAgain(): void {
    this.first = this.ring.next;
    this.#gone.clear();
  }

  /** The identities of all updates from this slot on. */
  *since(slot: number): Generator<string, void, undefined> {
    const { ring, shape } = this;
    yield* this.#gone.since(slot);
    for (let number = Math.max(ring.first, this.first); number < ring.next; number++)
      if (ring.slot(number) >= slot) yield* identitiesOf(ring, shape, number);
  }
}

function identitiesOf(ring: Ring, { identity }: Pick<Shape, 'identity'>, number: number): readonly string[] {
  const second = ring.also(number, identity);
  return [ring.read(number, identity), ...(second === undefined ? [] : [second])];
}
