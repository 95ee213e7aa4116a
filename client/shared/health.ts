// How the parts behind the editor are, in words: the local service and the language server. Pure: texts go through `t`.
// Says nothing where all is well.
import type { PlacedProfile } from '../../core/service/profiles/profile';
import type { LocalServiceState } from '../../process/localService';
import type { ThemeLook } from './tooltip';
import type { Translate } from './words';

/** How the language server is. */
export type ServerState = 'stopped' | 'starting' | 'ready' | 'restarting' | 'gaveUp';

export interface Health extends ThemeLook {
  /** A few words, for a row. */
  readonly words: string;
  /** One sentence each: what happened, what is kept, and what to do. */
  readonly more: readonly string[];
  /** The next step: the name and title of one of this extension's commands. */
  readonly step?: {
    readonly command: 'startLocalService' | 'restartServer' | 'addEndpoint' | 'editEndpoint';
    readonly title: string;
  };
  /** It stays so until somebody does something. */
  readonly isOver: boolean;
}

const BAD = { icon: 'error', color: 'problemsErrorIcon.foreground', isOver: true } as const;
const BUSY = { icon: 'loading~spin', isOver: false } as const;

/** Undefined for an endpoint whose profile has no mistake. */
export function profileHealth({ fault }: PlacedProfile, t: Translate): Health | undefined {
  if (fault === undefined) return undefined;
  const step = { command: 'editEndpoint', title: t('Edit the Endpoint') } as const;
  return { ...BAD, words: t('cannot be used'), more: [fault.message, fault.hint], step };
}

/** Undefined for a service that runs, or that nobody started. */
export function localHealth(state: LocalServiceState, t: Translate): Health | undefined {
  switch (state.kind) {
    case 'running':
    case 'stopped':
      return undefined;
    case 'starting':
      return { ...BUSY, words: t('starting…'), more: [t('The local service is starting.')] };
    case 'restarting':
      return {
        ...BUSY,
        words: t('restarting…'),
        more: [state.reason, t('It is restarting: keys and wallet stay, the ledger starts over.')],
      };
    case 'failed':
      return failedHealth(state, t);
  }
}

function failedHealth({ why, reason }: Extract<LocalServiceState, { kind: 'failed' }>, t: Translate): Health {
  const again = { command: 'startLocalService', title: t('Start Again') } as const;
  switch (why) {
    case 'platform':
      return {
        ...BAD,
        words: t('not on this machine'),
        more: [reason, t('Add an endpoint instead: a hosted one or your own validator.')],
        step: { command: 'addEndpoint', title: t('Add Endpoint…') },
      };
    case 'start':
      return { ...BAD, words: t('did not start'), more: [reason, t('See the log for details.')], step: again };
    case 'crashes':
      return {
        ...BAD,
        words: t('keeps crashing'),
        more: [reason, t('It stays off until you start it again; its last output is in the log.')],
        step: again,
      };
  }
}

/** Undefined for a server that answers, or that is not needed yet. */
export function serverHealth(state: ServerState, t: Translate): Health | undefined {
  switch (state) {
    case 'stopped':
    case 'starting':
    case 'ready':
      return undefined;
    case 'restarting':
      return { ...BUSY, words: t('restarting…'), more: [t('The language server is restarting.')] };
    case 'gaveUp':
      return {
        ...BAD,
        words: t('language server off'),
        more: [t('The Solana RPC language server ended five times in three minutes and stays off.')],
        step: { command: 'restartServer', title: t('Restart') },
      };
  }
}
