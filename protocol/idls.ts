// IDLs that programs have published on the chain, over LSP: fetched when the user asks for one. Never a secret.
import type { ServiceError } from '../core/service/errors';
import { CheckedRequest } from './messages';

export const fetchIdl = new CheckedRequest<FetchIdlParams, FetchIdlResult>('solanaRpc/fetchIdl', {
  program: 'string',
  endpoint: 'string?',
});
export interface FetchIdlParams {
  /** Base58. */
  readonly program: string;
  /** The endpoint it is wanted for, if known. It is fetched only while this is the active one. */
  readonly endpoint?: string;
}

export type FetchIdlResult =
  | {
      readonly kind: 'fetched';
      /** As the IDL names its program: a text from outside. */
      readonly name: string;
      readonly endpoint: string;
      readonly instructions: number;
      readonly accounts: number;
      readonly events: number;
      /** Parts that are invalid and were left out, each with its place. */
      readonly problems: readonly string[];
      /** The Solana Foundation published it, and not the program's authority. */
      readonly isByFoundation: boolean;
    }
  | { readonly kind: 'failed'; readonly error: ServiceError };
