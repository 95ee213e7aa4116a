// Bounds what a run keeps in memory until it is reported: messages of its streams, and its answers.
import { Budget } from '../core/solana/common/budget';
import type { ServiceError } from '../core/service/errors';

const MIB = 1024 * 1024;
/** Memory of the kept messages of all streams of a run. MiB */
export const MAX_MESSAGES_MIB = 64;
/** Memory of the answers of a run, above which larger ones go into files. MiB */
const MAX_ANSWERS_MIB = 128;
/** An answer up to this is kept in any case. Bytes, or UTF-16 units of its text */
export const SMALL_ANSWER = 16 * 1024;

/** One for all files of a run. */
export interface RunMemory {
  readonly messages: Budget;
  readonly answers: Budget;
}

export const runMemory = (): RunMemory => ({
  messages: new Budget(MAX_MESSAGES_MIB * MIB),
  answers: new Budget(MAX_ANSWERS_MIB * MIB),
});

/** Of an answer that could not go into a file. */
export const answerNotKept: ServiceError = {
  kind: 'protocol',
  message: `The answers of this run take ${MAX_ANSWERS_MIB} MiB of memory, so this one was not kept.`,
  hint: 'Send it by itself, or fewer requests at once.',
};
