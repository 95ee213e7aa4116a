// A stream's state in words, with a mark that differs in form as well as in colour, and whether there is a next step.
// One table for the panels and the Streams view. Pure.
import type { ServiceError } from '../../core/service/errors';
import type { ShownState, StateView } from '../../protocol/streamPanel';
import type { StreamState, StreamTick } from '../../protocol/streams';
import { mendingStep, sentences, type Translate } from '../shared/words';

/** `tick`: the last figures of the stream. */
export function viewState(state: ShownState, t: Translate, tick?: StreamTick): StateView {
  const { kind } = state;
  const runs = { kind, canStop: true, canReopen: false };
  const ended = { kind, canStop: false, canReopen: true };
  switch (kind) {
    case 'connecting':
      return { mark: '◌', tone: 'busy', words: t('Connecting'), ...runs };
    case 'live':
      if (tick?.still !== undefined)
        return {
          mark: '◔',
          tone: 'warn',
          words: t('Live, no new slot'),
          more: stillText(tick, tick.still, t),
          ...runs,
        };
      if (tick?.notFinal !== undefined)
        return {
          mark: '◔',
          tone: 'warn',
          words: t('Live, nothing final'),
          more: t(
            'No slot has become final for {0} s, although new ones come: finality has halted, or this node does not see it.',
            tick.notFinal,
          ),
          ...runs,
        };
      return { mark: '●', tone: 'good', words: t('Live'), ...runs };
    case 'catchingUp':
      return { mark: '◐', tone: 'busy', words: t('Catching up'), more: t('from slot {0} on', state.fromSlot), ...runs };
    case 'reconnecting':
      return {
        kind,
        mark: '↻',
        tone: 'warn',
        words: t('Reconnecting, attempt {0}', state.attempt),
        more: sentences(state.error),
        nextInMs: state.nextInMs,
        canStop: true,
        canReopen: true,
      };
    case 'keyRotated':
      return {
        mark: '◆',
        tone: 'warn',
        words: t('Key rotated'),
        more: t('Waiting for the new key; it then continues by itself.'),
        ...runs,
      };
    case 'refused': {
      const { error } = state;
      const mend = mendingStep(error.kind, error.kind === 'noKey' ? error.host : '', t)?.title;
      return {
        mark: '✕',
        tone: 'bad',
        words: t('Refused'),
        more: sentences(error),
        ...ended,
        ...(mend !== undefined && { mend }),
      };
    }
    case 'lagged':
      return {
        mark: '▲',
        tone: 'warn',
        words: t('Lagged'),
        more: t('The service ended it because this client read too slowly; it is reopened.'),
        ...runs,
      };
    case 'ended':
      return { mark: '■', tone: 'quiet', words: endedText(state.by, t), ...moreOf(state.error), ...ended };
    case 'interrupted':
      return {
        mark: '✕',
        tone: 'bad',
        words: t('Interrupted'),
        more: t('The language server ended; these are the last rows shown.'),
        ...ended,
      };
    case 'restored':
      return {
        mark: '■',
        tone: 'quiet',
        words: t('Stopped'),
        more: t('The window was reloaded; these are the last rows shown.'),
        ...ended,
      };
  }
}

function stillText({ slot }: StreamTick, seconds: number, t: Translate): string {
  if (slot === undefined) return t('No slot received for {0} s, although the connection is open.', seconds);
  return t('No slot after {0} for {1} s, although the connection is open.', slot, seconds);
}

function endedText(by: Extract<StreamState, { kind: 'ended' }>['by'], t: Translate): string {
  switch (by) {
    case 'user':
      return t('Stopped');
    case 'service':
      return t('Ended by the service');
    case 'until':
      return t('Ended: its condition was met');
  }
}

const moreOf = (error: ServiceError | undefined): { readonly more?: string } =>
  error === undefined ? {} : { more: sentences(error) };
