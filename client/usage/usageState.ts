// The state of the usage view, and its rows. Pure: texts go through `t`, times are passed in.
import type { ServiceError } from '../../core/service/errors';
import type { EndpointProfile, KeyQuery } from '../../core/service/profiles/profile';
import { servesNoUsage } from '../../core/service/providers/ways';
import type { ListedKey, UsageRow } from '../../core/service/usage';
import type { UsageResult } from '../../protocol/usage';
import type { TrafficView } from './traffic';
import type { ThemeLook } from '../shared/tooltip';
import type { Translate } from '../shared/words';
import { readKeptRange, type ChosenRange } from './usageRange';

export type LoadedUsage = Extract<UsageResult, { kind: 'loaded' }> & { readonly at: number };

export type UsageState =
  | { readonly kind: 'noEndpoint' }
  /** The active endpoint has no usage API that we know of. */
  | { readonly kind: 'noUrl' }
  /** The active endpoint is a known provider's, none of whose addresses serves usage. */
  | { readonly kind: 'notServed' }
  | { readonly kind: 'idle'; readonly last?: LoadedUsage }
  | { readonly kind: 'loading'; readonly last?: LoadedUsage | undefined }
  | { readonly kind: 'loaded'; readonly last: LoadedUsage }
  | { readonly kind: 'failed'; readonly error: ServiceError; readonly last?: LoadedUsage | undefined };

/** The newest numbers, also while others are loaded. */
export const lastOf = (state: UsageState): LoadedUsage | undefined => ('last' in state ? state.last : undefined);

/** One key of the account and what is known of its usage. */
export interface KeyUsage extends ListedKey {
  /** The user typed its id in; the service lists none. */
  readonly isTyped: boolean;
  readonly usage: UsageState;
}

/** The keys of the account. */
export type KeysState =
  /** Nobody looked yet. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'loading' }
  | {
      readonly kind: 'known';
      readonly keys: readonly KeyUsage[];
      readonly listed: boolean;
      readonly error?: ServiceError;
    };

/** The numbers of last time, for a window that is loaded again. Counts and key ids only, never a key. */
export interface RememberedUsage {
  readonly endpoint: string;
  /** Of the local service, which begins with a new ledger at each start. */
  readonly ledger?: string;
  readonly range: ChosenRange;
  readonly last: LoadedUsage;
}

/** The state of an endpoint before it is asked: its last range and numbers, unless those are of another ledger. */
export function recalled(
  remembered: RememberedUsage | undefined,
  endpoint: string,
  ledger: string | undefined,
): { readonly range?: ChosenRange; readonly state: UsageState } {
  const range = readKeptRange(remembered?.range);
  if (remembered?.endpoint !== endpoint || range === undefined) return { state: { kind: 'idle' } };
  const isOfLedger = remembered.ledger === ledger;
  return { range, state: { kind: 'idle', ...(isOfLedger && { last: remembered.last }) } };
}

/** A row; its words say, too, what its icon and colour mean. */
export interface UsageItem extends ThemeLook {
  readonly label: string;
  /** The label is a name, whose middle may be left out so that a narrow view still shows the number behind it. */
  readonly isName?: true;
  readonly description?: string;
  readonly tooltip?: string;
  readonly command?: { readonly id: string; readonly title: string; readonly arguments?: readonly unknown[] };
  /** `keys` and `key` are asked for when they are opened. */
  readonly opens?: { readonly kind: 'keys' } | { readonly kind: 'key'; readonly keyId: string };
  readonly contextValue?: string;
  readonly children?: readonly UsageItem[];
}

/** Numbers older than this are marked as stale, in milliseconds. */
export const STALE_AFTER_MS = 10 * 60_000;

const STEP_ICONS: ReadonlyMap<string, string> = new Map([
  ['solanaRpc.addKey', 'add'],
  ['solanaRpc.rotateKey', 'sync'],
  ['solanaRpc.refreshUsage', 'refresh'],
  ['solanaRpc.setUsageRange', 'calendar'],
]);
const CAREFUL = 'problemsWarningIcon.foreground';
const WRONG = { icon: 'error', color: 'problemsErrorIcon.foreground' } as const;
const LATE = { icon: 'watch', color: CAREFUL } as const;
/** From this share of failed requests on, in percent, a method is marked as failing and not just as to be looked at. */
const FAILING_SHARE = 50;

/** The subject of the rows: a whole account, or one of its keys, whose numbers are a part of the tree. */
export interface UsageSubject {
  readonly keyId?: string;
  /** The key that is asked with, for the step after *no key for HOST*. */
  readonly query?: KeyQuery | undefined;
}

