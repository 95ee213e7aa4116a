// `solana-rpc explain`: what a transaction did, or would do: its calls with their logs and compute units, fee, balances.
// The transaction is one of the chain by its signature, or the text of a file: base64, base58, or a node's JSON.
import { explainedAnswer, explainedText } from '../core/explain/given';
import { explanationJson } from '../core/explain/json';
import { explanationLines } from '../core/explain/text';
import { member, printJson, type JsonValue } from '../core/values/json/json';
import { isSignature } from '../core/values/solana/keys';
import { run } from '../runner/run';
import { EXIT, UsageError, type ExitCode } from './exit';
import { interruptible } from './interrupt';
import { readArguments, type Given } from './options';
import { printRefusal, type Refusal } from './refusal';
import { Bodies } from './session/bodies';
import { loadFiles } from './session/files';
import { givenFiles, STANDARD_INPUT } from './session/given';
import { loadIdls } from './session/idls';
import { withSession } from './session/session';
import { escapeLine, jsonFor } from './terminal';
import { readFile } from 'node:fs/promises';

const USAGE =
  'What is to be explained? A signature, a FILE with a transaction, or - for one on standard input. See: solana-rpc explain --help';

export async function explainCommand(args: readonly string[]): Promise<ExitCode> {
  const given = readArguments('explain', args);
  const [wanted, ...more] = given.words;
  if (wanted === undefined || more.length > 0) throw new UsageError(USAGE);
  if (wanted === STANDARD_INPUT && given.flag('key-stdin'))
    throw new UsageError('Standard input holds either the transaction (-) or the keys (--key-stdin), not both.');
  const programs = await loadIdls(process.cwd());
  const found = isSignature(wanted) ? await fetchTransaction(wanted, given) : { text: await textOf(wanted) };
  if ('error' in found) return printRefusal(found.error);
  const explanation = 'text' in found ? explainedText(found.text, programs) : explainedAnswer(found.answer, programs);
  if (typeof explanation === 'string') throw new UsageError(`${escapeLine(wanted, 100)}: ${explanation}`);
  process.stdout.write(
    given.flag('json')
      ? jsonFor(process.stdout, `${printJson(explanationJson(explanation), 2)}\n`)
      : `${explanationLines(explanation)
          .map((line) => escapeLine(line))
          .join('\n')}\n`,
  );
  return EXIT.ok;
}

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
): Promise<{ readonly answer: JsonValue } | { readonly error: Refusal }> {
  const config = { encoding: 'base64', commitment: 'confirmed', maxSupportedTransactionVersion: 1 };
  const text = `${printJson({ method: 'getTransaction', params: [signature, config] })}\n`;
  const bodies = new Bodies();
  try {
    return await interruptible((signal) =>
      withSession(given, { bodies, signal, onProgress: () => undefined }, async ({ ports, input }) => {
        const loaded = await loadFiles([{ name: 'explain', text }], process.cwd());
        const selection = { kind: 'all' } as const;
        const outcome = await run(
          { ...input, ...loaded, selection, defaultUntil: undefined, bail: false },
          ports,
          signal,
        );
        const [report] = outcome.kind === 'done' ? outcome.report.requests : [];
        if (report === undefined) throw new UsageError(USAGE);
        if (report.error !== undefined) return { error: report.error };
        const result = member(report.response, 'result');
        return result === null || result === undefined ? { error: notFound(signature) } : { answer: result };
      }),
    );
  } finally {
    bodies.remove();
  }
}

const notFound = (signature: string): Refusal => ({
  kind: 'rpc',
  message: `No confirmed transaction has the signature ${signature}.`,
  hint: `Wait for it with: solana-rpc watch ${signature}; old ones need an endpoint with history.`,
});
