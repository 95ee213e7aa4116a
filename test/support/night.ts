// The larger form of a test, in `npm run night`: more of the same, and bounds of memory, which a machine that does other work
// cannot keep to. Everything else is the same in both forms.

const isNight = process.env['WORKBENCH_NIGHT'] === '1';

/** How much of something a test does: as part of `npm test`, and in a night. */
export const sized = (gate: number, night: number): number => (isNight ? night : gate);

/** Fails in a night where more bytes were taken than may be. */
export function assertWithin(bytes: number, most: number): void {
  if (isNight && bytes >= most) throw new Error(`${bytes} bytes more, of ${most} that may be`);
}
