// Prepares a call over gRPC or WebSocket: its keys in their places, its turn within the plan, the redactor of its answer.
// Repeats any call while the service is overloaded.
import { failed, ok, type Result } from '../../core/service/errors';
import type { PreparedRequest } from '../../core/requests/run/model';
import type { AttachedKey, KeyPort, KeyWatch, NetClock, OpenOptions, SendTarget } from '../api';
import type { Connect } from '../connect/connect';
import { CANCELLED, failureOf } from '../failures';
import type { PlanCost } from '../rate';
import { retryDelay } from '../retry';
import { Redactor } from '../secrets/redactor';
import { credentialsOf } from '../target/headers';
import { shownHost } from '../target/target';
import { attachedSecrets, authorize, keysFor, type AuthorizedRequest } from './auth';

/** Shared by the transports. */
export interface CallParts {
  readonly keys: KeyPort;
  readonly connect: Connect;
  readonly clock: NetClock;
  readonly suspensions: KeyWatch;
  /** 0 <= n < 1. */
  readonly random: () => number;
  /** Waits while the plan's limit requires it. */
  readonly pace: (
    target: SendTarget,
    attached: readonly AttachedKey[],
    cost: PlanCost,
    call: OpenOptions,
  ) => Promise<void>;
}

/** Contains keys, so it never leaves net. */
export interface PreparedCall {
  readonly attached: readonly AttachedKey[];
  readonly authorized: AuthorizedRequest;
  readonly redactor: Redactor;
}

/** `settled`: the target without the path of the call. Throws if aborted. */
export async function prepared(
  parts: CallParts,
  { settled, target = settled }: { readonly settled: SendTarget; readonly target?: SendTarget },
  { keyLabel, headers }: PreparedRequest,
  call: OpenOptions,
): Promise<Result<PreparedCall>> {
  // Requested for each attempt: a key rotated in between is not used again.
  const keys = await keysFor(parts, settled, keyLabel, call.signal);
  if (!keys.ok) return keys;
  const { value: attached } = keys;
  const authorized = authorize(target, attached);
  if (!authorized.ok) return authorized;
  await parts.pace(target, attached, { requests: 1, sends: 0 }, call);
  const redactor = new Redactor([...attachedSecrets(attached), ...credentialsOf(headers)]);
  return ok({ attached, authorized: authorized.value, redactor });
}

/** The facts that decide about a retry. */
export interface Again {
  readonly status: number;
  /** Milliseconds the service asked for. */
  readonly afterMs: number | undefined;
}

/** The result of one attempt; with `again` it may be repeated. */
export interface CallAttempt<T> {
  readonly result: Result<T>;
  readonly again?: Again | undefined;
}

/** The result of the last attempt. Every failure is a value. */
export async function repeated<T>(
  { clock, random }: Pick<CallParts, 'clock' | 'random'>,
  { url }: SendTarget,
  call: OpenOptions,
  once: () => Promise<CallAttempt<T>>,
): Promise<Result<T>> {
  try {
    for (let tries = 1; ; tries++) {
      const { result, again } = await once();
      const wait = again && retryDelay(again.status, tries, again.afterMs, random);
      if (wait === undefined) return result;
      call.onWait?.('retry', wait);
      await clock.sleep(wait, call.signal);
    }
  } catch (error) {
    return failed(call.signal.aborted ? CANCELLED : failureOf(error, shownHost(url)));
  }
}
