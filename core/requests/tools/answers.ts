// The answers of the tools that send nothing, as they cross process borders.

export interface MethodSummary {
  readonly name: string;
  readonly signature: string;
  readonly summary: string;
  readonly transport: 'http' | 'ws' | 'both';
}

export interface CheckFinding {
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'information' | 'hint';
  readonly message: string;
  /** Zero-based. */
  readonly line: number;
  readonly character: number;
  readonly fixes: readonly string[];
}

export interface CheckAnswer {
  readonly ok: boolean;
  readonly findings: readonly CheckFinding[];
  /** Findings beyond the bound. */
  readonly more: number;
}
