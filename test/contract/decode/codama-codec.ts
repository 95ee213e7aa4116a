// Shared by the comparisons with @codama/dynamic-codecs: the codec of one node of a document.
import { getNodeCodec } from '@codama/dynamic-codecs';
import type { Node } from '../../support/data/codama';

type Path = Parameters<typeof getNodeCodec>[0];

/** The codec of the first node of a list of the document's program. */
export function codecOf(document: Node, list: 'accounts' | 'instructions'): ReturnType<typeof getNodeCodec> {
  const program = document['program'] as Readonly<Record<string, readonly Node[]>>;
  // Documents are written here as plain JSON, as they come from a file.
  return getNodeCodec([document, program, program[list]?.[0]] as unknown as Path);
}
