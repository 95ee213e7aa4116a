// `solana-rpc watch`: an account, a transaction or a stream of a file as it goes, line by line, until Ctrl+C.
import { parseDocument } from '../core/document/document';
import { LEVELS, landingText } from '../core/run/landing';
import { isPublicKey, isSignature } from '../core/values/keys';
import { member, printJson, type JsonValue } from '../core/values/json';
import { watchLanding } from '../runner/landing';
import { run, type RunInput } from '../runner/run';
import { Bodies } from './bodies';
import { EXIT, UsageError, type ExitCode } from './exit';
import { loadFiles, type Loaded } from './files';
import { interruptible } from './interrupt';
import { countOption, readArguments, type Given } from './options';
import { printProblems } from './run';
import { withSession, type Session } from './session';
import { escapeLine } from './terminal';
import { updateLine } from './report/update';
import type { Landing, RequestReport } from '../core/run/model';
import type { RunPorts, RunProgress } from '../runner/ports';

const USAGE = 'What is to be watched? An address, a signature, or FILE#NAME. See: solana-rpc watch --help';

export async function watchCommand(args: readonly string[]): Promise<ExitCode> {
  const given = readArguments('watch', args);
  const [wanted, ...more] = given.words;
  if (wanted === undefined || more.length > 0) throw new UsageError(USAGE);
  const isPlain = given.flag('json') || !process.stdout.isTTY;
  const count = given.text('count') === undefined ? Infinity : countOption(given, 'count', 1);
  let onDone: (row: RequestReport) => void = () => undefined;
  const onProgress = (event: RunProgress): void => {
    if (event.kind === 'done') onDone(event.report);
  };
  const bodies = new Bodies();
  return interruptible((signal) =>
    withSession(given, bodies, signal, onProgress, async (session) => {
      if (isSignature(wanted)) return watchSignature(wanted, session, isPlain, signal);
      const show = isPlain ? (message: JsonValue): void => line(printJson(message)) : updateLine(line);
      const source = await sourceOf(wanted, given, session);
      onDone = ({ name, response }) => {
        // Of an account, how it is now; of a request with one answer, that answer.
        if (response !== undefined && source.names.includes(name ?? ''))
          show(name === NOW ? (member(response, 'result') ?? response) : response);
      };
      return watchStream(source, session, show, count, signal);
    }),
  ).finally(() => bodies.remove());
}

/** Where an account is watched: how it is at the beginning. */
const NOW = 'now';

const line = (text: string): void => void process.stdout.write(`${text}\n`);

interface Source extends Loaded {
  /** Of the requests that are watched. */
  readonly names: readonly string[];
}

async function sourceOf(wanted: string, given: Given, { active }: Session): Promise<Source> {
  const hash = wanted.lastIndexOf('#');
  if (hash > 0) {
    const name = wanted.slice(hash + 1);
    if (name === '') throw new UsageError(USAGE);
    return { ...(await loadFiles([wanted.slice(0, hash)], process.cwd())), names: [name] };
  }
  if (!isPublicKey(wanted)) throw new UsageError(`"${escapeLine(wanted, 100)}" is no address. ${USAGE}`);
  const isGrpc = given.flag('grpc') || (active?.profile.wsUrl === undefined && active?.profile.grpcUrl !== undefined);
  const hasNow = active?.profile.rpcUrl !== undefined;
  const stream = isGrpc ? accountOverGrpc(wanted) : accountOverWebSocket(wanted);
  const document = parseDocument('watch', 1, hasNow ? stream + accountNow(wanted) : stream);
  const names = hasNow ? ['account', NOW] : ['account'];
  return { files: [document], imports: { documentOf: () => undefined }, names };
}

/** Asked once the stream is open, so that nothing is missed in between. */
const accountNow = (address: string): string => `
### ${address}
# @name ${NOW}
{ "method": "getAccountInfo", "params": ["${address}", { "encoding": "jsonParsed", "commitment": "confirmed" }] }
`;

