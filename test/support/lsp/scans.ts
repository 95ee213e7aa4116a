// A service that answers a scan with any number of accounts, and language servers whose endpoint it is.
import type { TestContext } from 'node:test';
import type { GrowingResponse } from '../../../protocol/lsp';
import { idIn, writeAccounts } from '../data/accounts';
import { shared } from '../shared';
import { httpServer, type Hostile } from '../wire/hostile';
import { openFile, progress, type RequestFile } from './requestFile';
import { startServer, WINDOW, type RunningServer } from './serverProcess';

/** A scan, which other requests may refer to as `all`. */
export const SCAN =
  '### All\n# @name all\n{ "method": "getProgramAccounts", "params": ["TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"] }\n';

export interface Scans {
  readonly service: Hostile;
  /** The bodies of all requests so far. */
  readonly bodies: readonly string[];
  /** Holds the responses of scans back after their first accounts, until the result is called or the test is over. */
  readonly hold: (t: TestContext) => () => void;
  /** A server for one test that keeps responses above `inlineBytes` as large ones. */
  readonly open: (
    t: TestContext,
    inlineBytes: number,
    text?: string,
  ) => Promise<RequestFile & { readonly server: RunningServer }>;
}

/** The service of a test file; a scan has `count` accounts, any other request is answered with 1. */
export function testScans(count: number): Scans {
  let between = (): Promise<void> => Promise.resolve();
  const bodies: string[] = [];
  const service = shared(
    () =>
      httpServer(async ({ body }, response) => {
        bodies.push(body);
        response.setHeader('content-type', 'application/json');
        if (body.includes('getProgramAccounts')) await writeAccounts(response, count, idIn(body), { wait: between });
        else response.end(`{"jsonrpc":"2.0","result":1,"id":${idIn(body)}}`);
      }),
    (made) => made.close(),
  );
  return {
    service,
    bodies,
    hold: (t) => {
      let release = (): void => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      between = () => held;
      t.after(() => {
        between = () => Promise.resolve();
        release();
      });
      return release;
    },
    open: async (t, inlineBytes, text = SCAN) => {
      const profile = { name: 'test', rpcUrl: service.origin, auth: { rpc: 'none' } } as const;
      const server = await startServer({
        window: {
          profiles: [{ profile, source: 'user' }],
          endpoint: 'test',
          settings: { ...WINDOW.settings, 'response.inlineSize': inlineBytes / 1_000_000 },
        },
      });
      t.after(() => server.stop());
      return { server, ...(await openFile(server, text)) };
    },
  };
}

/** The place of the next response that streams in. */
export const nextReceived = (server: RunningServer): Promise<GrowingResponse> =>
  progress(server, ({ receiving }) => receiving);
