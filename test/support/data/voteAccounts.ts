// The same vote account in every version of its layout: one vote, one voter, one epoch.
import { keyOf, layOut, type Part } from './layouts';

// The parts that several versions share, each with distinct bytes.
const node = keyOf(0xaa);
const withdrawer = keyOf(0xbb);
const voter = keyOf(0xcc);
/** Per cent. */
const commission: Part = [1, 9];
/** One of them, by its slot and its confirmations; before v3 without the latency. */
const votes = (...latency: Part[]): readonly Part[] => [[8, 1], ...latency, [8, 50], [4, 3]];
const latency: Part = [1, 2];
const root: readonly Part[] = [
  [1, 1],
  [8, 40],
];
const voters: readonly Part[] = [[8, 1], [8, 5], voter];
/** 32 rows of key and two epochs, the place in them, and whether they are empty. */
const emptyPrior = Buffer.alloc(32 * 48 + 9);
/** One epoch with its credits and those before it, then the last timestamp: slot and Unix seconds. */
const epochsAndTime: readonly Part[] = [
  [8, 1],
  [8, 5],
  [8, 30],
  [8, 20],
  [8, 60],
  [8, 86_400],
];

/** Version and bytes, without the room after them. */
export const VOTES: readonly (readonly [version: string, data: Uint8Array])[] = [
  [
    '0.23.5',
    layOut(
      [4, 0],
      node,
      voter,
      [8, 5],
      // 32 rows of key and three numbers, and the place in them.
      Buffer.alloc(32 * 56 + 8),
      withdrawer,
      commission,
      ...votes(),
      ...root,
      ...epochsAndTime,
    ),
  ],
  [
    '1.14.11',
    layOut([4, 1], node, withdrawer, commission, ...votes(), ...root, ...voters, emptyPrior, ...epochsAndTime),
  ],
  [
    'v3',
    layOut([4, 2], node, withdrawer, commission, ...votes(latency), ...root, ...voters, emptyPrior, ...epochsAndTime),
  ],
  [
    'v4',
    layOut(
      [4, 3],
      node,
      withdrawer,
      // Who collects inflation rewards and block revenue, and the commission of each in basis points.
      keyOf(1),
      keyOf(2),
      [2, 900],
      [2, 10_000],
      // Delegators' rewards that wait, and no BLS key.
      [8, 0],
      [1, 0],
      ...votes(latency),
      ...root,
      ...voters,
      ...epochsAndTime,
    ),
  ],
];
