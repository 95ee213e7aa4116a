// Keeps the redactors of opened streams, so that texts made from their messages can be cleaned after a connection closed.
import type { Net } from '../api';

type Clean = (text: string) => string;

/** For the current connection of a place and the one before: its key may have changed between them. */
const MAX_CLEANERS = 2;

export class Cleaners {
  /** By the place that keys were sent to. */
  readonly #byPlace = new Map<string, readonly Clean[]>();

  /** `openRaw` of a net that keeps the redactor of each stream it opens. */
  from(net: Pick<Net, 'openRaw'>): Net['openRaw'] {
    return async (...args) => {
      const opened = await net.openRaw(...args);
      if (opened.ok) {
        const [{ origin, keyType, profile }] = args;
        const place = JSON.stringify([origin, keyType, profile.profile.name]);
        const clean: Clean = (text) => opened.value.redact(text);
        this.#byPlace.set(place, [clean, ...(this.#byPlace.get(place) ?? [])].slice(0, MAX_CLEANERS));
      }
      return opened;
    };
  }

  /** The text without any key that these streams were opened with. */
  readonly clean: Clean = (text) => [...this.#byPlace.values()].flat().reduce((rest, cleaner) => cleaner(rest), text);
}
