// The data of one update of a stream: decoded, and as JSON, which is closed where the bytes could be decoded.
import type { StreamRowResult } from '../../../protocol/streams';
import { decodedTree, type DecodedTreeOptions } from './decodedTree';
import { button, element } from './dom';

export function updateData(
  { decoded, changes, json, isCut }: Extract<StreamRowResult, { kind: 'row' }>,
  options: DecodedTreeOptions,
  title?: string,
): readonly HTMLElement[] {
  const { t, onCopy } = options;
  const heading = title === undefined ? [] : [element('h3', {}, title)];
  return [
    ...(decoded === undefined
      ? []
      : [...heading, decodedTree(decoded, { ...options, ...(changes !== undefined && { changes }) })]),
    element(
      'details',
      { class: 'raw', open: decoded === undefined },
      element('summary', {}, isCut ? t('JSON, cut') : t('JSON')),
      element('pre', { class: 'mono', tabindex: 0, role: 'group', 'aria-label': t('JSON') }, json),
    ),
    button(t('Copy JSON'), () => onCopy(json)),
  ];
}
