// A request as it was sent and the head of its answer, as a text to read: keys left out, the answer's body elsewhere. Pure:
// texts go through `t`.
import { assertionText, statusText, durationText } from './responseSummary';
import type { ExecuteOutcome } from '../../protocol/lsp';
import { sizeText, type Translate } from '../shared/words';

/** One section after the other, an empty line between them. */
export function exchangeText(outcome: ExecuteOutcome, t: Translate): string {
  const sections = [sentSection(outcome, t), answerSection(outcome, t), timeSection(outcome, t)];
  return `${[...sections, assertionSection(outcome, t)].filter((section) => section !== '').join('\n\n')}\n`;
}

const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : [`# ${title}`, ...lines.map(visible)].join('\n');

/** Characters that nobody sees, and those that move the text around them, written out. */
const visible = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (char) =>
    char === '\n' ? char : `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`,
  );

function sentSection({ wire, request, transport, method, endpoint, origin }: ExecuteOutcome, t: Translate): string {
  const sent = wire?.sent;
  const head =
    sent === undefined
      ? [[transport, method, origin ?? endpoint].join(' ')]
      : [`${sent.method} ${sent.url}`, ...headerLines(sent.headers)];
  return section(t('Request as it was sent, without keys'), [...head, ...(request === undefined ? [] : ['', request])]);
}

function answerSection({ wire, httpStatus, status, bytes, error }: ExecuteOutcome, t: Translate): string {
  const first = httpStatus === undefined ? statusText(status, t) : `HTTP ${httpStatus}`;
  const failure = error === undefined ? [] : [`✗ ${error.message}`];
  return section(t('Response'), [`${first} · ${sizeText(bytes)}`, ...failure, ...headerLines(wire?.headers ?? [])]);
}

function timeSection({ wire, durationMs }: ExecuteOutcome, t: Translate): string {
  const { phases } = wire ?? {};
  const rows: readonly (readonly [string, number])[] = [
    ...(phases === undefined
      ? []
      : ([
          [t('Connection'), phases.connection],
          [t('Waiting for the answer'), phases.waiting],
          [t('Download'), phases.download],
        ] as const)),
    [t('Total'), durationMs],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return section(
    t('Time'),
    rows.map(([name, ms]) => `${name.padEnd(width)}  ${durationText(ms).padStart(9)}`),
  );
}

function assertionSection({ assertions }: ExecuteOutcome, t: Translate): string {
  return section(
    t('Assertions'),
    assertions.map((assertion) => assertionText(assertion, t)),
  );
}

const headerLines = (headers: readonly (readonly [string, string])[]): string[] =>
  headers.map(([name, value]) => `${name}: ${value}`);
