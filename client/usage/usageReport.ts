// The usage as a report: what the page shows, and the same numbers as CSV. Pure: texts go through `t`, times come in.
import { csvLine } from '../../core/solana/common/csv';
import type { UsageRow } from '../../core/service/usage';
import type { ReportPart, ReportRow, ReportTimeline, UsageReport } from '../../protocol/usagePanel';
import type { UsagePart } from '../../protocol/usage';
import type { Translate } from '../shared/words';
import type { TimelineState } from './usageTimeline';
import {
  ageText,
  errorsOf,
  isStale,
  lastOf,
  usageItems,
  type KeysState,
  type KeyUsage,
  type UsageSubject,
  type UsageState,
} from './usageState';

export interface ReportSource {
  readonly endpoint: string;
  /** In words. */
  readonly range: string;
  readonly state: UsageState;
  readonly keys: KeysState;
  readonly subject: UsageSubject;
  readonly timeline: TimelineState;
  /** Parts in which the range would be asked for. */
  readonly asks: number;
}

export function usageReport(
  { endpoint, range, state, keys, subject, timeline, asks }: ReportSource,
  now: number,
  t: Translate,
): UsageReport {
  const last = lastOf(state);
  const notice = noticeOf(state, now, t, subject);
  return {
    endpoint,
    range,
    isLoading: state.kind === 'loading' || keys.kind === 'loading' || knownKeys(keys).some(isLoading),
    ...(last !== undefined && { age: ageText(last.at, now, t) }),
    isStale: last !== undefined && isStale(last.at, now),
    ...(notice !== undefined && { notice }),
    total: last?.requestCount ?? 0,
    errors: last === undefined ? 0 : errorsOf(last),
    methods: (last?.methods ?? []).map(methodRow),
    keys: knownKeys(keys).map((key) => keyRow(key, now, t)),
    ...(asks > 0 && { timeline: timelineOf(timeline, asks, t) }),
    isListed: keys.kind !== 'known' || keys.listed,
  };
}

function timelineOf(state: TimelineState, asks: number, t: Translate): ReportTimeline {
  if (state.kind !== 'loaded') return { kind: state.kind, asks };
  const { parts, keyId, error } = state;
  const problem = error === undefined ? undefined : usageItems({ kind: 'failed', error }, 0, t)[0]?.label;
  return {
    kind: 'loaded',
    parts: parts.map(partOf),
    ...(keyId !== undefined && { keyId }),
    ...(problem !== undefined && { problem }),
  };
}

const partOf = ({ from, to, requestCount, methods }: UsagePart): ReportPart => ({
  from,
  to,
  count: requestCount,
  errors: errorsOf({ methods }),
  methods: methods.map(methodRow),
});

const methodRow = ({ method, count, errors }: UsageRow): ReportRow => ({ name: method, count, errors });

const knownKeys = (keys: KeysState): readonly KeyUsage[] => (keys.kind === 'known' ? keys.keys : []);
const isLoading = ({ usage }: KeyUsage): boolean => usage.kind === 'loading';

/** The first text of the view if it is not a number. */
function noticeOf(state: UsageState, now: number, t: Translate, subject: UsageSubject): UsageReport['notice'] {
  if (state.kind === 'noEndpoint') return { text: t('No endpoint is active.') };
  if (state.kind === 'noUrl') return { text: t('The active endpoint names no URL of a usage API.') };
  if (state.kind === 'notServed') return { text: t('The provider of the active endpoint serves no usage API.') };
  if (state.kind === 'idle' && state.last === undefined) return { text: t('Not loaded yet.'), step: t('Load Now') };
  const items = usageItems(state, now, t, subject);
  const item = items.find(({ icon }) => icon !== 'account' && icon !== 'loading~spin');
  if (item === undefined) return undefined;
  const { label, description = '', command } = item;
  if (command === undefined) return { text: description === '' ? label : `${label}: ${description}` };
  return { text: label, step: description };
}

function keyRow({ keyId, label, usage }: KeyUsage, now: number, t: Translate): ReportRow {
  const last = lastOf(usage);
  const problem = usage.kind === 'failed' ? usageItems(usage, now, t, { keyId })[0]?.label : undefined;
  return {
    name: label ?? keyId,
    keyId,
    count: last?.requestCount ?? 0,
    errors: last === undefined ? 0 : errorsOf(last),
    ...(problem !== undefined && { problem }),
  };
}

const isoOf = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** One line per method and scope; undefined where nothing is loaded. */
export function usageCsv(state: UsageState, keys: KeysState, t: Translate): string | undefined {
  const scopes = [
    { name: t('account'), keyId: undefined, usage: state },
    ...knownKeys(keys).map(({ keyId, label, usage }) => ({ name: label ?? keyId, keyId, usage })),
  ];
  const lines = scopes.flatMap(({ name, keyId, usage }) => {
    const last = lastOf(usage);
    return (last?.methods ?? []).map(({ method, count, errors }) =>
      csvLine([name, keyId, method, String(count), String(errors), isoOf(last?.from ?? 0), isoOf(last?.to ?? 0)]),
    );
  });
  if (lastOf(state) === undefined) return undefined;
  return csvLine(['scope', 'key_id', 'method', 'requests', 'errors', 'from', 'to']) + lines.join('');
}
