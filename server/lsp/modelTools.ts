// What the tools of language models ask without anything being sent: the methods there are, and the faults of a text.
import { parseDocument } from '../../core/document/document';
import type { LanguageService } from '../../core/language/service';
import type { MethodTable } from '../../core/methods';
import { signatureLabel } from '../../core/methods/describe';
import type { MethodSummary, ValidateFinding } from '../../protocol/lsp';

/** Answers above this tell a model nothing more. */
const MAX_FINDINGS = 100;
/** A text above this is no request file. UTF-16 units. */
const MAX_TEXT = 1_000_000;
const SEVERITIES = [undefined, 'error', 'warning', 'information', 'hint'] as const;

/** Methods whose name or summary holds every word of the query; those of method packs only where there is one. */
export function methodsLike(methods: MethodTable, query = ''): readonly MethodSummary[] {
  const words = query.toLowerCase().split(/\s+/);
  return methods
    .all()
    .filter(({ pack }) => pack === undefined || query !== '')
    .filter(({ name, summary }) => words.every((word) => `${name} ${summary}`.toLowerCase().includes(word)))
    .map((record) => ({
      name: record.name,
      signature: signatureLabel(record).label,
      summary: record.summary,
      transport: record.transport,
    }));
}

export function findingsOf(service: LanguageService, text: string): readonly ValidateFinding[] {
  const document = parseDocument('untitled:checked.jsonrpc', 0, text.slice(0, MAX_TEXT));
  return service
    .findings(document)
    .slice(0, MAX_FINDINGS)
    .map(({ diagnostic: { code, severity, message, range }, fixes }) => ({
      code: String(code),
      severity: SEVERITIES[severity ?? 1] ?? 'error',
      message: typeof message === 'string' ? message : message.value,
      ...range.start,
      fixes,
    }));
}
