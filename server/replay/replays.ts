// Replays the chain's transactions on a private ledger at the user's request: reads their accounts from the active
// endpoint, and ends the ledger with the run. Keeps the newest in memory; written only at the user's request.
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { failed, invalidRequest, ok, type Result } from '../../core/service/errors';
import { explainedAnswer } from '../../core/solana/explain/given';
import { rawLog } from '../../core/solana/explain/rawLog';
import type { ExpectedOutcome, ReplayCase, ReplayStep } from '../../core/solana/replay/case';
import { CaseError } from '../../core/solana/replay/caseFiles';
import { differencesOf, type Difference } from '../../core/solana/replay/compare';
import { overrideText, withField, withOverride } from '../../core/solana/replay/overrides';
import { localRun, replayRequest, type LocalRun } from '../../core/solana/replay/ledger';
import { samePoints } from '../../core/solana/replay/text';
import type { Programs } from '../../core/solana/decode/decoded';
import { visibleText } from '../../core/solana/decode/decodedText';
import {
  errorFromJson,
  failedProgram,
  describeFailure,
  failureSentence,
} from '../../core/solana/decode/transactions/failure';
import { setNewest } from '../../core/solana/common/maps';
import { isPublicKey, isSignature } from '../../core/solana/chain/keys';
import { askLocal } from '../../net/askLocal';
import { readResult } from '../../net/readResult';
import { settleInterface } from '../../net/target/target';
import { readCaseFolder, writeCaseFolder } from '../../process/caseFolder';
import { withReplayLedger } from '../../process/replayLedger';
import { withAccount, withCode } from '../../process/replayOverrides';
import type {
  ReplayAgainParams,
  ReplayChange,
  ReplayFolderParams,
  ReplayParams,
  ReplayPoint,
  ReplayResult,
  ReplayView,
  SaveReplayParams,
  SaveReplayResult,
} from '../../protocol/replay';
import { gatherCase } from '../../runner/replay/gather';
import { foundOf, notFound, type TransactionLookup } from '../explain/found';
import { profileNamed } from '../profiles';
import type { Transports } from '../run/transports';
import type { Window } from '../window';

export interface ReplayDeps {
  readonly window: Window;
  readonly transports: Transports;
  /** The known programs. */
  readonly programs: () => Promise<Programs>;
  /** The current step. */
  readonly onStep: (step: ReplayStep) => void;
}

/** Older ones are forgotten: each may hold 50 MiB of accounts. */
const MAX_KEPT = 4;

interface Kept {
  readonly replay: ReplayCase;
  readonly run: LocalRun;
}

const refused = (message: string): Result<never> => failed(invalidRequest(message));

export class Replays {
  readonly #kept = new Map<string, Kept>();

  constructor(private readonly deps: ReplayDeps) {}

  async start({ signature, id = randomUUID() }: ReplayParams, signal: AbortSignal): Promise<ReplayResult> {
    const gathered = await this.#gather(signature, signal);
    return this.#run(id, gathered, signal);
  }

  async open({ folder, id = randomUUID() }: ReplayFolderParams, signal: AbortSignal): Promise<ReplayResult> {
    const read = await caught(async () =>
      path.isAbsolute(folder) ? ok(await readCaseFolder(folder)) : refused(NOT_ABSOLUTE),
    );
    return this.#run(id, read, signal);
  }

  async again({ id, ...change }: ReplayAgainParams, signal: AbortSignal): Promise<ReplayResult> {
    const kept = this.#kept.get(id);
    if (kept === undefined) return this.#run(id, refused(GONE), signal);
    return this.#run(id, await changed(kept.replay, change), signal);
  }

  async save({ id, folder }: SaveReplayParams): Promise<SaveReplayResult> {
    const kept = this.#kept.get(id);
    const saved = await caught(async () => {
      if (kept === undefined) return refused(GONE);
      if (!path.isAbsolute(folder)) return refused(NOT_ABSOLUTE);
      return ok(await writeCaseFolder(folder, kept.replay, { overwrite: false }));
    });
    return saved.ok ? { kind: 'saved' } : { kind: 'failed', error: saved.error };
  }

  /** The view of a replay's outcome. */
  async found(id: string): Promise<TransactionLookup> {
    const kept = this.#kept.get(id);
    if (kept === undefined) return { kind: 'gone' };
    const { replay, run } = kept;
    const programs = await this.deps.programs();
    const explanation = explainedAnswer(run.landed, programs);
    if (typeof explanation === 'string') return notFound(explanation);
    return foundOf(explanation, { replay: replayView(replay, run, programs) });
  }

