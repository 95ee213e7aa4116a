// Prepares the request of a block that opens a stream, as a run would: sends what it depends on and prompts for its
// inputs. Does not open the stream.
import { failed, invalidRequest, ok, type ServiceError } from '../../core/service/errors';
import type { Until } from '../../core/requests/document/model';
import type { PlacedProfile } from '../../core/service/profiles/profile';
import type { PreparedRequest } from '../../core/requests/run/model';
import type { OpenStream } from '../../runner/ports';
import { opensStream, rowTransport, writtenMethod } from '../../core/requests/run/report';
import { DEFAULT_TIMEOUT_MS, planRun, run, type RunInput } from '../../runner/run';
import type { SendFirst } from '../../protocol/lsp';
import type * as protocol from '../../protocol/streams';
import { stopFor } from '../run/reuse';
import { missingEndpoint } from '../run/endpoint';
import { portsOf, type ExecuteDeps, type RunRecorder } from '../run/execute';
import { Exchanges } from '../run/exchanges';
import { profileFor } from '../../net/target/target';
import { importsOf } from '../lsp/imports';
import { titleOf } from '../run/live';
import { environmentVariables, profileNamed, profileVariables } from '../profiles';

export interface PreparedStream {
  readonly request: PreparedRequest;
  readonly placed: PlacedProfile | undefined;
  readonly title: string;
  readonly until?: Until;
}

/** A stream that can be opened, or why not; the user has to send `sendFirst` before it. */
export type Preparing<T = PreparedStream> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: ServiceError; readonly sendFirst?: SendFirst };

/** A stream without messages, which ends the run at once. */
const NOTHING: OpenStream = {
  async *messages() {
    return;
  },
  dropped: 0,
  close: () => Promise.resolve(),
};

export async function prepareStream(
  deps: ExecuteDeps,
  { uri, version, line, endpoint: reopenedAt }: Extract<protocol.StreamSource, { kind: 'block' }>,
  signal: AbortSignal,
): Promise<Preparing> {
  const document = deps.documents.get(uri);
  if (document === undefined || document.version !== version)
    return failed(invalidRequest('The file changed while the stream was being opened.', 'Open it again.'));
  const placedBlock = document.blocks.find((one) => line >= one.line && line < one.line + one.block.lineStarts.length);
  const method = placedBlock === undefined ? '' : writtenMethod(placedBlock.block);
  // Anything else would be sent by the run below.
  if (placedBlock === undefined || !opensStream(rowTransport(placedBlock.block, method), method))
    return failed(NO_STREAM);
  // A block that names its own URL keeps it.
  const endpoint = placedBlock.block.requestLine?.url === undefined ? reopenedAt : undefined;
  deps.keys.begin();
  try {
    await deps.results.prepare();
    const imports = await importsOf([document], deps.documents, deps.files);
    const input: RunInput = {
      files: [document],
      imports,
      selection: { kind: 'lines', lines: [line] },
      variables: new Map(),
      environment: environmentVariables(deps.window),
      profileVariables: (named) => profileVariables(deps.window, endpoint ?? named),
      endpoint: endpoint ?? deps.window.state.endpoint ?? '',
      defaultTimeoutMs: DEFAULT_TIMEOUT_MS,
      defaultUntil: { messages: 1 },
      bail: true,
      references: deps.reuse.references({}, endpoint),
    };
    const planned = planRun(input);
    const missing = missingEndpoint(deps.window, document, planned.plan, endpoint);
    if (missing !== undefined) return failed(missing.error);
    const exchanges = new Exchanges(deps.results, () => undefined);
    let request: PreparedRequest | undefined;
    let title = '';
    const recorder: RunRecorder = {
      exchanges,
      done: (report, given) => {
        // A stream that the block only refers to was not read.
        if (given !== undefined && report.messages === undefined)
          deps.reuse.keep({}, given.key, report, given.provenance);
      },
      landed: () => undefined,
    };
    const ports = portsOf(deps, recorder, { uri, endpoint }, signal);
    const outcome = await run(
      input,
      {
        ...ports,
        stream: {
          async openStream(filled) {
            // Requests it depends on are sent first: the last stream is the block's own.
            request = filled;
            title = filled.block === undefined ? '' : titleOf(filled.block);
            return ok(NOTHING);
          },
        },
      },
      signal,
      planned,
    );
    if (outcome.kind === 'unsent') return { ok: false, ...stopFor(outcome.requests) };
    if (request === undefined) {
      const rows = outcome.kind === 'unknownNames' ? [] : outcome.report.requests;
      const refused = rows.find(({ error }) => error !== undefined)?.error;
      return failed(refused === undefined ? NO_STREAM : invalidRequest(refused.message, refused.hint));
    }
    const named = profileNamed(deps.window, endpoint ?? request.endpoint);
    const placed = profileFor(named, request, deps.window.state.profiles);
    const { until } = placedBlock.block.settings;
    return ok({ request, placed, title, ...(until !== undefined && { until }) });
  } finally {
    deps.keys.end();
  }
}

const NO_STREAM = invalidRequest('There is no stream to open here.', 'Put the cursor into a subscription.');
