// Decodes one update into a tree for people, and lists what changed in its account since the previous update. Runs when a
// row is opened, never on arrival.
import type { Content } from '../../core/service/streams/content';
import { decodeAccount } from '../../core/solana/decode/decode';
import type {
  AccountBytes,
  Decoded,
  DecodedField,
  DecodedTransaction,
  Programs,
} from '../../core/solana/decode/decoded';
import { visibleText, valueText } from '../../core/solana/decode/decodedText';
import { diffDecoded } from '../../core/solana/decode/diff';
import { guessLayout } from '../../core/solana/decode/guess';
import { transactionFromYellowstone } from '../../core/solana/decode/transactions/decode';
import type { WireResult } from '../../core/solana/wire/transactionTypes';
import type { DetailChange, DetailNode } from '../../protocol/streams';
import { bounded, fieldNode } from '../explain/nodes';
import { blockNode, logsNode, transactionNode } from './transactionNodes';

/** Most changes in one answer. */
const MAX_CHANGES = 500;

/** The content as a tree; undefined if its bytes are malformed. */
export function contentNode(content: Content, known: Programs, slot: bigint | undefined): DetailNode | undefined {
  const node = nodeOf(content, known, slot);
  return node === undefined ? undefined : bounded(node);
}

function nodeOf(content: Content, known: Programs, slot: bigint | undefined): DetailNode | undefined {
  switch (content.kind) {
    case 'account': {
      const { title, fields, isKnown } = read(content.account, known);
      const { owner, data } = content.account;
      const wants = !isKnown && data.length > 0 && known.idl(owner) === undefined;
      return { name: visibleText(title), text: '', ...(wants && { idl: owner }), parts: fields.map(fieldNode) };
    }
    case 'transaction': {
      const decoded = decodedTransactionOf(content, known, slot);
      return decoded.ok ? transactionNode(decoded.value, known) : undefined;
    }
    case 'logs':
      return logsNode(content, known);
    case 'block':
      return blockNode(content, known);
  }
}

export const decodedTransactionOf = (
  { info, hasRun }: Extract<Content, { kind: 'transaction' }>,
  known: Programs,
  slot: bigint | undefined,
): WireResult<DecodedTransaction> => transactionFromYellowstone(info, known, { hasRun, slot });

/** The fields whose value changed. */
export function accountChanges(before: AccountBytes, after: AccountBytes, known: Programs): readonly DetailChange[] {
  return diffDecoded(read(before, known), read(after, known))
    .slice(0, MAX_CHANGES)
    .map((change) => ({
      path: change.path.map((step) => visibleText(String(step))),
      before: change.before === undefined ? '' : valueText(change.before),
      after: change.after === undefined ? '' : valueText(change.after),
    }));
}

/** The fields that every account has, then those of its data. If the layout is unknown, guesses marked as such. */
function read(account: AccountBytes, known: Programs): Decoded & { readonly isKnown: boolean } {
  const own: readonly DecodedField[] = [
    { name: 'lamports', value: { kind: 'integer', value: account.lamports, unit: { kind: 'lamports' } } },
    { name: 'owner', value: { kind: 'pubkey', address: account.owner } },
  ];
  const decoded = decodeAccount(account, known);
  if (decoded !== undefined) return { ...decoded, isKnown: true, fields: [...own, ...decoded.fields] };
  const guesses = guessLayout(account.data, known.idl(account.owner));
  return { kind: 'program', title: 'Account', isKnown: false, fields: [...own, ...guesses] };
}
