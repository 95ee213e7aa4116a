// Transaction errors as the sentences nodes put into the message of a failed preflight.
import { instructionErrorTexts, transactionErrorTexts } from '../../ledger/errorTable';
import type { InstructionError, TransactionError, TransactionErrorPayload } from '../../ledger/types';

/** One sentence for an error. Names without a sentence are split into words. */
export function errorText(err: TransactionError): string {
  if (typeof err === 'string') return transactionErrorTexts.get(err) ?? words(err);
  const [kind, payload] = Object.entries(err)[0] ?? ['GenericError', 0];
  if (isInstructionError(payload)) return `Error processing Instruction ${payload[0]}: ${instructionText(payload[1])}`;
  if (typeof payload === 'number')
    return `Transaction contains a duplicate instruction (${payload}) that is not allowed`;
  const index = 'account_index' in payload ? payload.account_index : 0;
  if (kind === 'ProgramExecutionTemporarilyRestricted')
    return `Execution of the program referenced by account at index ${index} is temporarily restricted.`;
  return kind === 'InsufficientFundsForRent'
    ? `Transaction results in an account (${index}) with insufficient funds for rent`
    : `${words(kind)} (account ${index})`;
}

function isInstructionError(payload: TransactionErrorPayload): payload is readonly [number, InstructionError] {
  return Array.isArray(payload);
}

function instructionText(err: InstructionError): string {
  if (typeof err === 'string') return instructionErrorTexts.get(err) ?? words(err);
  return 'Custom' in err ? `custom program error: 0x${err.Custom.toString(16)}` : `Borsh: ${err.BorshIoError}`;
}

/** "InvalidWritableAccount" as "Invalid writable account". */
function words(name: string): string {
  const text = name.replace(/(?<=.)([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
  return text.charAt(0).toUpperCase() + text.slice(1);
}