/** The name of the endpoint that can be asked for its usage, or why none can. */
export function askedOf(profile: EndpointProfile | undefined): string | UsageState {
  if (profile === undefined) return { kind: 'noEndpoint' };
  if (profile.restUrl !== undefined) return profile.name;
  return { kind: servesNoUsage(profile) ? 'notServed' : 'noUrl' };
}

/** The rows of a state. None where there is nothing to show yet: the view's welcome text then says what to do. */
export function usageItems(
  state: UsageState,
  now: number,
  t: Translate,
  subject: UsageSubject = {},
): readonly UsageItem[] {
  const rows = (last: LoadedUsage | undefined): readonly UsageItem[] =>
    last === undefined ? [] : numbers(last, now, t, subject);
  switch (state.kind) {
    case 'noEndpoint':
    case 'noUrl':
    case 'notServed':
      return [];
    case 'idle':
      return state.last === undefined
        ? []
        : [step(t('Not loaded again yet'), 'history', 'refreshUsage', t('Load Now')), ...rows(state.last)];
    case 'loading':
      return [{ label: t('Loading usage…'), icon: 'loading~spin' }, ...rows(state.last)];
    case 'loaded':
      return rows(state.last);
    case 'failed':
      return [failure(state.error, t, subject), ...rows(state.last)];
  }
}

/** The group of the account's keys, opened by the user; then each key with its own numbers inside. */
export function keysItem(state: KeysState, now: number, t: Translate, subject: UsageSubject): UsageItem {
  const group = { label: t('Keys'), icon: 'key', opens: { kind: 'keys' }, contextValue: 'usageKeys' } as const;
  if (state.kind === 'unknown') return group;
  if (state.kind === 'loading') return { ...group, children: [{ label: t('Loading keys…'), icon: 'loading~spin' }] };
  const typeIn = step(t('Add a Key by Its Id…'), 'add', 'addUsageKey', '');
  const unlisted = state.error === undefined ? undefined : failure(state.error, t, subject);
  const isNotListed = state.error?.kind === 'protocol';
  return {
    ...group,
    description: grouped(state.keys.length),
    children: [
      ...(unlisted === undefined || isNotListed ? [] : withSteps([unlisted])),
      ...state.keys.map((key) => keyItem(key, now, t)),
      ...(state.listed
        ? []
        : [{ ...typeIn, tooltip: t('This service does not list its keys. Their ids are in its dashboard.') }]),
    ],
  };
}

function keyItem(key: KeyUsage, now: number, t: Translate): UsageItem {
  const { usage, keyId } = key;
  const last = lastOf(usage);
  const name = key.label ?? keyId;
  const about = [key.type?.toUpperCase(), key.plan, key.state].filter((part) => part !== undefined).join(' · ');
  const failed = usage.kind === 'failed';
  return {
    label: name,
    isName: true,
    description: failed
      ? failure(usage.error, t, { keyId }).label
      : last === undefined
        ? about
        : countText(last.requestCount, errorsOf(last), t),
    tooltip: [t('Key id: {0}', keyId), about].filter((line) => line !== '').join('\n'),
    ...(failed ? WRONG : { icon: 'key' }),
    opens: { kind: 'key', keyId },
    contextValue: key.isTyped ? 'usageKey.typed' : 'usageKey',
    ...(usage.kind !== 'idle' && { children: inside(withSteps(usageItems(usage, now, t, { keyId }))) }),
  };
}

/** A key's own row is the subject, so only its methods are under it. */
const inside = (items: readonly UsageItem[]): readonly UsageItem[] =>
  items.flatMap((item) => (item.icon === 'graph' ? (item.children ?? []) : [item]));

/** This window's traffic compared with the plan; undefined before the first request. */
export function trafficItem(counts: TrafficView | undefined, t: Translate): UsageItem | undefined {
  if (counts === undefined) return undefined;
  const { sent, throttled, limit, left } = counts;
  return {
    label: t('Sent from here'),
    description: throttled === 0 ? grouped(sent) : t('{0} · {1} answered with 429', grouped(sent), grouped(throttled)),
    tooltip:
      limit === undefined
        ? t('Since the language server started. The profile names no plan.')
        : t('Since the language server started. {0} of {1} requests per second are left.', left ?? 0, limit),
    icon: throttled === 0 ? 'arrow-up' : 'warning',
    ...(throttled > 0 && { color: CAREFUL }),
  };
}

function step(label: string, icon: string, command: string, title: string): UsageItem {
  return {
    label,
    icon,
    description: title,
    command: { id: `solanaRpc.${command}`, title: title === '' ? label : title },
  };
}

/** For a tree, where a next step has a separate row: after its reason, a narrow view would cut it off. */
export function withSteps(items: readonly UsageItem[]): readonly UsageItem[] {
  return items.flatMap((item) => {
    const { command, description, ...reason } = item;
    if (command === undefined || description === undefined || description === '') return [item];
    const more = description === command.title ? {} : { description };
    return [
      { ...reason, ...more },
      { label: command.title, icon: STEP_ICONS.get(command.id) ?? 'arrow-right', command },
    ];
  });
}

