// The extension's side of the pages of a response, on the real answers: a prepared response lies in a folder, and the
// server's own parts page, search and tabulate it.
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { bodyAsk, itemAnswer, tableAsk, type ResponseHello } from '../../../protocol/responsePanels';
import { LargeResponses } from '../../../server/responses/largeResponses';
import { Tables } from '../../../server/responses/tables';
import { shared } from '../shared';
import type { PageHost } from './webviewPage';

export const HELLO: ResponseHello = { place: { request: 'aa', run: 1 }, title: 'all' };

export interface StoredBody {
  readonly hello: ResponseHello;
  readonly large: LargeResponses;
  readonly tables: Tables;
  dispose(): Promise<void>;
}

/** Keeps a body as the server keeps a large one; next to it, the record of its run. */
export async function storeBody(text: string, outcome: object = {}): Promise<StoredBody> {
  const storage = await mkdtemp(path.join(os.tmpdir(), 'solana-rpc-page-'));
  const folder = path.join(storage, 'responses');
  await mkdir(folder);
  await writeFile(path.join(folder, 'aa-1.full'), text);
  await writeFile(path.join(folder, 'aa-1.meta.json'), JSON.stringify(outcome));
  const large = new LargeResponses(folder);
  let files = 0;
  return {
    hello: HELLO,
    large,
    tables: new Tables({
      large,
      spillFile: () => path.join(folder, `spill-${++files}`),
      programs: async () => ({ idl: () => undefined }),
      requestOf: async () => undefined,
    }),
    dispose: () => rm(storage, { recursive: true, force: true }),
  };
}

/** The body of the tests of a file. */
export const testBody = (text: string): StoredBody =>
  shared(
    () => storeBody(text),
    (body) => body.dispose(),
  );

/** Answers a table's page; calls `csv` with the export's request. */
export function tableHost({ hello, tables }: StoredBody, csv: (ask: unknown) => void = () => undefined): PageHost {
  return {
    hello: () => hello,
    answer: async (body) => {
      const ask = tableAsk(body);
      if (ask === undefined) return undefined;
      const { place } = hello;
      switch (ask.kind) {
        case 'open':
          return tables.open({ ...place, ...ask });
        case 'rows':
          return tables.rows({ ...place, ...ask });
        case 'item':
          return itemAnswer(await tables.item({ ...place, path: ask.path, index: ask.index }));
        case 'csv':
          csv(ask);
          return { kind: 'done' };
      }
    },
  };
}

/** Answers a viewer's page. */
export function bodyHost({ hello, large, tables }: StoredBody, more: Partial<PageHost> = {}): PageHost {
  return {
    hello: () => hello,
    answer: async (body) => {
      const ask = bodyAsk(body);
      switch (ask?.kind) {
        case undefined:
          return undefined;
        case 'page':
          return large.page({ ...hello.place, from: ask.from, count: ask.count });
        case 'search':
          return large.search({ ...hello.place, text: ask.text, from: ask.from, limit: ask.limit }, () => false);
        case 'item':
          return itemAnswer(await tables.item({ ...hello.place, path: ask.path, index: ask.index }));
      }
    },
    ...more,
  };
}
