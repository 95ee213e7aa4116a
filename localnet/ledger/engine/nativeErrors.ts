// The engine's errors in the JSON form that nodes use.
import { nativeInstructionErrors, nativeTransactionErrors } from '../errorTable';
import type { Native } from './native';
import type { InstructionError, TransactionError } from '../types';

type NativeError = ReturnType<InstanceType<Native['FailedTransactionMetadata']>['err']>;
type NativeInstructionError = ReturnType<InstanceType<Native['TransactionErrorInstructionError']>['err']>;

/** The JSON form of the engine's error. */
export function transactionErrorOf(error: NativeError): TransactionError {
  if (typeof error === 'number') return nativeTransactionErrors.get(error) ?? 'SanitizeFailure';
  if ('err' in error) return { InstructionError: [error.index, instructionErrorOf(error.err())] };
  if ('index' in error) return { DuplicateInstruction: error.index };
  const kind = error.constructor.name.replace('TransactionError', '');
  return { [kind]: { account_index: error.accountIndex } };
}

function instructionErrorOf(error: NativeInstructionError): InstructionError {
  if (typeof error === 'number') return nativeInstructionErrors.get(error) ?? 'GenericError';
  return 'code' in error ? { Custom: error.code } : { BorshIoError: error.msg };
}
