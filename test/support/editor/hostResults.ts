// Results that the tests inside the editor report to the test run outside, one JSON document per line.

export type HostResult =
  | { readonly kind: 'test'; readonly title: string; readonly durationMs: number; readonly failure?: string }
  /** The last line: how many tests mocha had. A run that died half-way lacks it. */
  | { readonly kind: 'end'; readonly total: number };

export function parseHostResults(text: string): readonly HostResult[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as HostResult);
}
