// The words for a response that began to come and did not come whole.
import type { BrokenBody } from '../../../protocol/responses';
import type { PageTranslate } from './extension';
import { visible } from './visible';

export function brokenText({ message, hint }: BrokenBody, t: PageTranslate): string {
  return [
    t('This response is incomplete: {0}', visible(message)),
    visible(hint ?? ''),
    t('The part already received is not kept.'),
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}
