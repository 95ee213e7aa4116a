// External inputs of helpers and transactions: the wallet's address and signature, a blockhash, facts of the endpoint.
import { lookUp } from '../core/requests/document/variables/answer';
import { NoValue, type World } from '../core/requests/run/evaluate';
import { integerOf, type JsonValue } from '../core/solana/json/json';
import { isPublicKey } from '../core/solana/chain/keys';
import { abortable } from './wait';
import { nodeRequest } from './nodeRequest';
import type { ServiceError } from '../core/service/errors';
import type { PreparedRequest } from '../core/requests/run/model';
import type { RunPorts, SignedMessage, WalletName } from './ports';

/** A helper failed for a reason the service or the wallet gave. */
export class HelperFailed extends Error {
  constructor(readonly error: ServiceError) {
    super(error.message);
    this.name = 'HelperFailed';
  }
}

export interface HelperContext {
  readonly ports: RunPorts;
  readonly world: World;
  readonly endpoint: string | undefined;
  /** Why a look-up for a request may not be sent. Throws Cancelled. */
  readonly refuse: (request: PreparedRequest) => Promise<ServiceError | undefined>;
  /** The request that these are for is asked without a key, and so is what it needs. */
  readonly isKeyless?: true;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Of the blockhash that a transaction built here is signed with. */
  readonly commitment: () => 'confirmed' | 'finalized';
  /** Called with the last block height at which a transaction built here can land. */
  readonly onBlockhash?: (lastValidBlockHeight: bigint) => void;
}

/** The address of the endpoint's wallet, or of the one with this name. Throws HelperFailed, Cancelled. */
export async function walletAddress({ ports, endpoint, signal }: HelperContext, name?: WalletName): Promise<string> {
  const address = await abortable(ports.wallet.address(endpoint, name), signal);
  if (!address.ok) throw new HelperFailed(address.error);
  return address.value;
}

/**
 * Has these wallets agree to sign a draft; whether they may is the port's to decide. The call that is returned reads a
 * blockhash and signs: after every question, however long those were open. Both throw NoValue, HelperFailed, Cancelled.
 */
export async function agreedByWallets(
  draft: Uint8Array,
  names: readonly WalletName[],
  context: HelperContext,
): Promise<() => Promise<SignedMessage>> {
  const { ports, endpoint, signal } = context;
  const signer = await abortable(ports.wallet.sign(endpoint, draft, names), signal);
  if (!signer.ok) throw new HelperFailed(signer.error);
  return async () => {
    const signed = signer.value(await freshBlockhash(context));
    if (!signed.ok) throw new HelperFailed(signed.error);
    return signed.value;
  };
}

/** Asks the endpoint, apart from the requests of the file. `params`: as JSON. Throws HelperFailed, Cancelled. */
export async function ask(method: string, params: string, context: HelperContext): Promise<JsonValue | undefined> {
  const { ports, endpoint, isKeyless, timeoutMs, signal } = context;
  const request = nodeRequest({ transport: 'POST', endpoint, isKeyless, timeoutMs }, method, params);
  const refusal = await context.refuse(request);
  if (refusal !== undefined) throw new HelperFailed(refusal);
  const answer = await abortable(ports.send(request, signal), signal);
  if (!answer.ok) throw new HelperFailed(answer.error);
  if (answer.value.error !== undefined) throw new HelperFailed(answer.value.error);
  const { body } = answer.value;
  return body.kind === 'text' ? body.value : undefined;
}

/** A blockhash for a transaction that is sent now. Throws NoValue, HelperFailed, Cancelled. */
export async function freshBlockhash(context: HelperContext): Promise<string> {
  const answer = await ask('getLatestBlockhash', `[{"commitment":"${context.commitment()}"}]`, context);
  const value = lookUp(answer, ['result', 'value']);
  const blockhash = lookUp(value, ['blockhash']);
  const lastValid = integerOf(lookUp(value, ['lastValidBlockHeight']));
  if (lastValid !== undefined) context.onBlockhash?.(lastValid);
  if (typeof blockhash !== 'string' || !isPublicKey(blockhash))
    throw new NoValue('The endpoint gave no blockhash to sign with.');
  return blockhash;
}
