// P1 to P4: reading, checking and typing in large request files, compared with a JSON language service and another parser
// of request files.
import { createRequire } from 'node:module';
import path from 'node:path';
import { applyEdit, parseDocument } from '../core/requests/document/document';
import type { RequestDocument } from '../core/requests/document/model';
import { createLanguageService } from '../core/requests/language/service';
import { jsonPeer, type JsonPeer } from './jsonPeer';
import { interleaved, median, medians, node, ratioOf, type Measured } from './measure';
import { peerFolder } from './peers';
import { httpFile, requestArray, requestFile } from './requests';
import { root } from './root';

const COUNT = 10_000;
const ROUNDS = 5;
const URI = 'file:///bench/large.jsonrpc';
const service = createLanguageService({ surroundings: () => ({}), log: (message) => process.stderr.write(message) });

/** Milliseconds of one piece of work. */
async function timed(work: () => unknown): Promise<number> {
  const since = performance.now();
  await work();
  return performance.now() - since;
}

/** A package of bench/peers; undefined where it cannot be had. */
async function peer<T>(name: string): Promise<T | undefined> {
  const folder = await peerFolder();
  return folder === undefined ? undefined : (createRequire(path.join(folder, 'package.json'))(name) as T);
}

/** The JSON language service on an array of requests; undefined where it cannot be had. */
async function jsonService(text: string): Promise<(() => Promise<unknown>) | undefined> {
  const module = await peer<JsonPeer>('vscode-json-languageservice');
  return module && jsonPeer(module, text);
}

const NO_PEER = 'it could not be installed';

export async function measureChecking(): Promise<readonly Measured[]> {
  const array = requestArray(COUNT);
  const text = requestFile(COUNT, false);
  const other = await jsonService(array);
  const ours = (): unknown => service.diagnostics(parseDocument(URI, 1, text));
  // First and often: the peer takes seconds, and what it leaves to the collector of garbage would be counted as ours. Warm,
  // as in a server that has been up for some seconds: a cold one is measured separately.
  const [owns = [], parses = []] = await interleaved(
    4 * ROUNDS,
    [() => timed(ours), () => timed(() => JSON.parse(array) as unknown)],
    8 * ROUNDS,
  );
  const [own = NaN, theirs = NaN] = await medians(ROUNDS, [
    () => timed(ours),
    ...(other === undefined ? [] : [() => timed(other)]),
  ]);
  const name = `validate ${COUNT} requests, to`;
  const bound = { atLeast: 30 };
  const json = { goal: 'P1', name: `${name} vscode-json-languageservice (its time to ours)`, bound };
  return [
    {
      goal: 'P1',
      name: `${name} JSON.parse`,
      bound: { atMost: 3 },
      figure: ratioOf(owns, parses),
      note: `${median(owns).toFixed(1)} ms to ${median(parses).toFixed(1)} ms`,
    },
    other === undefined
      ? { ...json, absent: 'no peer', note: NO_PEER }
      : { ...json, figure: theirs / own, note: `${theirs.toFixed(0)} ms to ${own.toFixed(1)} ms` },
    await coldRow(),
  ];
}

/** The first validation of a process, which nothing has warmed up. */
async function coldRow(): Promise<Measured> {
  const row = { goal: 'P1', name: `the same in a fresh process, less its start`, bound: { atLeast: 4 } };
  const folder = await peerFolder();
  if (folder === undefined) return { ...row, absent: 'no peer', note: NO_PEER };
  const child = path.join(root, 'out', 'cold', 'child.mjs');
  const first = (who: string) => async (): Promise<number> => Number(await node([child, who, String(COUNT), folder]));
  const [own = [], theirs = []] = await interleaved(ROUNDS, [first('ours'), first('peer')]);
  const note = `${median(theirs).toFixed(0)} ms to ${median(own).toFixed(0)} ms`;
  return { ...row, figure: ratioOf(theirs, own), note };
}

