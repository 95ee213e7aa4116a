// The section *Over time* of the report: asked for by a button, shown of all methods or of one, of the account or of a key.
import type { ReportPart, ReportRow, UsageReport } from '../../../protocol/usagePanel';
import { button, type Child, choice, type ChoiceEntry, div, element, paragraph, table, tableRow } from '../shared/dom';
import type { PageTranslate } from '../shared/extension';
import { counted } from '../shared/format';
import { columns, partText } from './columns';
import { shareText } from './shares';

export interface TimelineOptions {
  readonly timeline: NonNullable<UsageReport['timeline']>;
  readonly keys: readonly ReportRow[];
  readonly isTable: boolean;
  /** The method that is shown alone; undefined for all. */
  readonly method: string | undefined;
  readonly onMethod: (method: string | undefined) => void;
  /** Asks for the account, or for one key. */
  readonly onAsk: (keyId: string | undefined) => void;
  readonly t: PageTranslate;
}

export function timelineSection(options: TimelineOptions): HTMLElement {
  const { t } = options;
  return element(
    'section',
    { 'aria-labelledby': 'title-time' },
    element('h2', { id: 'title-time' }, t('Over time')),
    ...content(options),
  );
}

function content(options: TimelineOptions): readonly Child[] {
  const { timeline, onAsk, t } = options;
  switch (timeline.kind) {
    case 'idle':
      return [
        paragraph('quiet', t('Asks the service for each of {0} parts of the range.', timeline.asks)),
        button(t('Show Over Time'), () => onAsk(undefined), { id: 'ask' }),
      ];
    case 'loading':
      return [paragraph('quiet', t('Loading {0} parts…', timeline.asks))];
    case 'loaded':
      return shown(options, timeline);
  }
}

function shown(
  { keys, isTable, method, onMethod, onAsk, t }: TimelineOptions,
  { parts, keyId, problem }: Extract<TimelineOptions['timeline'], { kind: 'loaded' }>,
): readonly Child[] {
  const names = [...new Set(parts.flatMap(({ methods }) => methods.map(({ name }) => name)))].sort();
  const rows = method === undefined || !names.includes(method) ? parts : parts.map((part) => ofMethod(part, method));
  const of = labelled(
    t('Of'),
    [['', t('Account')], ...keys.map((key) => [key.keyId ?? '', key.name] as const)],
    keyId ?? '',
    (value) => onAsk(value === '' ? undefined : value),
  );
  const which = labelled(
    t('Method'),
    [['', t('All methods')], ...names.map((name) => [name, name] as const)],
    method ?? '',
    (value) => onMethod(value === '' ? undefined : value),
  );
  const label = t('Requests over time');
  return [
    div('choices wraps', of, which),
    problem !== undefined && paragraph('bad', problem),
    parts.length > 0 && (isTable ? partsTable(rows, label, t) : columns(rows, label, t)),
  ];
}

function ofMethod(part: ReportPart, method: string): ReportPart {
  const row = part.methods.find(({ name }) => name === method);
  return { ...part, count: row?.count ?? 0, errors: row?.errors ?? 0 };
}

/** A choice with its label. */
function labelled(
  label: string,
  entries: readonly ChoiceEntry[],
  value: string,
  onChoose: (value: string) => void,
): HTMLElement {
  return element('label', {}, label, choice({ id: `choose-${label}` }, entries, onChoose, value));
}

function partsTable(parts: readonly ReportPart[], caption: string, t: PageTranslate): HTMLElement {
  const heads = [t('Time'), t('Requests'), t('Errors'), t('Error share')];
  const rows = parts.map((part) =>
    tableRow([partText(part), counted(part.count), counted(part.errors), shareText(part.errors, part.count)]),
  );
  return table(caption, heads, rows);
}
