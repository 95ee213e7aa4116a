// The memo of a transaction as history shows it: every top-level memo instruction as "[bytes] text".
import { MEMO_PROGRAM, MEMO_V1_PROGRAM } from './addresses';
import type { DecodedMessage } from './wire';

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** `null` when the message has no memo. */
export function memoOf(message: DecodedMessage): string | null {
  const memos: string[] = [];
  for (const { programIdIndex, data } of message.instructions) {
    const program = message.staticKeys[programIdIndex];
    if (program === MEMO_PROGRAM || program === MEMO_V1_PROGRAM) memos.push(`[${data.length}] ${textOf(data)}`);
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
