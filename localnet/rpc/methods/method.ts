// Shared by every method: its shape, and a read at a commitment with the context that goes into the answer.
import type { JsonObject, JsonValue } from '../../../core/solana/json/json';
import type { CallContext, WireJson } from '../../api';
import type { Faucet } from '../../ledger/wallets/faucet';
import type { Leader } from '../../ledger/chain/leader';
import type { LedgerState, LedgerView } from '../../ledger/state';
import type { Commitment, NodeGates } from '../../ledger/types';
import type { AccountEncoding } from '../format/encode';
import { RpcFailure } from '../failure';
import { commitmentOf, configOf, optionalParam, positional, slotOf } from '../format/params';

/** The parts of the service that a method uses. */
export interface MethodService {
  readonly state: LedgerState;
  readonly leader: Leader;
  readonly faucet: Faucet;
  /** The node's identity and its vote account, base58. */
  readonly identity: string;
  readonly vote: string;
  readonly gates: NodeGates | undefined;
  readonly untilInclusive: boolean;
  /** The encoding of program and token accounts if a call names none. */
  readonly listEncoding: AccountEncoding;
  /** Milliseconds after which getProgramAccounts is given up. */
  readonly scanMs: number;
}

export type Method = (
  service: MethodService,
  params: JsonValue | undefined,
  context: CallContext,
) => WireJson | Promise<WireJson>;

/** A method without parameters. */
export const fixed =
  (answer: (service: MethodService) => WireJson): Method =>
  (service, params) => {
    positional(params, 0, 0);
    return answer(service);
  };

/** A method that reads the state at the commitment of its config, its only parameter. */
export const ofView =
  (answer: (view: LedgerView, service: MethodService) => WireJson): Method =>
  (service, params) =>
    answer(viewAt(service, commitmentConfig(params)), service);

/** The config of a method whose only parameter it is. */
export function commitmentConfig(params: JsonValue | undefined): JsonObject {
  return configOf(positional(params, 0, 1)[0]);
}

/** The state at a commitment, for methods that know no minContextSlot. */
export function stateAt({ state, leader }: MethodService, commitment: Commitment): LedgerView {
  if (commitment === 'finalized') leader.finalizeOnRequest();
  return state.view(commitment);
}

/** The state at a commitment, once it has reached the config's minContextSlot; -32016 before. */
export function viewAt(
  service: MethodService,
  config: JsonObject,
  commitment: Commitment = commitmentOf(config),
): LedgerView {
  const view = stateAt(service, commitment);
  const least = optionalParam(config, 'minContextSlot', slotOf);
  if (least !== undefined && view.slot < least)
    throw new RpcFailure(-32016, 'Minimum context slot has not been reached', { contextSlot: view.slot });
  return view;
}

/** A result with the slot it was evaluated at. */
export function withContext(view: LedgerView, value: WireJson): WireJson {
  return { context: { apiVersion: view.release.version, slot: view.slot }, value };
}

/** Makes a read that gives its turn away on a view that stays as it is now. */
export async function onHeld<T>(
  service: MethodService,
  view: LedgerView,
  read: (view: LedgerView) => Promise<T>,
): Promise<T> {
  const { view: still, release } = service.state.hold(view);
  try {
    return await read(still);
  } finally {
    release();
  }
}