const accountOverWebSocket = (address: string): string => `### ${address}
# @name account
WS
{ "method": "accountSubscribe", "params": ["${address}", { "encoding": "jsonParsed", "commitment": "confirmed" }] }
`;

const accountOverGrpc = (address: string): string => `### ${address}
# @name account
GRPC geyser.Geyser/Subscribe
{ "accounts": { "watched": { "account": ["${address}"] } }, "commitment": "CONFIRMED" }
`;

async function watchStream(
  { files, imports, names }: Source,
  { ports, input }: Session,
  show: (message: JsonValue) => void,
  count: number,
  signal: AbortSignal,
): Promise<ExitCode> {
  const enough = new AbortController();
  const either = AbortSignal.any([signal, enough.signal]);
  const shown = showing(ports, show, count, () => enough.abort());
  const selection = { kind: 'named', names, tags: [] } as const;
  const whole: RunInput = { ...input, files, imports, selection, defaultUntil: undefined, bail: false };
  const outcome = await run(whole, shown, either);
  if (outcome.kind === 'unknownNames')
    throw new UsageError(`No request is named ${outcome.names.map((name) => escapeLine(name)).join(', ')}.`);
  if (outcome.kind === 'invalid') {
    printProblems(outcome.problems);
    return EXIT.invalid;
  }
  const failed = outcome.report.requests.filter(({ error }) => error !== undefined && !isOwnEnd(error, either));
  for (const row of failed) tellError(row);
  return failed.length > 0 ? EXIT.request : EXIT.ok;
}

/** Ctrl+C is how a watch ends. */
const isOwnEnd = ({ kind }: { readonly kind: string }, signal: AbortSignal): boolean =>
  kind === 'cancelled' && signal.aborted;

function tellError({ file, line: at, error }: RequestReport): void {
  if (error === undefined) return;
  const place = file === 'watch' ? '' : `${escapeLine(file)}:${at}  `;
  const next = error.hint === undefined ? '' : `\n  next: ${escapeLine(error.hint)}`;
  process.stderr.write(`${place}${error.kind}: ${escapeLine(error.message)}${next}\n`);
}

/** The same ports; what streams bring is shown on its way, until it is enough. */
function showing(ports: RunPorts, show: (message: JsonValue) => void, count: number, onEnough: () => void): RunPorts {
  const { stream } = ports;
  if (stream === undefined) return ports;
  let seen = 0;
  return {
    ...ports,
    stream: {
      async openStream(request, signal) {
        const opened = await stream.openStream(request, signal);
        if (!opened.ok) return opened;
        const { value } = opened;
        return {
          ok: true,
          value: {
            async *messages() {
              for await (const message of value.messages()) {
                if (seen < count) show(message);
                if (++seen >= count) onEnough();
                // What was shown is not kept for a report.
                yield null;
              }
            },
            get dropped() {
              return value.dropped;
            },
            get error() {
              return value.error;
            },
            close: () => value.close(),
          },
        };
      },
    },
  };
}

async function watchSignature(
  signature: string,
  { ports, input }: Session,
  isPlain: boolean,
  signal: AbortSignal,
): Promise<ExitCode> {
  const show = (landing: Landing): void =>
    line(isPlain ? printJson(landingJson(landing)) : escapeLine(landingText(landing)));
  const request = { timeoutMs: input.defaultTimeoutMs };
  const { landing, error } = await watchLanding({
    signature,
    request,
    inHistory: true,
    lastValidBlockHeight: undefined,
    ports,
    signal,
    onChange: show,
  });
  if (LEVELS.every((level) => level !== landing.level)) show(landing);
  if (error !== undefined) process.stderr.write(`${error.kind}: ${escapeLine(error.message)}\n`);
  return landing.level === 'sent' || landing.level === 'expired' ? EXIT.request : EXIT.ok;
}

const landingJson = (landing: Landing): JsonValue => ({ ...landing, times: { ...landing.times } });
