// A serialised transaction in words: fee payer, instructions, signatures, size and blockhash.
import { markdownBlock } from '../../../solana/common/markdown';
import { encodeBase58 } from '../../../solana/encoding/base58';
import { instructionFacts } from '../../../solana/wire/instructions';
import { configLines, withoutEffect } from '../../../solana/wire/configText';
import { durableNonceOf } from '../../../solana/wire/nonce';
import { missingSignatures } from '../../../solana/wire/transaction';
import { transactionFromText } from '../../../solana/wire/transactionText';
import type { Message, Transaction } from '../../../solana/wire/transactionTypes';

/** More instructions than these are counted only. */
const MAX_INSTRUCTIONS = 12;

/** Markdown of the transaction that `text` encodes, in base64 or base58; undefined if it is not one. */
export function transactionMarkdown(text: string): string | undefined {
  const transaction = transactionFromText(text);
  return transaction === undefined ? undefined : markdownOf(transaction);
}

function markdownOf(transaction: Transaction): string {
  const { message, signatures, size } = transaction;
  const missing = missingSignatures(transaction).length;
  const [payer] = message.accountKeys;
  const instructions = message.instructions.slice(0, MAX_INSTRUCTIONS).map((instruction) => {
    const { program, programName, summary } = instructionFacts(message, instruction);
    const effect = withoutEffect(message.version, program);
    return `${programName ?? program}${summary === undefined ? '' : `: ${summary}`}${effect}`;
  });
  const more = message.instructions.length - instructions.length;
  if (more > 0) instructions.push(`and ${more} more`);
  const lines = [
    `Transaction, ${message.version === 'legacy' ? 'legacy' : `version ${message.version}`}, ${size} bytes`,
    `Fee payer   ${payer === undefined ? 'none' : encodeBase58(payer)}`,
    `Signatures  ${signatures.length - missing} of ${signatures.length}`,
    lifetimeText(message),
    ...(message.config === undefined ? [] : configLines(message.config)).map(({ name, value }) => `${name}  ${value}`),
    ...instructions.map((line, index) => `${index + 1}. ${line}`),
  ];
  return markdownBlock(lines.join('\n'));
}

function lifetimeText(message: Message): string {
  const durable = durableNonceOf(message);
  return durable === undefined
    ? `Blockhash   ${encodeBase58(message.blockhash)}`
    : `Nonce       ${durable.nonce}, durable: valid until ${durable.account} is advanced`;
}
