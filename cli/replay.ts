// `solana-rpc replay`: runs a transaction of the chain again on a private ledger and compares what it does there. Of an
// endpoint only what the transaction needs is read; a case that was saved as a folder needs no network.
import { explainedAnswer } from '../core/solana/explain/given';
import { explanationJson } from '../core/solana/explain/json';
import { explanationLines } from '../core/solana/explain/text';
import type { Explanation } from '../core/solana/explain/explanation';
import type { ReplayCase } from '../core/solana/replay/case';
import { CaseError, expectedJson } from '../core/solana/replay/caseFiles';
import { differencesOf, type Difference } from '../core/solana/replay/compare';
import { localRun, replayRequest, type LocalRun } from '../core/solana/replay/ledger';
import { replayLines, stepText } from '../core/solana/replay/text';
import type { ServiceError } from '../core/service/errors';
import { printJson } from '../core/solana/json/json';
import { known } from '../core/solana/common/known';
import { isSignature } from '../core/solana/chain/keys';
import { askLocal } from '../net/askLocal';
import { readResult } from '../net/readResult';
import { settleInterface } from '../net/target/target';
import { readCaseFolder, writeCaseFolder } from '../process/caseFolder';
import { withReplayLedger } from '../process/replayLedger';
import { gatherCase } from '../runner/replay/gather';
import { EXIT, UsageError, type ExitCode } from './exit';
import { interruptible, unlessInterrupted } from './interrupt';
import { readArguments, type Given } from './options';
import { printRefusal } from './refusal';
import { resolveEndpoints } from './session/endpoints';
import { loadIdls } from './session/idls';
import { readGivenKeys } from './session/keys';
import { whyNoService, localProgram } from './session/local';
import { openNetwork } from './session/network';
import { overridden } from './session/replayOverrides';
import { escapeLine, jsonFor } from './terminal';

const USAGE =
  'What is to be replayed? A signature, or the DIR of a case that replay --save wrote. See: solana-rpc replay --help';

export async function replayCommand(args: readonly string[]): Promise<ExitCode> {
  const given = readArguments('replay', args);
  const [wanted, ...more] = given.words;
  if (wanted === undefined || more.length > 0) throw new UsageError(USAGE);
  const folder = isSignature(wanted) ? undefined : wanted;
  const into = given.text('save') ?? folder;
  if (given.flag('update') && into === undefined)
    throw new UsageError('--update keeps what happens here in a folder: give --save DIR as well.');
  try {
    return await interruptible((signal) =>
      unlessInterrupted(signal, replayOnce(given, { wanted, folder, into, signal }), () => printRefusal(CANCELLED)),
    );
  } catch (error) {
    throw new UsageError(caseError(error).message);
  }
}

interface Order {
  readonly wanted: string;
  /** Of a case that was saved. */
  readonly folder: string | undefined;
  /** Where a case is kept. */
  readonly into: string | undefined;
  readonly signal: AbortSignal;
}

const CANCELLED: ServiceError = { kind: 'cancelled', message: 'The replay was cancelled.' };

/** Throws the signal's reason: an interrupted read or ledger fails, but that failure is not the cause. */
async function replayOnce(given: Given, { wanted, folder, into, signal }: Order): Promise<ExitCode> {
  const found = folder === undefined ? await fetchCase(wanted, given, signal) : await readFolder(folder);
  signal.throwIfAborted();
  if ('invalid' in found) {
    process.stderr.write(`${escapeLine(found.invalid)}\n`);
    return EXIT.invalid;
  }
  if ('error' in found) return printRefusal(found.error);
  const replay = await overridden(found.replay, given);
  const run = await runLocally(replay, signal);
  if ('error' in run) return printRefusal(run.error);
  const { outcome } = run;
  const kept = given.flag('update') ? { ...replay, expected: outcome } : replay;
  const isKept = given.text('save') !== undefined || given.flag('update');
  const overwrite = given.flag('force') || into === folder;
  const unwritten =
    into !== undefined && isKept
      ? await writeCaseFolder(into, kept, { overwrite, signal }).catch(caseError)
      : undefined;
  const differences = differencesOf(kept.expected, outcome);
  const programs = await loadIdls(process.cwd());
  const explanation = explainedAnswer(run.landed, programs);
  if (typeof explanation === 'string') throw new UsageError(explanation);
  print(given, { replay: kept, run, differences, explanation });
  if (unwritten !== undefined) throw unwritten;
  return differences.length === 0 ? EXIT.ok : EXIT.assertion;
}

