// The Endpoints view's texts for the result of an endpoint check. Pure: texts go through `t`, times are passed in.
import type { ServiceError } from '../../core/service/errors';
import type { EndpointStateResult } from '../../protocol/endpointState';
import type { ThemeLook } from '../shared/tooltip';
import { plain, type Translate } from '../shared/words';
import { dotted } from '../../core/solana/common/dotted';
import { CHAIN_RULES } from '../../core/solana/chain/chain';

export type EndpointState =
  | { readonly kind: 'asking' }
  /** `at`: Unix milliseconds. */
  | (EndpointStateResult & { readonly at: number });

/** An icon where something is wrong, or on its way. */
export interface EndpointWords extends Partial<ThemeLook> {
  /** For the row; what is wrong comes first. */
  readonly words: string;
  /** For the tooltip, a sentence each. */
  readonly lines: readonly string[];
}

const WRONG = { icon: 'error', color: 'problemsErrorIcon.foreground' } as const;
const CAREFUL = { icon: 'warning', color: 'problemsWarningIcon.foreground' } as const;

/** `isSlotLive`: the current slot is already shown next to it. */
export function endpointWords(state: EndpointState, t: Translate, isSlotLive = false): EndpointWords {
  if (state.kind === 'asking') return { words: t('asking…'), lines: [], icon: 'loading~spin' };
  const when = t('Asked at {0}.', new Date(state.at).toLocaleTimeString());
  if (state.kind === 'failed') {
    const { message, hint = '' } = state.error;
    return { ...WRONG, words: failureWords(state.error, t), lines: [plain(message), plain(hint), when] };
  }
  const { latencyMs, slot, version, unhealthy, consensus } = state;
  const shownSlot = slot === undefined ? undefined : BigInt(slot).toLocaleString('en-US');
  const parts = [
    unhealthy === undefined ? '' : t('not healthy'),
    `${Math.round(latencyMs)} ms`,
    shownSlot === undefined || isSlotLive ? '' : t('slot {0}', shownSlot),
    plain(version ?? ''),
  ];
  return {
    ...(unhealthy !== undefined && CAREFUL),
    words: dotted(parts),
    lines: [
      unhealthy === undefined ? '' : t('The node reports that it is unhealthy: {0}', plain(unhealthy)),
      t('It answered in {0} ms.', Math.round(latencyMs)),
      shownSlot === undefined ? '' : t('Slot: {0}', shownSlot),
      version === undefined ? '' : t('Version: {0}', plain(version)),
      consensus === undefined ? '' : t('Consensus: {0}', CHAIN_RULES[consensus].name),
      when,
    ],
  };
}

function failureWords({ kind }: ServiceError, t: Translate): string {
  switch (kind) {
    case 'noKey':
      return t('no key');
    case 'keyRejected':
      return t('key refused (401)');
    case 'wrongKeyType':
      return t('key of another type (403)');
    case 'suspended':
      return t('key suspended');
    case 'rateLimited':
      return t('too many requests (429)');
    case 'invalidRequest':
      return t('cannot be asked');
    default:
      return t('no answer');
  }
}
