// `solana-rpc lsp --stdio`: the language server for editors other than VS Code. Starts the server's bundle in this process
// and runs requests for it as `solana-rpc run` does: same endpoints, same keys, same places they may go to.
import { createHash, randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { failed, invalidRequest, ok, type Result } from '../core/service/errors';
import type { PlacedBlock } from '../core/requests/document/model';
import { Chains } from '../core/requests/run/chains';
import type { RequestReport } from '../core/requests/run/model';
import type { Located } from '../core/requests/run/source';
import { KeptAnswers } from '../runner/keptAnswers';
import type { SendingRequest, Unsent } from '../runner/references';
import type { BlockAnswer, BlockRun, EditorHost, Project, ServerBundle } from '../runner/host';
import { DEFAULT_TIMEOUT_MS, run } from '../runner/run';
import { DEFAULT_UNTIL } from '../runner/stream';
import { resolveEndpoints } from './session/endpoints';
import { UsageError, type ExitCode } from './exit';
import { loadFiles } from './session/files';
import { readAll } from './session/given';
import { readGivenKeys, type KeysByType } from './session/keys';
import type { Local } from './session/local';
import { openNetwork } from './session/network';
import { durationOption, readArguments, type Given } from './options';
import { createPorts } from './session/ports';
import { allowedEnvironment } from './session/variables';
import { Bodies } from './session/bodies';
import { jsonRow } from './report/json';
import { bytesInPieces } from '../core/service/response/stored';
import { printJson } from '../core/solana/json/json';
import { variablesOf } from '../core/service/profiles/profile';

/** Resolves when the editor closes its end; the server ends the process. */
export async function lspCommand(args: readonly string[]): Promise<ExitCode> {
  const given = readArguments('lsp', args);
  if (!given.flag('stdio')) throw new UsageError('Editors start this as: solana-rpc lsp --stdio. See docs/editors.md.');
  const host = new TerminalHost(
    given,
    durationOption(given, 'timeout', DEFAULT_TIMEOUT_MS),
    await readGivenKeys(process.env, undefined),
  );
  const bundle = createRequire(__filename)('./server.js') as ServerBundle;
  bundle.serve(host);
  return new Promise(() => undefined);
}

class TerminalHost implements EditorHost {
  #local: Promise<Local> | undefined;
  /** For as long as the editor lives, like the next. */
  readonly #chains = new Chains();
  /** The keys of the environment are no part of answers. */
  readonly #answers = new KeptAnswers({ redact: (text) => text, now: () => Date.now() });

  constructor(
    private readonly given: Given,
    private readonly timeoutMs: number,
    private readonly keys: KeysByType,
  ) {}

  project(folder: string): Promise<Result<Project>> {
    return asResult(async () => {
      const { active, schemas, packs, environment } = await resolveEndpoints(
        this.given,
        process.env,
        folder,
        this.keys,
      );
      return {
        active,
        schemas: schemas.map((path) => ({ path, folder })),
        packs,
        ...(environment !== undefined && { environment: printJson(Object.fromEntries(environment)) }),
      };
    });
  }

  run(block: BlockRun, signal: AbortSignal): Promise<Result<BlockAnswer>> {
    return asResult(async () => {
      const bodies = new Bodies();
      try {
        return await answerOf(await this.#run(block, bodies, signal));
      } finally {
        bodies.remove();
      }
    });
  }

  async #run(
    { file, line, folder, openText, confirm }: BlockRun,
    bodies: Bodies,
    signal: AbortSignal,
  ): Promise<RequestReport> {
    const endpoints = await resolveEndpoints(this.given, process.env, folder, this.keys);
    const loaded = await loadFiles([{ name: file }], folder, { openText });
    const local = this.given.flag('local') ? await this.#service() : undefined;
    const network = await openNetwork(endpoints, this.keys, local);
    const { net, find } = network;
    try {
      const ports = createPorts({
        ...network,
        workspace: folder,
        spillFile: () => bodies.file(),
        environment: process.env,
        extraEnvironment: new Map(),
        allowedEnvironment: allowedEnvironment(this.given),
        yes: false,
        confirm,
        openText,
        localWallet: local?.ready.wallet,
        wallets: endpoints.wallets,
        onProgress: (event) => {
          const { given, report } = 'report' in event ? event : {};
          if (given !== undefined && report !== undefined) this.#answers.keep(given.key, report, given.provenance);
        },
        chains: this.#chains,
        signal,
      });
      const outcome = await run(
        {
          ...loaded,
          selection: { kind: 'lines', lines: [line] },
          variables: new Map(),
          ...(endpoints.environment !== undefined && { environment: endpoints.environment }),
          profileVariables: (name) => variablesOf(find(name)),
          endpoint: find(undefined)?.profile.name ?? '',
          defaultTimeoutMs: this.timeoutMs,
          defaultUntil: DEFAULT_UNTIL,
          bail: false,
          references: {
            answers: this.#answers,
            describeEndpoint: (name, own) => (own === undefined ? JSON.stringify(find(name) ?? null) : ''),
            endpointName: (name) => find(name)?.profile.name ?? name ?? '',
            digest: (text) => createHash('sha256').update(text).digest('hex'),
            newId: randomUUID,
            allow: (requests, during) => allowed(requests, confirm, during),
            otherwise: 'stop',
          },
        },
        ports,
        signal,
      );
      if (outcome.kind === 'unsent') throw new UsageError(unsentText(outcome.requests));
      const rows = outcome.kind === 'unknownNames' ? [] : outcome.report.requests;
      const row = rowAt(rows, file, line);
      if (row === undefined) throw new UsageError(`There is no request on line ${line + 1}.`);
      return row;
    } finally {
      await net.close();
    }
  }

  /** One service for all runs of this editor; it ends with this process. A failed start is retried. */
  async #service(): Promise<Local> {
    const { startForRun } = await import('./session/local');
    this.#local ??= startForRun(new AbortController().signal);
    try {
      return await this.#local;
    } catch (error) {
      this.#local = undefined;
      throw error;
    }
  }
}

