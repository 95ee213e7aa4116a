// Signature help: the parameters of the method whose params hold the cursor, and which of them is being written.
import { MarkupKind, type SignatureHelp } from 'vscode-languageserver-types';
import { fieldMarkdown, signatureLabel } from '../../methods/describe';
import type { PackId } from '../../../service/providers/packIds';
import { knownTo } from '../../methods/packs/packs';
import { bodyPlace, type CursorContext } from '../context';

export function signatureAt(cursor: CursorContext, packs: ReadonlySet<PackId>): SignatureHelp | undefined {
  const place = bodyPlace(cursor);
  if (place?.record === undefined || place.path[0] !== 'params') return undefined;
  const record = knownTo(place.record, packs);
  const { label, params } = signatureLabel(record);
  const [, index] = place.path;
  const named = record.params.findIndex(({ name }) => name === index);
  const active = typeof index === 'number' ? index : Math.max(named, 0);
  return {
    signatures: [
      {
        label,
        documentation: { kind: MarkupKind.Markdown, value: record.summary },
        parameters: record.params.map((param, at) => {
          const [start = 0, end = 0] = params[at] ?? [];
          return {
            label: [start, end],
            documentation: { kind: MarkupKind.Markdown, value: fieldMarkdown(param) },
          };
        }),
      },
    ],
    activeSignature: 0,
    activeParameter: active,
  };
}
