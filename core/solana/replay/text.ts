// A replay as lines of text: what came of it here, whether that is what was expected, and why it may not be.
import { visibleText, timeText } from '../decode/decodedText';
import type { ExpectedOutcome, ReplayCase, ReplayStep } from './case';
import type { Difference } from './compare';
import { overrideText } from './overrides';

export interface Replayed {
  readonly replay: ReplayCase;
  readonly differences: readonly Difference[];
}

export function stepText(step: ReplayStep): string {
  switch (step.kind) {
    case 'transaction':
      return 'Reading the transaction';
    case 'accounts':
    case 'programs':
      return `Reading ${step.count} ${step.kind}`;
    case 'changes':
      return `Looking up when account ${step.at} of ${step.of} changed last`;
    case 'ledger':
      return 'Starting the private ledger';
  }
}

const COMPARED = [
  ['error', 'error'],
  ['computeUnits', 'compute units'],
  ['logs', 'logs'],
  ['lamports', 'lamports'],
  ['tokens', 'tokens'],
] as const;

/** The points that are compared and do not differ. */
export const samePoints = (
  expected: ExpectedOutcome,
  differences: readonly Difference[],
): readonly Difference['about'][] =>
  COMPARED.flatMap(([member, about]) =>
    expected[member] === undefined || differences.some((one) => one.about === about) ? [] : [about],
  );

/** Texts from outside are made harmless. */
export function replayLines({ replay, differences }: Replayed): readonly string[] {
  const { expected, notes, blockTime, clock, overrides = [] } = replay;
  const same = samePoints(expected, differences);
  return [
    ...(clock === undefined ? [] : [`clock: ${timeText(BigInt(blockTime))}, ${visibleText(clock)}`]),
    ...(overrides.length === 0
      ? []
      : ['changed here:', ...overrides.map((one) => `  ${visibleText(overrideText(one))}`)]),
    ...(same.length === 0 ? [] : [`as expected: ${same.join(', ')}`]),
    ...(differences.length === 0 ? [] : ['differs:', ...differences.flatMap(differenceLines)]),
    ...(differences.length === 0 || notes.length === 0
      ? []
      : ['why it may differ:', ...notes.map((note) => `  ${visibleText(note)}`)]),
  ];
}

const differenceLines = ({ about, at, expected, local }: Difference): readonly string[] => [
  `  ${about}${at === undefined ? '' : `, ${visibleText(at)}`}`,
  `    expected: ${visibleText(expected)}`,
  `    here:     ${visibleText(local)}`,
];