/** The request that the user ran, and each transaction that is only referred to and that the user says yes to. */
async function allowed(
  requests: readonly SendingRequest[],
  confirm: BlockRun['confirm'],
  signal: AbortSignal,
): Promise<ReadonlySet<PlacedBlock>> {
  const found = new Set<PlacedBlock>();
  for (const { at, isSelected } of requests) {
    const question = `This request reads the answer of "${nameOf(at)}", which sends a transaction. Send "${nameOf(at)}" first?`;
    if (isSelected || (await confirm(question, signal))) found.add(at.placed);
  }
  return found;
}

const nameOf = ({ block }: Located): string => block.settings.name?.text ?? block.title.text;

function unsentText(requests: readonly Unsent[]): string {
  const name = requests[0] === undefined ? '' : nameOf(requests[0].at);
  return `This request reads the answer of "${name}", which sends a transaction and has no answer to use. Send "${name}" first.`;
}

/** The request that holds the line: the last of the file that begins on it or before; what it depends on ran as well. */
function rowAt(rows: readonly RequestReport[], file: string, line: number): RequestReport | undefined {
  const before = rows.filter((row) => row.file === file && row.line - 1 <= line);
  return before.sort((a, b) => a.line - b.line).at(-1);
}

async function answerOf(report: RequestReport): Promise<BlockAnswer> {
  const { response, messages, error, large } = report;
  const json = await textOf(jsonRow(report));
  if (large !== undefined) return { report, json, body: await textOf(bytesInPieces(large.file)) };
  const body = response ?? messages ?? (error === undefined ? null : { error: { ...error } });
  return { report, json, body: `${printJson(body, 2)}\n` };
}

/** An answer of LSP is one message, so it has a bound. Bytes. */
const MAX_ANSWER = 64 * 1024 * 1024;

const textOf = (pieces: AsyncIterable<string | Uint8Array>): Promise<string> =>
  readAll(pieces, MAX_ANSWER, 'The response is too large for an editor: use solana-rpc run --json, or >> FILE.');

/** A fault of the configuration, as a value; any other failure is ours. */
async function asResult<T>(work: () => Promise<T>): Promise<Result<T>> {
  try {
    return ok(await work());
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return failed(invalidRequest(error.message));
  }
}
