// The random values that references of a request draw.
import { randomInt, randomUUID } from 'node:crypto';
import type { Randomness } from './ports';

export const RANDOM: Randomness = {
  uuid: randomUUID,
  // node:crypto draws below 2^48; a wider range is put together from two draws.
  integer(min, max) {
    const span = max - min;
    if (span < 2 ** 47) return min + randomInt(span + 1);
    const share = (randomInt(2 ** 26) * 2 ** 27 + randomInt(2 ** 27)) / 2 ** 53;
    return Math.min(max, Math.floor(min + share * span));
  },
};
