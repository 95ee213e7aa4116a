// The faults of a text, for language models. Nothing is sent.
import type { LanguageService } from '../language/service';
import type { RequestDocument } from '../document/model';
import type { CheckAnswer, CheckFinding } from './answers';

/** Findings above this are counted. */
const MAX_FINDINGS = 100;
const SEVERITIES = [undefined, 'error', 'warning', 'information', 'hint'] as const;

export function checkAnswer(service: LanguageService, document: RequestDocument): CheckAnswer {
  const all = service.findings(document);
  const findings = all
    .slice(0, MAX_FINDINGS)
    .map(({ diagnostic: { code, severity, message, range }, fixes }): CheckFinding => {
      return {
        code: String(code),
        severity: SEVERITIES[severity ?? 1] ?? 'error',
        message: typeof message === 'string' ? message : message.value,
        ...range.start,
        fixes,
      };
    });
  const ok = !all.some(({ diagnostic }) => SEVERITIES[diagnostic.severity ?? 1] === 'error');
  return { ok, findings, more: all.length - findings.length };
}
