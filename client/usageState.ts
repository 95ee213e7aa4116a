// What the usage view knows, and the rows it shows for it. Pure: texts go through `t`, times come in as parameters.
import type { ServiceError } from '../core/errors';
import type { UsageResult, UsageRow } from '../protocol/lsp';

export type LoadedUsage = Extract<UsageResult, { kind: 'loaded' }> & { readonly at: number };

export type UsageState =
  | { readonly kind: 'noEndpoint' }
  | { readonly kind: 'idle'; readonly last?: LoadedUsage }
  | { readonly kind: 'loading'; readonly last?: LoadedUsage }
  | { readonly kind: 'loaded'; readonly last: LoadedUsage }
  | { readonly kind: 'failed'; readonly error: ServiceError; readonly last?: LoadedUsage };

/** `vscode.l10n.t`, or a stand-in that fills in `{0}`. */
export type Translate = (message: string, ...args: (string | number)[]) => string;

export interface UsageItem {
  readonly label: string;
  readonly description?: string;
  readonly tooltip?: string;
  /** Name of a theme icon. */
  readonly icon: string;
  /** Name of a theme colour for the icon; what it tells is also said in words. */
  readonly color?: string;
  readonly command?: { readonly id: string; readonly title: string };
  readonly children?: readonly UsageItem[];
}

/** Numbers older than this are marked as stale, in milliseconds. */
export const STALE_AFTER_MS = 10 * 60_000;

const WRONG = 'problemsErrorIcon.foreground';
const CAREFUL = 'problemsWarningIcon.foreground';
/** From this share of failed requests on, in percent, a method is marked as failing and not just as to be looked at. */
const FAILING_SHARE = 50;

/** The rows of a state. None where there is nothing to show yet: the view's welcome text then says what to do. */
export function usageItems(state: UsageState, now: number, t: Translate): readonly UsageItem[] {
  switch (state.kind) {
    case 'noEndpoint':
      return [];
    case 'idle':
      return state.last === undefined
        ? []
        : [step(t('Not loaded again yet'), 'history', 'refreshUsage', t('Load now')), ...numbers(state.last, now, t)];
    case 'loading':
      return [
        { label: t('Loading usage…'), icon: 'loading~spin' },
        ...(state.last === undefined ? [] : numbers(state.last, now, t)),
      ];
    case 'loaded':
      return numbers(state.last, now, t);
    case 'failed':
      return [failure(state.error, t), ...(state.last === undefined ? [] : numbers(state.last, now, t))];
  }
}

function step(label: string, icon: string, command: string, title: string): UsageItem {
  return { label, icon, description: title, command: { id: `solanaRpc.${command}`, title } };
}

function failure(error: ServiceError, t: Translate): UsageItem {
  const again = { id: 'solanaRpc.refreshUsage', title: t('Try again') };
  const hint = error.hint === undefined ? {} : { tooltip: error.hint };
  switch (error.kind) {
    case 'noKey':
      return { ...step(t('No key for {0}', error.host), 'key', 'addKey', t('Add key for this host…')), ...hint };
    case 'keyRejected':
      return {
        ...step(t('The key was refused (401)'), 'error', 'rotateKey', t('Rotate or replace the key…')),
        color: WRONG,
        ...hint,
      };
    case 'wrongKeyType':
      return {
        ...step(t('The key is of the wrong type (403)'), 'error', 'addKey', t('Add an RPC key…')),
        color: WRONG,
        ...hint,
      };
    case 'suspended':
      return {
        label: t('The key is suspended'),
        description: wait(error.retryAfterMs, t),
        icon: 'circle-slash',
        color: WRONG,
        ...hint,
      };
    case 'rateLimited':
      return {
        label: t('Too many requests (429)'),
        description: wait(error.retryAfterMs, t),
        icon: 'watch',
        color: CAREFUL,
        command: again,
        ...hint,
      };
    case 'timeout':
      return {
        label: t('No answer in time'),
        description: again.title,
        icon: 'watch',
        color: CAREFUL,
        command: again,
        ...hint,
      };
    case 'protocol':
      return httpFailure(error.httpStatus, error.message, again, t);
    default:
      return { label: error.message, description: again.title, icon: 'error', color: WRONG, command: again, ...hint };
  }
}

function httpFailure(
  status: number | undefined,
  message: string,
  again: { readonly id: string; readonly title: string },
  t: Translate,
): UsageItem {
  if (status === 404)
    return {
      ...step(t('The service does not know this key id (404)'), 'question', 'refreshUsage', again.title),
      tooltip: message,
    };
  return {
    label: t('The answer could not be read'),
    description: again.title,
    tooltip: message,
    icon: 'error',
    color: WRONG,
    command: again,
  };
}

function wait(ms: number | undefined, t: Translate): string {
  return ms === undefined ? t('try again later') : t('again in {0} s', Math.ceil(ms / 1000));
}

function numbers(usage: LoadedUsage, now: number, t: Translate): readonly UsageItem[] {
  const errors = usage.methods.reduce((sum, { errors: count }) => sum + count, 0);
  const age = Math.max(0, Math.floor((now - usage.at) / 60_000));
  const seen = age === 0 ? t('Loaded just now.') : t('Loaded {0} min ago.', age);
  const stale = now - usage.at > STALE_AFTER_MS;
  const account: UsageItem = {
    label: usage.keyId === undefined ? t('Account') : t('Key {0}', usage.keyId),
    description: countText(usage.requestCount, errors, t),
    tooltip: stale ? `${seen} ${t('These numbers may be out of date.')}` : seen,
    icon: usage.keyId === undefined ? 'account' : 'key',
    children: usage.methods.map((row) => methodItem(row, t)),
  };
  if (usage.requestCount === 0)
    return [
      { ...account, description: t('no requests') },
      step(t('No requests in this range'), 'calendar', 'setUsageRange', t('Choose another range…')),
    ];
  return stale ? [step(t('Out of date'), 'history', 'refreshUsage', t('Load now')), account] : [account];
}

function methodItem({ method, count, errors }: UsageRow, t: Translate): UsageItem {
  const failing = shareOf(errors, count) >= FAILING_SHARE;
  return {
    label: method,
    description: countText(count, errors, t),
    tooltip: errors === 0 ? t('No request failed.') : t('{0} of {1} requests failed.', grouped(errors), grouped(count)),
    ...(errors === 0
      ? { icon: 'symbol-method' }
      : { icon: failing ? 'error' : 'warning', color: failing ? WRONG : CAREFUL }),
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