function failure(error: ServiceError, t: Translate, { query }: UsageSubject): UsageItem {
  const again = { id: 'solanaRpc.refreshUsage', title: t('Try Again') };
  const hint = error.hint === undefined ? {} : { tooltip: error.hint };
  const retry = (label: string, description: string, look: ThemeLook): UsageItem => ({
    label,
    description,
    ...look,
    command: again,
    ...hint,
  });
  switch (error.kind) {
    case 'noKey': {
      const title = t('Add Key for This Host…');
      const item = step(t('No key for {0}', error.host), 'key', 'addKey', title);
      return { ...item, ...hint, command: { id: 'solanaRpc.addKey', title, arguments: [{ key: query }] } };
    }
    case 'keyRejected':
      return {
        ...step(t('The key was refused (401)'), 'error', 'rotateKey', t('Rotate or Replace the Key…')),
        ...WRONG,
        ...hint,
      };
    case 'wrongKeyType':
      return {
        ...step(t('The key is of the wrong type (403)'), 'error', 'addKey', t('Add an RPC Key…')),
        ...WRONG,
        ...hint,
      };
    case 'suspended':
      return retry(t('The key is suspended'), wait(error.retryAfterMs, t), { ...WRONG, icon: 'circle-slash' });
    case 'rateLimited':
      return retry(t('Too many requests (429)'), wait(error.retryAfterMs, t), LATE);
    case 'timeout':
      return retry(t('No answer in time'), again.title, LATE);
    case 'protocol':
      return error.httpStatus === 404
        ? {
            ...step(t('The service does not know this key id (404)'), 'question', 'refreshUsage', again.title),
            tooltip: error.message,
          }
        : { ...retry(t('The answer could not be read'), again.title, WRONG), tooltip: error.message };
    default:
      return retry(error.message, again.title, WRONG);
  }
}

function wait(ms: number | undefined, t: Translate): string {
  return ms === undefined ? t('try again later') : t('again in {0} s', Math.ceil(ms / 1000));
}

export const errorsOf = ({ methods }: Pick<LoadedUsage, 'methods'>): number =>
  methods.reduce((sum, { errors }) => sum + errors, 0);

/** When numbers were loaded, in words. */
export function ageText(at: number, now: number, t: Translate): string {
  const minutes = Math.max(0, Math.floor((now - at) / 60_000));
  if (minutes === 0) return t('loaded just now');
  return minutes < 120 ? t('loaded {0} min ago', minutes) : t('loaded {0} h ago', Math.floor(minutes / 60));
}

export const isStale = (at: number, now: number): boolean => now - at > STALE_AFTER_MS;

function numbers(usage: LoadedUsage, now: number, t: Translate, { keyId }: UsageSubject): readonly UsageItem[] {
  const stale = isStale(usage.at, now);
  const account: UsageItem = {
    label: keyId === undefined ? t('Account') : t('Key {0}', keyId),
    description: countText(usage.requestCount, errorsOf(usage), t),
    tooltip: stale ? t('These numbers may be out of date: {0}.', ageText(usage.at, now, t)) : ageText(usage.at, now, t),
    icon: keyId === undefined ? 'account' : 'graph',
    children: usage.methods.map((row) => methodItem(row, t)),
  };
  if (usage.requestCount === 0)
    return [
      { ...account, description: t('no requests') },
      step(t('No requests in this range'), 'calendar', 'setUsageRange', t('Choose Another Range…')),
    ];
  return stale
    ? [step(t('Out of date: {0}', ageText(usage.at, now, t)), 'history', 'refreshUsage', t('Load Now')), account]
    : [account];
}

function methodItem({ method, count, errors }: UsageRow, t: Translate): UsageItem {
  const failing = shareOf(errors, count) >= FAILING_SHARE;
  return {
    label: method,
    isName: true,
    description: countText(count, errors, t),
    tooltip: errors === 0 ? t('No request failed.') : t('{0} of {1} requests failed.', grouped(errors), grouped(count)),
    ...(errors === 0 ? { icon: 'symbol-method' } : failing ? WRONG : { icon: 'warning', color: CAREFUL }),
  };
}

/** A count, and what share of it failed; the number comes first so that a narrow view still shows it. */
function countText(count: number, errors: number, t: Translate): string {
  if (errors === 0) return grouped(count);
  const share = shareOf(errors, count);
  return t('{0} · {1} % errors', grouped(count), share < 1 ? t('under 1') : Math.round(share));
}

const shareOf = (part: number, whole: number): number => (whole === 0 ? 0 : (100 * part) / whole);

const grouped = (count: number): string => count.toLocaleString('en-US');
