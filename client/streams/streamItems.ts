// The Streams view's texts for each stream: state, rate, drops. Pure: texts go through `t`.
import type { StateView } from '../../protocol/streamPanel';
import type { StreamInfo, StreamTick } from '../../protocol/streams';
import type { ThemeLook } from '../shared/tooltip';
import { ends, type Translate } from '../shared/words';
import { dotted } from '../../core/solana/common/dotted';

/** An address in a row, in characters. */
const ADDRESS = 11;

export interface StreamItem extends ThemeLook {
  readonly label: string;
  /** In full. */
  readonly title: string;
  readonly description: string;
  /** Lines under the label. */
  readonly tooltip: readonly string[];
  /** For the menus: what can be done with it. */
  readonly context: 'stream.running' | 'stream.waiting' | 'stream.stopped';
}

const ICONS: Readonly<Record<StateView['tone'], ThemeLook>> = {
  good: { icon: 'radio-tower', color: 'charts.green' },
  busy: { icon: 'sync', color: 'charts.blue' },
  warn: { icon: 'warning', color: 'problemsWarningIcon.foreground' },
  bad: { icon: 'error', color: 'problemsErrorIcon.foreground' },
  quiet: { icon: 'primitive-square', color: 'disabledForeground' },
};

const counted = (count: number): string => Math.round(count).toLocaleString('en-US');

/** Shortens an account's address to its ends, to leave room for its neighbours. */
export const shortTitle = ({ source, title }: StreamInfo): string =>
  source.kind === 'account' ? ends(title, ADDRESS) : ends(title, LONGEST_TITLE);

/** Of a row and of a tab. Characters. */
const LONGEST_TITLE = 40;

export function streamItem(info: StreamInfo, view: StateView, tick: StreamTick | undefined, t: Translate): StreamItem {
  const numbers: string[] = [];
  if (view.canStop && tick !== undefined) numbers.push(t('{0}/s', counted(tick.rate)));
  if (tick !== undefined && tick.dropped > 0) numbers.push(t('{0} dropped', counted(tick.dropped)));
  const lines = [
    dotted([info.method, info.transport, info.endpoint]),
    view.more ?? '',
    tick === undefined ? '' : cameLine(tick, t),
    exportLine(tick, t),
  ];
  return {
    label: shortTitle(info),
    title: info.title,
    description: [view.words, ...numbers].join(' · '),
    tooltip: lines,
    ...ICONS[view.tone],
    context: !view.canStop ? 'stream.stopped' : view.canReopen ? 'stream.waiting' : 'stream.running',
  };
}

function cameLine({ total, reconnects }: StreamTick, t: Translate): string {
  const updates = total === 1 ? t('1 update') : t('{0} updates', counted(total));
  if (reconnects === 0) return updates;
  return `${updates} · ${reconnects === 1 ? t('1 reconnect') : t('{0} reconnects', counted(reconnects))}`;
}

function exportLine(tick: StreamTick | undefined, t: Translate): string {
  const written = tick?.export;
  switch (written?.kind) {
    case 'writing':
      return t('Writing {0}: {1} rows', written.file, counted(written.rows));
    case 'written':
      return t('Written to {0}: {1} rows', written.file, counted(written.rows));
    case 'failed':
      return t('Not written to {0}: {1}', written.file, written.message);
    case undefined:
      return '';
  }
}
