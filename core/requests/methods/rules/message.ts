// Recognises an address or a signature where a serialised message is due.
import { base64Length } from '../../../solana/encoding/base64';
import { judgeBase58, KEY_BYTES, SIGNATURE_BYTES } from '../../../solana/chain/keys';
import type { ParamsPlace, Reporter } from '../reporter';

/** Counts, one signer, one program, a blockhash and no instruction: no message is shorter. */
const MIN_MESSAGE_BYTES = 69;

const BASE58 = [
  { bytes: KEY_BYTES, what: 'an address' },
  { bytes: SIGNATURE_BYTES, what: 'a signature' },
] as const;

/** Most addresses and signatures read as base64, too: their length gives them away. */
export function checkMessage(report: Reporter, text: string, place: ParamsPlace): void {
  const length = base64Length(text);
  if (length >= MIN_MESSAGE_BYTES || report.isUnknown(text)) return;
  const found = BASE58.find(({ bytes }) => judgeBase58(text, bytes).kind === 'ok');
  if (found !== undefined)
    report.value('wrong-type', place, `Expected a serialised message in base64, found ${found.what}.`);
  else if (length < 0)
    report.value('not-base64', place, 'This is not base64 text: it takes the standard alphabet with padding.');
}
