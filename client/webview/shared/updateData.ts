// The data of one update of a stream: decoded, and as JSON, which is closed where the bytes could be decoded.
import type { StreamRowResult } from '../../../protocol/streams';
import { decodedTree, type TreeExtension } from './decodedTree';
import { button, type Child, element } from './dom';

export function updateData(
  { decoded, changes, json, isCut }: Extract<StreamRowResult, { kind: 'row' }>,
  extension: TreeExtension,
  title?: string,
): readonly Child[] {
  const { t, send } = extension;
  return [
    decoded !== undefined && [
      title !== undefined && element('h3', {}, title),
      decodedTree(decoded, extension, changes),
    ],
    element(
      'details',
      { class: 'raw', open: decoded === undefined },
      element('summary', {}, isCut ? t('JSON, cut') : t('JSON')),
      element('pre', { class: 'mono', tabindex: 0, role: 'group', 'aria-label': t('JSON') }, json),
    ),
    button(t('Copy JSON'), () => send({ kind: 'copy', text: json })),
  ];
}
