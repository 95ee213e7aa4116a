// `solana-rpc explain`: what a transaction did, or would do: its calls with their logs and compute units, fee, balances.
// The transaction is one of the chain by its signature, or the text of a file: base64, base58, or a node's JSON. Two of them
// are compared.
import { comparedExplanations } from '../core/solana/explain/compare';
import type { Explanation } from '../core/solana/explain/explanation';
import { explainedAnswer, explainedExchange, explainedText } from '../core/solana/explain/given';
import { explanationJson } from '../core/solana/explain/json';
import { isSimulatable } from '../core/solana/explain/simulation';
import { simulationRequests, type SimulationRequest } from '../core/solana/explain/simulationRequests';
import { explanationLines } from '../core/solana/explain/text';
import type { Programs } from '../core/solana/decode/decoded';
import { encodeBase64 } from '../core/solana/encoding/base64';
import { member, printJson, type JsonValue } from '../core/solana/json/json';
import { isSignature } from '../core/solana/chain/keys';
import { run } from '../runner/run';
import { cancelled } from '../runner/stream';
import { EXIT, UsageError, type ExitCode } from './exit';
import { interruptible } from './interrupt';
import { readArguments, type Given } from './options';
import { printRefusal, type RefusedRequest } from './refusal';
import { Bodies } from './session/bodies';
import { loadFiles } from './session/files';
import { givenFiles, STANDARD_INPUT } from './session/given';
import { loadIdls } from './session/idls';
import { withSession } from './session/session';
import { escapeLine, jsonFor } from './terminal';
import { readFile } from 'node:fs/promises';

const USAGE =
  'What is to be explained? A signature, a FILE with a transaction, or - for one on standard input; two of them are compared. See: solana-rpc explain --help';

export async function explainCommand(args: readonly string[]): Promise<ExitCode> {
  const given = readArguments('explain', args);
  const [wanted, other, ...more] = given.words;
  if (wanted === undefined || more.length > 0) throw new UsageError(USAGE);
  const isFromInput = [wanted, other].filter((word) => word === STANDARD_INPUT).length;
  if (isFromInput > 0 && given.flag('key-stdin'))
    throw new UsageError('Standard input holds either the transaction (-) or the keys (--key-stdin), not both.');
  if (isFromInput > 1) throw new UsageError('Standard input (-) holds one of the two transactions, not both.');
  const programs = await loadIdls(process.cwd());
  const first = await explanationOf(wanted, given, programs);
  if ('error' in first) return printRefusal(first.error);
  if (other === undefined) {
    print(given, explanationJson(first.explanation), explanationLines(first.explanation));
    return EXIT.ok;
  }
  const second = await explanationOf(other, given, programs);
  if ('error' in second) return printRefusal(second.error);
  const lines = comparedExplanations(first.explanation, second.explanation);
  print(
    given,
    {
      first: explanationJson(first.explanation),
      second: explanationJson(second.explanation),
      lines: lines.map(({ mark, text }) => ({ mark, text })),
    },
    lines.map(({ mark, text }) => `${mark} ${text}`),
  );
  return EXIT.ok;
}

function print(given: Given, json: JsonValue, lines: readonly string[]): void {
  process.stdout.write(
    given.flag('json')
      ? jsonFor(process.stdout, `${printJson(json, 2)}\n`)
      : `${lines.map((line) => escapeLine(line)).join('\n')}\n`,
  );
}

/** The transaction that a word of the command line names. */
async function explanationOf(
  wanted: string,
  given: Given,
  programs: Programs,
): Promise<{ readonly explanation: Explanation } | { readonly error: RefusedRequest }> {
  const text = isSignature(wanted) ? wanted : await textOf(wanted);
  const named = text.length > MAX_NAMED ? '' : text.trim();
  const found = isSignature(named) ? await fetchTransaction(named, given) : { text };
  if ('error' in found) return found;
  const explanation = 'text' in found ? explainedText(found.text, programs) : explainedAnswer(found.answer, programs);
  if (typeof explanation === 'string') throw new UsageError(`${escapeLine(wanted, 100)}: ${explanation}`);
  if (!given.flag('simulate')) return { explanation };
  if (explanation.wire === undefined || !isSimulatable(explanation))
    throw new UsageError(`${escapeLine(wanted, 100)}: --simulate takes a transaction that has not landed.`);
  const { before, simulation } = simulationRequests(encodeBase64(explanation.wire), explanation.accounts);
  const answers = await answersTo([before, simulation], given);
  if ('error' in answers) return answers;
  const [held, run = null] = answers.responses;
  const simulated = explainedExchange({ ...simulation }, run, programs, held);
  if (simulated === undefined || typeof simulated === 'string') throw new UsageError(simulated ?? USAGE);
  return { explanation: simulated };
}

/** A longer text is not a signature, with or without blanks around it. UTF-16 units. */
const MAX_NAMED = 200;

async function textOf(wanted: string): Promise<string> {
  if (wanted !== STANDARD_INPUT) {
    const text = await readFile(wanted, 'utf8').catch(() => undefined);
    if (text === undefined) throw new UsageError(`${escapeLine(wanted, 100)} cannot be read. ${USAGE}`);
    return text;
  }
  const [{ text = '' } = {}] = await givenFiles([STANDARD_INPUT], process.stdin);
  return text;
}

async function fetchTransaction(
  signature: string,
  given: Given,
): Promise<{ readonly answer: JsonValue } | { readonly error: RefusedRequest }> {
  const config = { encoding: 'base64', commitment: 'confirmed', maxSupportedTransactionVersion: 1 };
  const answers = await answersTo([{ method: 'getTransaction', params: [signature, config] }], given);
  if ('error' in answers) return answers;
  const result = member(answers.responses[0], 'result');
  return result === null || result === undefined ? { error: notFound(signature) } : { answer: result };
}

/** The responses, in order. */
async function answersTo(
  requests: readonly SimulationRequest[],
  given: Given,
): Promise<{ readonly responses: readonly JsonValue[] } | { readonly error: RefusedRequest }> {
  const text = requests.map(({ method, params }) => `### ${method}\n${printJson({ method, params })}\n`).join('\n');
  const bodies = new Bodies();
  try {
    return await interruptible((signal) =>
      withSession(given, { bodies, signal, onProgress: () => undefined }, async ({ ports, input }) => {
        const loaded = await loadFiles([{ name: 'explain', text }], process.cwd());
        const selection = { kind: 'all' } as const;
        const outcome = await run(
          { ...input, ...loaded, selection, defaultUntil: undefined, bail: true },
          ports,
          signal,
        );
        const reports = outcome.kind === 'done' ? outcome.report.requests : [];
        const error = reports.find((report) => report.error !== undefined)?.error;
        if (error !== undefined) return { error };
        if (signal.aborted) return { error: cancelled };
        const responses = reports.flatMap(({ response }) => (response === undefined ? [] : [response]));
        return responses.length === requests.length ? { responses } : { error: TOO_LARGE };
      }),
    );
  } finally {
    bodies.remove();
  }
}

const TOO_LARGE: RefusedRequest = { kind: 'invalidRequest', message: 'The answer is too large to explain.' };

const notFound = (signature: string): RefusedRequest => ({
  kind: 'rpc',
  message: `No confirmed transaction has the signature ${signature}.`,
  hint: `Wait for it with: solana-rpc watch ${signature}; old ones need an endpoint with history.`,
});
