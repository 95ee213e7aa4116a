// P14: base58 of keys and signatures, to bs58. Both give the same for every input that is timed.
import { createRequire } from 'node:module';
import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { decodeBase58, encodeBase58 } from '../core/solana/encoding/base58';
import { interleaved, median, ratioOf, type Measured } from './measure';
import { peerFolder } from './peers';

const ROUNDS = 7;
const ITEMS = 2_000;
const TURNS = 20;

interface Bs58 {
  readonly encode: (bytes: Uint8Array) => string;
  readonly decode: (text: string) => Uint8Array;
}

/** Calls a second over all items. */
const timed =
  <T>(items: readonly T[], call: (item: T) => unknown) =>
  async (): Promise<number> => {
    const since = performance.now();
    for (let turn = 0; turn < TURNS; turn++) for (const item of items) call(item);
    return (items.length * TURNS) / (performance.now() - since);
  };

const rate = (perMs: readonly number[]): string => `${median(perMs).toFixed(0)}/ms`;

export async function measureBase58(): Promise<readonly Measured[]> {
  const folder = await peerFolder();
  if (folder === undefined)
    return [
      { goal: 'P14', name: 'base58', bound: { atLeast: 3 }, absent: 'no peer', note: 'bs58 could not be installed' },
    ];
  const loaded = createRequire(path.join(folder, 'x.js'))('bs58') as Bs58 & { readonly default?: Bs58 };
  const peer = loaded.default ?? loaded;
  const rows: Measured[] = [];
  for (const [length, what, encoded, decoded] of [
    [32, '32-byte keys', 3, 2.5],
    [64, '64-byte signatures', 4, 4],
  ] as const) {
    const items = Array.from({ length: ITEMS }, () => new Uint8Array(randomBytes(length)));
    const texts = items.map(encodeBase58);
    const isExact = items.every((bytes, at) => {
      const text = texts[at] ?? '';
      return (
        text === peer.encode(bytes) && Buffer.from(peer.decode(text)).equals(decodeBase58(text) ?? Buffer.alloc(0))
      );
    });
    const [ours = [], theirs = [], oursBack = [], theirsBack = []] = await interleaved(ROUNDS, [
      timed(items, encodeBase58),
      timed(items, peer.encode),
      timed(texts, decodeBase58),
      timed(texts, peer.decode),
    ]);
    const row = (name: string, atLeast: number, left: readonly number[], right: readonly number[]): Measured => ({
      goal: 'P14',
      name: `${name} ${what}`,
      ...(isExact && { figure: ratioOf(left, right) }),
      bound: { atLeast },
      note: isExact ? `${rate(left)} to ${rate(right)} of bs58, same results` : 'the results differ',
    });
    rows.push(row('encode', encoded, ours, theirs), row('decode', decoded, oursBack, theirsBack));
  }
  return rows;
}
