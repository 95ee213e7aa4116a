// The memo of a transaction as history shows it: every top-level memo instruction as "[bytes] text".
import { MEMO_PROGRAMS } from '../accounts/addresses';
import type { DecodedMessage } from '../transaction/wireTypes';

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** `null` when the message has no memo. */
export function memoOf(message: DecodedMessage): string | null {
  const memos: string[] = [];
  for (const { programIdIndex, data } of message.instructions) {
    if (MEMO_PROGRAMS.has(message.staticKeys[programIdIndex] ?? '')) memos.push(`[${data.length}] ${textOf(data)}`);
  }
  return memos.length === 0 ? null : memos.join('; ');
}

function textOf(data: Uint8Array): string {
  try {
    return strictUtf8.decode(data);
  } catch {
    return '(unparseable)';
  }
}