/** Throws every other error. */
function caseError(error: unknown): CaseError {
  if (error instanceof CaseError) return error;
  throw error;
}

async function readFolder(folder: string): Promise<{ readonly replay: ReplayCase } | { readonly invalid: string }> {
  try {
    return { replay: await readCaseFolder(folder) };
  } catch (error) {
    return { invalid: caseError(error).message };
  }
}

type Found = { readonly replay: ReplayCase } | { readonly error: ServiceError };

async function fetchCase(signature: string, given: Given, signal: AbortSignal): Promise<Found> {
  const keys = await readGivenKeys(process.env, given.flag('key-stdin') ? process.stdin : undefined);
  const endpoints = await resolveEndpoints(given, process.env, process.cwd(), keys);
  if (endpoints.active === undefined)
    throw new UsageError('Which endpoint has the transaction? Give --endpoint, --provider or --rpc-url.');
  const target = settleInterface(endpoints.active, 'rpc');
  if (!target.ok) return { error: target.error };
  const { net } = await openNetwork(endpoints, keys);
  try {
    const gathered = await gatherCase(signature, {
      read: (method, params) => readResult({ net, target: target.value, signal }, method, params),
      onStep: (step) => process.stderr.write(`${stepText(step)} …\n`),
    });
    return gathered.ok ? { replay: gathered.value } : { error: gathered.error };
  } finally {
    await net.close();
  }
}

/** Throws the signal's reason. */
async function runLocally(
  replay: ReplayCase,
  signal: AbortSignal,
): Promise<LocalRun | { readonly error: ServiceError }> {
  const { createNet } = await import('../net/transports');
  const ran = await withReplayLedger(replay, { program: localProgram(), signal }, ({ rpcUrl, keys }) =>
    askLocal(createNet, { rpcUrl, key: keys.rpc.key }, replayRequest(replay), signal),
  );
  if ('state' in ran) throw new UsageError(whyNoService(ran.state));
  if (!ran.used.ok) return { error: ran.used.error };
  const run = localRun(replay, ran.used.value);
  return typeof run === 'string' ? { error: { kind: 'protocol', message: run } } : run;
}

interface Printed {
  readonly replay: ReplayCase;
  readonly run: LocalRun;
  readonly differences: readonly Difference[];
  readonly explanation: Explanation;
}

function print(given: Given, { replay, run, differences, explanation }: Printed): void {
  const { signature, slot, blockTime, clock, expected, notes } = replay;
  if (given.flag('json')) {
    const json = {
      ...known({ signature, slot, blockTime, clock, same: differences.length === 0 }),
      differences: differences.map((one) => ({ ...one })),
      ...{ expected: expectedJson(expected), local: expectedJson(run.outcome), notes },
      explanation: explanationJson(explanation),
    };
    process.stdout.write(jsonFor(process.stdout, `${printJson(json, 2)}\n`));
    return;
  }
  const whole = explanationLines(explanation);
  const calls = whole.findIndex((line) => line.startsWith('signature: '));
  const lines = [
    ...(given.flag('explain') ? whole : whole.slice(0, calls < 0 ? 1 : calls)),
    ...replayLines({ replay, differences }),
  ];
  process.stdout.write(`${lines.map((line) => escapeLine(line)).join('\n')}\n`);
}
