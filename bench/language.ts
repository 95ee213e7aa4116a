// P1 to P4: reading, checking and typing in large request files, beside a JSON language service and another parser of
// request files.
import { createRequire } from 'node:module';
import path from 'node:path';
import { applyEdit, parseDocument } from '../core/document/document';
import type { RequestDocument } from '../core/document/model';
import { createLanguageService } from '../core/language/service';
import { METHODS } from '../core/methods';
import { interleaved, median, type Measured } from './measure';
import { httpFile, requestArray, requestFile } from './requests';

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

/** A package of bench/peers; undefined where it is not installed. */
function peer<T>(name: string): T | undefined {
  try {
    return createRequire(path.join(import.meta.dirname, 'peers', 'package.json'))(name) as T;
  } catch {
    return undefined;
  }
}

interface JsonPeer {
  readonly TextDocument: { create(uri: string, language: string, version: number, text: string): unknown };
  getLanguageService(options: object): {
    configure(settings: object): void;
    parseJSONDocument(document: unknown): unknown;
    doValidation(document: unknown, parsed: unknown): Promise<readonly unknown[]>;
  };
}

/** Parses and validates a JSON array of requests against a schema that chooses by the method's name. */
function jsonPeer(text: string): (() => Promise<unknown>) | undefined {
  const module = peer<JsonPeer>('vscode-json-languageservice');
  if (module === undefined) return undefined;
  const requests = METHODS.map(({ name, params }) => ({
    properties: { method: { const: name }, params: { type: 'array', maxItems: params.length } },
    required: ['method'],
  }));
  const json = module.getLanguageService({});
  json.configure({
    validate: true,
    schemas: [{ uri: 'bench://requests', fileMatch: ['*'], schema: { type: 'array', items: { anyOf: requests } } }],
  });
  return () => {
    const document = module.TextDocument.create('file:///bench/requests.json', 'json', 1, text);
    return json.doValidation(document, json.parseJSONDocument(document));
  };
}

const NO_PEER = 'npm install --prefix bench/peers';

export async function measureChecking(): Promise<readonly Measured[]> {
  const array = requestArray(COUNT);
  const text = requestFile(COUNT, false);
  const other = jsonPeer(array);
  const ours = (): unknown => service.diagnostics(parseDocument(URI, 1, text));
  const [own = NaN, parse = NaN, theirs = NaN] = await interleaved(ROUNDS, [
    () => timed(ours),
    () => timed(() => JSON.parse(array) as unknown),
    ...(other === undefined ? [] : [() => timed(other)]),
  ]);
  const name = `validate ${COUNT} requests, to`;
  const bound = { atLeast: 30 };
  const json = { goal: 'P1', name: `${name} vscode-json-languageservice (its time to ours)`, bound };
  return [
    {
      goal: 'P1',
      name: `${name} JSON.parse`,
      bound: { atMost: 4 },
      figure: own / parse,
      note: `${own.toFixed(1)} ms to ${parse.toFixed(1)} ms`,
    },
    other === undefined
      ? { ...json, absent: 'no peer', note: NO_PEER }
      : { ...json, figure: theirs / own, note: `${theirs.toFixed(0)} ms to ${own.toFixed(1)} ms` },
  ];
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
  const other = jsonPeer(requestArray(COUNT));
  const [small = NaN, large = NaN, theirs = NaN] = await interleaved(ROUNDS, [
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
  const [completion = NaN, hover = NaN] = await interleaved(ROUNDS, [
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
  const module = peer<HttpPeer>('httpyac');
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
  const [own = NaN, theirs = NaN] = await interleaved(ROUNDS, [
    () => timed(() => parseDocument(URI, 1, text)),
    () => timed(parse),
  ]);
  return [{ ...row, figure: theirs / own, note: `${theirs.toFixed(0)} ms to ${own.toFixed(1)} ms` }];
}
