// Decoded values as trees for a page: every text is safe to show; each list and the whole tree are bounded.
import type {
  DecodedField,
  DecodedInstruction,
  DecodedValue,
  InstructionAccount,
} from '../../core/solana/decode/decoded';
import { bytesText, visibleText, valueText } from '../../core/solana/decode/decodedText';
import { groupDigits } from '../../core/solana/chain/lamports';
import type { DetailNode } from '../../protocol/detailNode';

/** Most parts of one node: nobody reads a list of ten thousand. */
const MAX_PARTS = 500;
/** Most nodes of a tree. */
const MAX_NODES = 5_000;

export function fieldNode({ name, value, isGuess }: DecodedField): DetailNode {
  const parts = partsOf(value);
  return {
    name: visibleText(name),
    text: parts === undefined ? valueText(value) : value.kind === 'fields' ? visibleText(value.name ?? '') : '',
    ...(value.kind === 'pubkey' && { address: value.address }),
    ...(isGuess === true && { isGuess }),
    ...(parts !== undefined && { parts }),
  };
}

function partsOf(value: DecodedValue): readonly DetailNode[] | undefined {
  if (value.kind === 'fields') return value.fields.map(fieldNode);
  if (value.kind !== 'list') return undefined;
  const items = value.items.map((item, at) => fieldNode({ name: String(at), value: item }));
  return value.more === undefined ? items : [...items, leftOut(value.more)];
}

/** The arguments of an instruction, as far as they can be read. */
export function argumentNodes({
  fields,
  data,
  unread,
}: Pick<DecodedInstruction, 'fields' | 'data' | 'unread'>): readonly DetailNode[] {
  const isUnread = fields.length === 0 && data !== undefined && data.length > 0;
  return [
    ...fields.map(fieldNode),
    ...(isUnread ? [{ name: 'data', text: bytesText(data) }] : []),
    ...(unread === undefined ? [] : [{ name: 'not read', text: visibleText(unread) }]),
  ];
}

export function addressNode(name: string, address: string | undefined, note = ''): DetailNode {
  if (address === undefined) return { name, text: `in a lookup table that was not read${note}` };
  return { name, text: `${visibleText(valueText({ kind: 'pubkey', address }))}${note}`, address };
}

/** An account of an instruction; `at`: its place there. */
export const accountNode = ({ role, address, isSigner, isWritable }: InstructionAccount, at: number): DetailNode =>
  addressNode(
    role === undefined ? String(at) : visibleText(role),
    address,
    `${isSigner ? ', signer' : ''}${isWritable ? ', writable' : ''}`,
  );

/** Names how many entries are left out. */
export const leftOut = (count: number, what = ''): DetailNode => ({
  name: '…',
  text: `${groupDigits(String(count))} more${what}`,
});

/** The tree, cut to a readable size; what is cut is counted. */
export function bounded(root: DetailNode): DetailNode {
  let left = MAX_NODES;
  const cut = (node: DetailNode): DetailNode => {
    if (node.parts === undefined) return node;
    const parts: DetailNode[] = [];
    for (const part of node.parts.slice(0, MAX_PARTS)) {
      if (left <= 0) break;
      left--;
      parts.push(cut(part));
    }
    const more = node.parts.length - parts.length;
    return { ...node, parts: more > 0 ? [...parts, leftOut(more)] : parts };
  };
  return cut(root);
}
