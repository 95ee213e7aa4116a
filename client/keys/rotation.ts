// Rotates a key step by step, and adds one: what may go wrong at each step and what is stored then. Pure: the editor is behind
// ports. On any failure the old key stays, until the single write that replaces it.
import type { KeyType, Result, ServiceError } from '../../core/service/errors';
import { Secret } from '../../core/service/keys/secret';
import type { MoveStreamsResult } from '../../protocol/streams';
import type { TestKeyResult } from '../../protocol/usage';
import type { Translate } from '../shared/words';

/** The problem with a text typed as a key; undefined if it may be a key. */
export type EntryProblem = 'empty' | 'spaces' | 'same' | 'otherType';

/** Services commonly begin a key with its type: "rpc_…", "grpc-…"; a text that says another type is a mistake of the hand. */
const TYPE_PREFIX = /^(rpc|grpc|swqos)[_-]/;

export function problemOf(text: string, type: KeyType, current?: Secret): EntryProblem | undefined {
  if (text.trim() === '') return 'empty';
  if (/[\s\p{Cc}]/u.test(text.trim())) return 'spaces';
  if (current?.equals(new Secret(text.trim())) === true) return 'same';
  const said = TYPE_PREFIX.exec(text.trim())?.[1];
  return said !== undefined && said !== type ? 'otherType' : undefined;
}

/** A question in the middle of the flow, with the answers it takes; a dismissed one counts as its last answer. */
export type RotationQuestion =
  | { readonly kind: 'dashboardClosed'; readonly url: string }
  | { readonly kind: 'refused'; readonly error: ServiceError }
  | { readonly kind: 'wrongType'; readonly actual: KeyType | undefined; readonly error: ServiceError }
  | { readonly kind: 'unreachable'; readonly error: ServiceError }
  | { readonly kind: 'notSaved'; readonly reason: string };

export type Decision = 'continue' | 'again' | 'retry' | 'storeUntested' | 'storeThere' | 'keep';

export interface EntryPorts {
  /** A password box that shows `check`'s findings and keeps what was typed; undefined when it was left. */
  ask(check: (text: string) => EntryProblem | undefined): Promise<Secret | undefined>;
  /** One cheap call with the candidate; undefined where there is nowhere to try it. */
  readonly test: ((candidate: Secret) => Promise<TestKeyResult>) | undefined;
  decide(question: RotationQuestion): Promise<Decision>;
  /** Writes the candidate; for `type` other than the key's own it is stored as a new key of that type. */
  save(candidate: Secret, type: KeyType, tested: boolean): Promise<Result<void>>;
}

export interface RotatePorts extends EntryPorts {
  /** Shows what uses the key now; false when the user leaves. */
  explain(): Promise<boolean>;
  /** Opens the dashboard; the URL where it could not be opened. Undefined: the endpoint names none. */
  openDashboard(): Promise<{ readonly opened: boolean; readonly url: string } | undefined>;
  /** The local service rotates by itself and stores the new key; undefined for a hosted endpoint. */
  rotateItself: (() => Promise<Result<void>>) | undefined;
  /** Moves the streams of the old key to the new one. Never rejects. */
  reopen(): Promise<MoveStreamsResult>;
}

/** How it ended where nothing was replaced. */
type Unrotated =
  | { readonly kind: 'kept'; readonly error?: ServiceError }
  /** The new key turned out to be of another type and was stored as such; the old one is untouched. */
  | { readonly kind: 'storedAs'; readonly type: KeyType };

export type EntryOutcome = Unrotated | { readonly kind: 'stored'; readonly tested: boolean };
export type RotateOutcome =
  | Unrotated
  | { readonly kind: 'rotated'; readonly tested: boolean; readonly streams: MoveStreamsResult };

const KEPT: Unrotated = { kind: 'kept' };

export async function rotate(type: KeyType, current: Secret | undefined, ports: RotatePorts): Promise<RotateOutcome> {
  if (!(await ports.explain())) return KEPT;
  if (ports.rotateItself !== undefined) {
    const rotated = await ports.rotateItself();
    if (!rotated.ok) return { kind: 'kept', error: rotated.error };
    return { kind: 'rotated', tested: true, streams: await ports.reopen() };
  }
  const dashboard = await ports.openDashboard();
  if (dashboard?.opened === false) {
    const decision = await ports.decide({ kind: 'dashboardClosed', url: dashboard.url });
    if (decision !== 'continue') return KEPT;
  }
  const entered = await enterKey(type, current, ports);
  // The key has been swapped: the new one stays, even if a stream fails.
  return entered.kind === 'stored'
    ? { kind: 'rotated', tested: entered.tested, streams: await ports.reopen() }
    : entered;
}

/** The steps that rotating and adding share: enter, test, save. */
export async function enterKey(type: KeyType, current: Secret | undefined, ports: EntryPorts): Promise<EntryOutcome> {
  for (;;) {
    const candidate = await ports.ask((text) => problemOf(text, type, current));
    if (candidate === undefined) return KEPT;
    const verdict = await judge(candidate, type, ports);
    if (verdict.kind === 'keep') return KEPT;
    if (verdict.kind === 'again') continue;
    const saved = await ports.save(candidate, verdict.type, verdict.tested);
    if (saved.ok) {
      return verdict.type === type
        ? { kind: 'stored', tested: verdict.tested }
        : { kind: 'storedAs', type: verdict.type };
    }
    const decision = await ports.decide({ kind: 'notSaved', reason: saved.error.message });
    if (decision !== 'again') return { kind: 'kept', error: saved.error };
  }
}

type Verdict =
  | { readonly kind: 'keep' }
  | { readonly kind: 'again' }
  | { readonly kind: 'save'; readonly type: KeyType; readonly tested: boolean };

/** Tests the candidate, as often as the user asks, until it is clear what to do with it. */
async function judge(candidate: Secret, type: KeyType, ports: EntryPorts): Promise<Verdict> {
  const { test } = ports;
  if (test === undefined) return { kind: 'save', type, tested: false };
  for (;;) {
    const result = await test(candidate);
    if (result.kind === 'accepted') return { kind: 'save', type, tested: true };
    const question = questionFor(result);
    const decision = await ports.decide(question);
    if (decision === 'retry') continue;
    if (decision === 'again') return { kind: 'again' };
    if (decision === 'storeUntested' && question.kind === 'unreachable') return { kind: 'save', type, tested: false };
    if (decision === 'storeThere' && question.kind === 'wrongType' && question.actual !== undefined)
      return { kind: 'save', type: question.actual, tested: false };
    return { kind: 'keep' };
  }
}

function questionFor({ error, actual }: Extract<TestKeyResult, { kind: 'refused' }>): RotationQuestion {
  if (error.kind === 'keyRejected') return { kind: 'refused', error };
  if (error.kind === 'wrongKeyType') return { kind: 'wrongType', actual, error };
  return { kind: 'unreachable', error };
}

/** Why a test of a key gave no answer of the service: the user cancelled it, or the language server could not run it. */
export function untested(thrown: unknown, isCancelled: boolean, t: Translate): TestKeyResult {
  if (isCancelled) return { kind: 'refused', error: { kind: 'cancelled', message: t('The test was cancelled.') } };
  const reason = thrown instanceof Error && thrown.message.trim() !== '' ? thrown.message.trim() : String(thrown);
  return {
    kind: 'refused',
    error: {
      kind: 'invalidRequest',
      message: t('The language server could not run the test: {0}', reason.replace(/[.]$/, '')),
      hint: t('Restart the language server, then try again.'),
    },
  };
}
