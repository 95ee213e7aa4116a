// The three commitments in gRPC's numbers and in the ledger's words.
import { CommitmentLevel } from '../../proto';
import type { Commitment } from '../ledger/types';
import { GrpcFailure } from './status';

/** Absent means processed. Throws GrpcFailure for a number that is not a commitment. */
export function levelOf(commitment: CommitmentLevel | undefined): Commitment {
  switch (commitment) {
    case undefined:
    case CommitmentLevel.PROCESSED:
      return 'processed';
    case CommitmentLevel.CONFIRMED:
      return 'confirmed';
    case CommitmentLevel.FINALIZED:
      return 'finalized';
    default:
      throw new GrpcFailure(
        'INVALID_ARGUMENT',
        `failed to create filter: there is no commitment ${String(commitment)}`,
      );
  }
}
