// The Endpoints view's texts for each key: its state, its label, where it may go. Pure: texts go through `t`, times are passed
// in as Unix milliseconds. Knows no secret.
import type { KeyRecord, KeyVerdict, NewKey } from './keyRecord';
import { hostOf } from '../profiles/origins';
import type { ThemeLook } from '../shared/tooltip';
import { plain, TYPE_NAMES, type Translate } from '../shared/words';
import { dotted } from '../../core/solana/common/dotted';

/** A key's rank among those of its type. */
export interface KeyPlaceInList {
  /** Requests go out with this one. */
  readonly used: boolean;
  /** There are others of its type. */
  readonly rivals: boolean;
}

export interface KeyItem extends ThemeLook {
  readonly label: string;
  readonly description: string;
  /** A heading, and lines under it; empty ones are left out. */
  readonly heading: string;
  readonly lines: readonly string[];
  /** For a screen reader, which is not shown the icon. */
  readonly spoken: string;
  /** For the menus: what can be done with it. */
  readonly context: 'key' | 'key.used' | 'key.other' | 'keyRemoved';
}

/** Icon and colour of a state; their meaning is also given in words. */
const LOOKS: Readonly<Record<KeyVerdict['kind'], ThemeLook>> = {
  untested: { icon: 'key' },
  active: { icon: 'pass', color: 'charts.green' },
  rejected: { icon: 'error', color: 'problemsErrorIcon.foreground' },
  wrongType: { icon: 'error', color: 'problemsErrorIcon.foreground' },
  suspended: { icon: 'circle-slash', color: 'problemsWarningIcon.foreground' },
  removed: { icon: 'circle-large-outline', color: 'disabledForeground' },
};

export function keyItem(record: KeyRecord, { used, rivals }: KeyPlaceInList, now: number, t: Translate): KeyItem {
  const { state, lastUsed, keyId, origins } = record;
  const label = t('{0} key', TYPE_NAMES[record.type]);
  const words = stateText(state, now, t);
  const isGone = state.kind === 'removed';
  const isPicked = rivals && used;
  // Problems come first, because a narrow view cuts off the rest.
  const parts = [state.kind === 'active' ? '' : words, record.label, isPicked ? t('used') : ''];
  const description = dotted(parts);
  return {
    label,
    description,
    heading: t('{0} key “{1}”: {2}', TYPE_NAMES[record.type], record.label, words),
    lines: [
      stepText(state, t),
      isPicked ? t('Requests go out with this one where a file names none.') : '',
      keyId === undefined ? '' : t('Key id: {0}', keyId),
      t('Goes only to {0}.', [...new Set(Object.values(origins).map(hostOf))].join(', ')),
      lastUsed === undefined ? t('Not used yet.') : t('Last used {0}.', new Date(lastUsed).toLocaleString()),
    ],
    spoken: [label, description, words].join(', '),
    ...LOOKS[state.kind],
    context: isGone ? 'keyRemoved' : rivals ? (used ? 'key.used' : 'key.other') : 'key',
  };
}

/** A key in a question: what distinguishes it from every other key of every endpoint. */
export function keyWords({ type, label, keyId, profile }: Omit<NewKey, 'origins'>, t: Translate): string {
  const words = [TYPE_NAMES[type], plain(label), plain(profile)];
  return keyId === undefined
    ? t('{0} key “{1}” of {2}', ...words)
    : t('{0} key “{1}” (id {3}) of {2}', ...words, plain(keyId));
}

function stateText(state: KeyVerdict, now: number, t: Translate): string {
  switch (state.kind) {
    case 'untested':
      return t('untested');
    case 'active':
      return t('active');
    case 'rejected':
      return t('refused by the service (401)');
    case 'wrongType':
      return t('of another type (403)');
    case 'removed':
      return t('removed');
    case 'suspended':
      return suspensionText(state.until, now, t);
  }
}

/** The service lifts a suspension by itself; times in Unix milliseconds. */
function suspensionText(until: number | undefined, now: number, t: Translate): string {
  if (until === undefined) return t('suspended');
  const time = new Date(until).toLocaleTimeString();
  return until > now ? t('suspended until {0}', time) : t('was suspended until {0}', time);
}

/** The next step for a state; empty if all is well. */
function stepText({ kind }: KeyVerdict, t: Translate): string {
  switch (kind) {
    case 'untested':
      return t('Test it, or send a request: the service says whether it is good.');
    case 'active':
      return '';
    case 'rejected':
      return t('The service no longer knows this key. Rotate it to replace it.');
    case 'wrongType':
      return t('The service says that this key has another type. Rotate it, or add it with that type.');
    case 'suspended':
      return t('The service lifts a suspension by itself; its dashboard says why.');
    case 'removed':
      return t('Its secret is no longer in the storage. Add it again, or remove this entry.');
  }
}