  /** A replay's log; undefined if it is no longer kept. */
  log(id: string): readonly string[] | undefined {
    const kept = this.#kept.get(id);
    return kept && rawLog(kept.run.landed);
  }

  async #gather(signature: string, signal: AbortSignal): Promise<Result<ReplayCase>> {
    if (!isSignature(signature)) return refused('This is not the signature of a transaction.');
    const placed = profileNamed(this.deps.window, undefined);
    if (placed === undefined) return refused('No endpoint is active. Choose one and replay again.');
    const target = settleInterface(placed, 'rpc');
    if (!target.ok) return target;
    return this.deps.transports.use((net) =>
      gatherCase(signature, {
        read: (method, params) => readResult({ net, target: target.value, signal }, method, params),
        onStep: this.deps.onStep,
      }),
    );
  }

  async #run(id: string, replay: Result<ReplayCase>, signal: AbortSignal): Promise<ReplayResult> {
    // Cancelled reads have failed, but that is not a failure of the replay.
    signal.throwIfAborted();
    if (!replay.ok) return { kind: 'failed', error: replay.error };
    this.deps.onStep({ kind: 'ledger' });
    const run = await runOf(replay.value, signal);
    if (!run.ok) return { kind: 'failed', error: run.error };
    setNewest(this.#kept, id, { replay: replay.value, run: run.value }, MAX_KEPT);
    return { kind: 'replayed', id };
  }
}

const NOT_ABSOLUTE = 'The folder must be an absolute path.';
const GONE = 'This replay is not kept any more; replay the transaction again.';

async function runOf(replay: ReplayCase, signal: AbortSignal): Promise<Result<LocalRun>> {
  const { createNet } = await import('../../net/transports');
  const program = path.join(__dirname, 'localnet.js');
  const ran = await withReplayLedger(replay, { program, signal }, ({ rpcUrl, keys }) =>
    askLocal(createNet, { rpcUrl, key: keys.rpc.key }, replayRequest(replay), signal),
  );
  if ('state' in ran) {
    const { state } = ran;
    return refused(state.kind === 'failed' ? visibleText(state.reason) : 'The private ledger was stopped.');
  }
  if (!ran.used.ok) return ran.used;
  const run = localRun(replay, ran.used.value);
  return typeof run === 'string' ? refused(run) : ok(run);
}

function changed(replay: ReplayCase, change: ReplayChange): Promise<Result<ReplayCase>> {
  const { kind, file = '', program = '', unixTime, address = '', field = '', value = '' } = change;
  const given = { path: file, shown: path.basename(file) };
  return caught(async () => {
    switch (kind) {
      case 'program':
        if (!isPublicKey(program)) return refused('This is not the address of a program.');
        return ok(await withCode(replay, program, given));
      case 'account':
        return ok(await withAccount(replay, given));
      case 'field': {
        const changed = withField(replay, { address, field, value });
        return typeof changed === 'string' ? refused(`${changed}.`) : ok(changed);
      }
      case 'clock':
        if (unixTime === undefined || !Number.isSafeInteger(unixTime) || unixTime < 0)
          return refused('The time of the clock must be Unix seconds.');
        return ok(withOverride({ ...replay, blockTime: unixTime }, { kind: 'clock', unixTime }));
      default:
        return refused('There is no such change.');
    }
  });
}

async function caught<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CaseError) return refused(visibleText(error.message));
    throw error;
  }
}

function replayView(
  { expected, clock, notes, overrides = [] }: ReplayCase,
  { outcome }: LocalRun,
  programs: Programs,
): ReplayView {
  const differences = differencesOf(expected, outcome);
  return {
    same: samePoints(expected, differences).map(pointOf),
    differences: differences.map((difference) =>
      differenceView(
        difference.about === 'error'
          ? { ...difference, expected: errorWords(expected, programs), local: errorWords(outcome, programs) }
          : difference,
      ),
    ),
    notes: [...(clock === undefined ? [] : [`The clock has ${clock}.`]), ...notes].map(visibleText),
    overrides: overrides.map((one) => visibleText(overrideText(one))),
  };
}

/** The meaning of a run's error. */
function errorWords({ error, logs = [] }: ExpectedOutcome, programs: Programs): string {
  const read = errorFromJson(error);
  return read === undefined
    ? 'success'
    : failureSentence(describeFailure(read, failedProgram(logs, undefined), programs));
}

const pointOf = (about: Difference['about']): ReplayPoint => (about === 'compute units' ? 'computeUnits' : about);

const differenceView = ({ about, at, expected, local }: Difference): ReplayView['differences'][number] => ({
  about: pointOf(about),
  ...(at !== undefined && { at: visibleText(at) }),
  expected: visibleText(expected),
  local: visibleText(local),
});
