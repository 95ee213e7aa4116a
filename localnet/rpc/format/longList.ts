// Long lists of an answer, made in short slices and kept as text: as values, a hundred thousand accounts are millions of
// small objects that outlive their answer in the collector's eyes, and every other client waits while it sorts them out.
import { WireParts, type WireJson, type WireText } from '../../api';
import { wireParts } from '../../wireJson';
import { collectInSlices, pacer } from '../../slices';

/** Lists of up to this many items stay values. */
const FEW = 1_000;
/** UTF-16 units of text that are kept as one piece. */
const PIECE = 64 * 1024;

/** Maps every item, in order, to a list. `weight` and `until`: see `collectInSlices`. */
export async function listInSlices<T>(
  items: readonly T[],
  map: (item: T) => WireJson,
  weight = 1,
  until?: number,
): Promise<WireJson> {
  if (items.length <= FEW) return collectInSlices(items, map, weight, until);
  const pause = pacer(until);
  const parts: (string | WireText)[] = [];
  let written: string[] = [];
  let length = 0;
  const close = (): void => {
    parts.push(written.join(''));
    [written, length] = [[], 0];
  };
  let before = '[';
  for (const item of items) {
    written.push(before);
    before = ',';
    for (const part of wireParts(map(item))) {
      if (typeof part === 'string') {
        written.push(part);
        length += part.length;
      } else {
        close();
        parts.push(part);
      }
    }
    if (length >= PIECE) close();
    const turn = pause(weight);
    if (turn !== undefined) await turn;
  }
  written.push(']');
  close();
  return new WireParts(parts);
}
