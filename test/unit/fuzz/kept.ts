// Inputs at which a kind once failed: `fuzz.test.ts` reads each of them again in every run.

export const KEPT: readonly { readonly kind: string; readonly seed: number }[] = [
  // A paste whose URL had another scheme, or none and another URL in its query, threw.
  { kind: 'curl', seed: 1377 },
  { kind: 'curl', seed: 1431 },
  { kind: 'curl', seed: 1523 },
  // A slot of -0 in a state file was kept, and was another value in the next file.
  { kind: 'stateFile', seed: 1796230802 },
  { kind: 'stateFile', seed: 1796359604 },
  // Sixteen backslashes in front of an escape: redactors read eight, and the check read any number.
  { kind: 'redactor', seed: 1796008654 },
];
