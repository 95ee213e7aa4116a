// The words for a response that began to come and did not come whole.
import type { BrokenBody } from '../../../protocol/responses';
import type { Translate } from './extension';
import { visible } from './visible';

export function brokenText({ message, hint }: BrokenBody, t: Translate): string {
  return [
    t('This response did not come whole: {0}', visible(message)),
    visible(hint ?? ''),
    t('What had come of it is not kept.'),
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}
