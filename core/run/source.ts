// Files of a run and the names they share: where a name leads, from a block, through the preamble, to imports. Looks up
// only; nothing is evaluated here.
import { member } from '../values/json';
import type { PlacedBlock, Token, Variable } from '../document/model';
import type { JsonObject, JsonValue } from '../values/json';
import type { RequestDocument } from '../document/model';

/** A parsed file with its imports. Files may import each other: the object graph may have cycles. */
export interface SourceFile {
  /** As reports show it. */
  readonly path: string;
  readonly document: RequestDocument;
  readonly imports: readonly ImportedFile[];
}

export interface ImportedFile {
  /** The path as written, with the span of the directive in the preamble. */
  readonly directive: Token;
  /** Absent when the file could not be read; `reason` then says why. */
  readonly file?: SourceFile;
  readonly reason?: string;
}

/** A block with the file it stands in; names in it are looked up from here. */
export interface Located {
  readonly file: SourceFile;
  readonly placed: PlacedBlock;
}

/** What a run was given from outside the files. */
export interface Given {
  /** `--var`: above everything a file says. */
  readonly variables: ReadonlyMap<string, JsonValue>;
  /** Answers to `@prompt`, by name; empty while planning. */
  readonly prompted: ReadonlyMap<string, JsonValue>;
  /** Variables of an endpoint's profile; undefined asks for the active endpoint. */
  readonly profileVariables: (endpoint: string | undefined) => JsonObject;
}

/** Where a variable's name leads. */
export type Found =
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'prompt' }
  | { readonly kind: 'request'; readonly request: Located }
  | { readonly kind: 'variable'; readonly variable: Variable; readonly at: Located }
  | { readonly kind: 'missing' };

/** The order of request-files.md, "Variables": given, prompts, named responses, block, preamble, imports, profile. */
export function findVariable(name: string, at: Located, given: Given): Found {
  const value = given.variables.get(name);
  if (value !== undefined) return { kind: 'value', value };
  if (at.placed.block.settings.prompts.some((prompt) => prompt.name === name)) {
    const answer = given.prompted.get(name);
    return answer === undefined ? { kind: 'prompt' } : { kind: 'value', value: answer };
  }
  const request = findRequest(name, at.file);
  if (request !== undefined) return { kind: 'request', request };
  const own = variableOf(name, at) ?? sharedVariable(name, at.file, new Set());
  if (own !== undefined) return { kind: 'variable', ...own };
  const profile = member(given.profileVariables(settingsOf(at).endpoint), name);
  return profile === undefined ? { kind: 'missing' } : { kind: 'value', value: profile };
}

/** The request of that name: in the file itself, else in its imports in their order. */
export function findRequest(name: string, file: SourceFile): Located | undefined {
  return findInFiles(file, new Set(), (candidate) => {
    const placed = namesOf(candidate.document).get(name)?.[0];
    return placed === undefined ? undefined : { file: candidate, placed };
  });
}

/** The blocks of a file by `@name`; more than one under a name is `duplicate-name`. Read once per document. */
export function namesOf(document: RequestDocument): ReadonlyMap<string, readonly PlacedBlock[]> {
  const known = NAMES.get(document);
  if (known !== undefined) return known;
  const names = new Map<string, PlacedBlock[]>();
  for (const placed of document.blocks) {
    const name = placed.block.settings.name?.text;
    if (name === undefined) continue;
    const same = names.get(name);
    if (same === undefined) names.set(name, [placed]);
    else same.push(placed);
  }
  NAMES.set(document, names);
  return names;
}
const NAMES = new WeakMap<RequestDocument, ReadonlyMap<string, readonly PlacedBlock[]>>();

/** What stands before the first "###", where there is such a part. */
export function preambleOf(file: SourceFile): PlacedBlock | undefined {
  const [first] = file.document.blocks;
  return first?.block.kind === 'preamble' ? first : undefined;
}

/** The settings that a block and its file's preamble set together. */
export interface EffectiveSettings {
  readonly endpoint?: string;
  readonly key?: string;
  readonly timeoutMs?: number;
  readonly tags: readonly string[];
}

export function settingsOf({ file, placed }: Located): EffectiveSettings {
  const own = placed.block.settings;
  const shared = preambleOf(file)?.block.settings;
  const endpoint = own.endpoint ?? shared?.endpoint;
  const key = own.key ?? shared?.key;
  const timeoutMs = own.timeoutMs ?? shared?.timeoutMs;
  return {
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(key === undefined ? {} : { key }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    tags: [...new Set([...(shared?.tags ?? []), ...own.tags])],
  };
}

function variableOf(name: string, at: Located): { readonly variable: Variable; readonly at: Located } | undefined {
  const variable = at.placed.block.variables.findLast((candidate) => candidate.name.text === name);
  return variable === undefined ? undefined : { variable, at };
}

function sharedVariable(
  name: string,
  file: SourceFile,
  seen: Set<SourceFile>,
): { readonly variable: Variable; readonly at: Located } | undefined {
  return findInFiles(file, seen, (candidate) => {
    const placed = preambleOf(candidate);
    return placed === undefined ? undefined : variableOf(name, { file: candidate, placed });
  });
}

/** The first answer of a file and its imports, depth first; each file is asked once. */
function findInFiles<T>(
  file: SourceFile,
  seen: Set<SourceFile>,
  ask: (candidate: SourceFile) => T | undefined,
): T | undefined {
  if (seen.has(file)) return undefined;
  seen.add(file);
  const own = ask(file);
  if (own !== undefined) return own;
  for (const { file: imported } of file.imports) {
    const found = imported === undefined ? undefined : findInFiles(imported, seen, ask);
    if (found !== undefined) return found;
  }
  return undefined;
}
