// A serialised transaction in words: fee payer, instructions, signatures, size and blockhash.
import { markdownBlock } from '../../markdown';
import { decodeBase58, encodeBase58 } from '../../values/encoding/base58';
import { decodeBase64 } from '../../values/encoding/base64';
import { instructionFacts } from '../../values/solana/instructions';
import { configLines, withoutEffect } from '../../values/solana/configText';
import { durableNonceOf, type DurableNonce } from '../../values/solana/nonce';
import { decodeTransaction, missingSignatures } from '../../values/solana/transaction';
import type { Message, Transaction } from '../../values/solana/transactionTypes';

/** Longer texts hold no transaction; base58 of many characters is slow to read. */
const MAX_TEXT = 6_000;
/** More instructions than these are counted only. */
const MAX_INSTRUCTIONS = 12;

/** Markdown of the transaction that `text` encodes, in base64 or base58; undefined if it is not one. */
export function transactionMarkdown(text: string): string | undefined {
  const transaction = transactionOf(text);
  return transaction === undefined ? undefined : markdownOf(transaction);
}

/** The blockhash, or the nonce, of the transaction that `text` encodes; in base58. */
export function blockhashOf(text: string): string | undefined {
  const transaction = transactionOf(text);
  return transaction === undefined ? undefined : encodeBase58(transaction.message.blockhash);
}

/** The durable nonce of the transaction that `text` encodes; undefined if it has none. */
export function nonceOf(text: string): DurableNonce | undefined {
  const transaction = transactionOf(text);
  return transaction === undefined ? undefined : durableNonceOf(transaction.message);
}

function transactionOf(text: string): Transaction | undefined {
  if (text.length > MAX_TEXT) return undefined;
  for (const decode of [decodeBase64, decodeBase58]) {
    const bytes = decode(text);
    const transaction = bytes === undefined ? undefined : decodeTransaction(bytes);
    if (transaction?.ok === true) return transaction.value;
  }
  return undefined;
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
