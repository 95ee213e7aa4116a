// The request of a block that opens a stream, filled in as a run would: what it depends on is sent, what it asks for is
// asked. The stream itself is not opened here.
import { failed, ok, type Result, type ServiceError } from '../../core/errors';
import type { Until } from '../../core/document/model';
import type { PlacedProfile } from '../../core/profile';
import type { PreparedRequest } from '../../core/run/model';
import type { OpenStream } from '../../runner/ports';
import { opensStream, transportOf, writtenMethod } from '../../core/run/report';
import { run } from '../../runner/run';
import type * as protocol from '../../protocol/streams';
import { DEFAULT_TIMEOUT_MS, Exchanges, portsOf, type ExecuteDeps } from '../execute';
import { importsOf } from '../imports';
import { titleOf } from '../live';
import { profileNamed, profileVariables } from '../profiles';

export interface PreparedStream {
  readonly request: PreparedRequest;
  readonly placed: PlacedProfile | undefined;
  readonly title: string;
  readonly until?: Until;
}

/** A stream that has nothing to say: the run ends with it at once. */
const NOTHING: OpenStream = {
  async *messages() {
    return;
  },
  dropped: 0,
  close: () => Promise.resolve(),
};

export async function prepareStream(
  deps: ExecuteDeps,
  { uri, version, line }: Extract<protocol.StreamSource, { kind: 'block' }>,
  signal: AbortSignal,
): Promise<Result<PreparedStream>> {
  const document = deps.documents.get(uri);
  if (document === undefined || document.version !== version)
    return failed({
      kind: 'invalidRequest',
      message: 'The file changed while the stream was being opened.',
      hint: 'Open it again.',
    });
  const placedBlock = document.blocks.find((one) => line >= one.line && line < one.line + one.block.lineStarts.length);
  const method = placedBlock === undefined ? '' : writtenMethod(placedBlock.block);
  // Anything else would be sent by the run below.
  if (placedBlock === undefined || !opensStream(transportOf(placedBlock.block, method), method))
    return failed(NO_STREAM);
  deps.keys.begin();
  try {
    await deps.results.prepare();
    const imports = await importsOf([document], deps.documents, deps.files);
    const exchanges = new Exchanges(deps.results, () => undefined);
    let request: PreparedRequest | undefined;
    let title = '';
    let refused: ServiceError | undefined;
    const ports = portsOf(
      deps,
      exchanges,
      signal,
      { uri, endpoint: undefined },
      { done: () => undefined, landed: () => undefined },
    );
    const outcome = await run(
      {
        files: [document],
        imports,
        selection: { kind: 'lines', lines: [line] },
        variables: new Map(),
        profileVariables: (endpoint) => profileVariables(deps.window, endpoint),
        endpoint: deps.window.state.endpoint ?? '',
        defaultTimeoutMs: DEFAULT_TIMEOUT_MS,
        defaultUntil: { messages: 1 },
        bail: true,
      },
      {
        ...ports,
        stream: {
          async openStream(filled) {
            // Requests it depends on come first: the last stream is the one that is meant.
            request = filled;
            title = titleOf(exchanges.block);
            return ok(NOTHING);
          },
        },
      },
      signal,
    );
    for (const { error } of outcome.kind === 'unknownNames' ? [] : outcome.report.requests)
      if (error !== undefined)
        refused ??= {
          kind: 'invalidRequest',
          message: error.message,
          ...(error.hint !== undefined && { hint: error.hint }),
        };
    if (request === undefined) return failed(refused ?? NO_STREAM);
    const placed = profileNamed(deps.window, request.endpoint);
    const { until } = placedBlock.block.settings;
    return ok({ request, placed, title, ...(until !== undefined && { until }) });
  } finally {
    deps.keys.end();
  }
}

const NO_STREAM: ServiceError = {
  kind: 'invalidRequest',
  message: 'There is no stream to open here.',
  hint: 'Put the cursor into a subscription.',
};