/** Milliseconds from a typed letter to the diagnostics of the file, in the middle of a file of `count` requests. */
function typing(count: number): () => Promise<number> {
  let document: RequestDocument = parseDocument(URI, 1, requestFile(count, true));
  service.diagnostics(document);
  let line = Math.floor(document.lines.length / 2);
  while (document.lines[line]?.startsWith('{') !== true) line++;
  const start = { line, character: 5 };
  const end = { line, character: 6 };
  return async () => {
    const times: number[] = [];
    for (let round = 0; round < 50; round++) {
      times.push(
        await timed(() => service.diagnostics((document = applyEdit(document, 2, { start, end: start }, 'x')))),
      );
      document = applyEdit(document, 3, { start, end }, '');
      service.diagnostics(document);
    }
    return median(times);
  };
}

export async function measureTyping(): Promise<readonly Measured[]> {
  const other = await jsonService(requestArray(COUNT));
  const [small = NaN, large = NaN, theirs = NaN] = await medians(ROUNDS, [
    typing(100),
    typing(COUNT),
    ...(other === undefined ? [] : [() => timed(other)]),
  ]);
  const note = `${(large * 1000).toFixed(0)} us in 1 MB`;
  const part = {
    goal: 'P2',
    name: "keystroke to diagnostics, to the JSON service's full path",
    bound: { atMost: 0.01 },
  };
  return [
    {
      goal: 'P2',
      name: 'keystroke to diagnostics, 1 MB to 10 KB',
      bound: { atMost: 3 },
      figure: large / small,
      note: `${note}, ${(small * 1000).toFixed(0)} us in 10 KB`,
    },
    other === undefined
      ? { ...part, absent: 'no peer', note: NO_PEER }
      : { ...part, figure: large / theirs, note: `${note}, ${theirs.toFixed(0)} ms` },
  ];
}

export async function measureAsking(): Promise<readonly Measured[]> {
  const document = parseDocument(URI, 1, requestFile(COUNT, true));
  let line = Math.floor(document.lines.length / 2);
  while (document.lines[line]?.startsWith('{"method":"getBalance"') !== true) line++;
  const position = { line, character: 14 };
  const asked = (ask: () => unknown) => async (): Promise<number> => {
    const times: number[] = [];
    for (let round = 0; round < 20; round++) times.push(await timed(ask));
    return median(times);
  };
  const [completion = NaN, hover = NaN] = await medians(ROUNDS, [
    asked(() => service.completion(document, position)),
    asked(() => service.hover(document, position)),
  ]);
  const row = { goal: 'P3', unit: 'ms', bound: { atMost: 1 }, note: `in the middle of ${COUNT} requests` };
  const rounded = (value: number): number => Math.round(value * 1000) / 1000;
  return [
    { ...row, name: 'completion of a method', figure: rounded(completion) },
    { ...row, name: 'hover on a method', figure: rounded(hover) },
  ];
}

interface HttpPeer {
  readonly io: { readonly fileProvider: object };
  readonly store: {
    HttpFileStore: new () => { parse(fileName: string, text: string, options: object): Promise<unknown> };
  };
}

export async function measureParsing(): Promise<readonly Measured[]> {
  const row = { goal: 'P4', name: `parse ${COUNT} blocks, to httpyac (its time to ours)`, bound: { atLeast: 20 } };
  const module = await peer<HttpPeer>('httpyac');
  if (module === undefined) return [{ ...row, absent: 'no peer', note: NO_PEER }];
  // It reads no file, but asks what paths look like.
  Object.assign(module.io.fileProvider, {
    isAbsolute: () => Promise.resolve(true),
    dirname: (name: string) => path.dirname(name),
    hasExtension: () => Promise.resolve(true),
    joinPath: (...parts: string[]) => path.join(...parts),
    exists: () => Promise.resolve(false),
    readdir: () => Promise.resolve([]),
  });
  const text = requestFile(COUNT, false);
  const http = httpFile(COUNT);
  const parse = (): Promise<unknown> =>
    new module.store.HttpFileStore().parse('/bench/large.http', http, { workingDir: '/', config: {} });
  const [own = NaN, theirs = NaN] = await medians(ROUNDS, [
    // Blocks are parsed on first use: ask for all of them.
    () => timed(() => parseDocument(URI, 1, text).blocks),
    () => timed(parse),
  ]);
  return [{ ...row, figure: theirs / own, note: `${theirs.toFixed(0)} ms to ${own.toFixed(1)} ms` }];
}
