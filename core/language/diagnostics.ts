// All diagnostics of a file. What depends on a block alone is kept with the block; names are checked anew each time,
// which is cheap. Answers problems in blocks; the face turns them into ranges.
import type { Block, PlacedBlock, Problem, RequestDocument, Variable } from '../document/model';
import { Scope, type Surroundings } from '../document/variables';
import { nearestNames } from '../methods/describe';
import { checkBody } from './checkBody';
import { GEYSER_CALLS, GEYSER_SERVICE, isStream } from './call';
import { NameChecker } from './checkNames';
import { literalKey, secretsOf } from './checkSecrets';
import { fillBody, type FilledBody } from './fill';
import { STOPS_A_RUN } from './codes';
import { problem } from './problem';

/** Files that a request file names. */
export interface FilesPort {
  /** Whether `path`, named in the file `from` (a URI), can be read; undefined where nobody knows. */
  exists(path: string, from: string): boolean | undefined;
  /** Whether a response may be saved there: inside the workspace; undefined where nobody knows. */
  mayWrite?(path: string, from: string): boolean | undefined;
}

export interface Analysis {
  readonly document: RequestDocument;
  readonly surroundings: Surroundings;
  readonly files?: FilesPort;
}

export interface PlacedProblem {
  readonly placed: PlacedBlock;
  readonly problem: Problem;
}

/** Every problem of the file, in the order of the text. */
export function diagnose({ document, surroundings, files }: Analysis): PlacedProblem[] {
  const scope = new Scope(document, surroundings);
  const names = new NameChecker(scope, files);
  const found = new Map<Block, readonly Problem[]>();
  const keys = new Map<Variable, Block>();
  for (const { block } of document.blocks) {
    // Most blocks of a large file name nothing outside themselves: what was found once stays.
    const settled = settledProblems.get(block);
    const problems = settled ?? problemsOf(scope, names, block, files, keys);
    if (settled === undefined && standsAlone(block)) settledProblems.set(block, problems);
    if (problems.length > 0) found.set(block, problems);
  }
  for (const [variable, owner] of keys) found.set(owner, inOrder([...(found.get(owner) ?? []), literalKey(variable)]));
  if (found.size === 0) return [];
  return document.blocks.flatMap((placed) => found.get(placed.block)?.map((item) => ({ placed, problem: item })) ?? []);
}

/** The problems of blocks that stand alone. */
const settledProblems = new WeakMap<Block, readonly Problem[]>();

/** True where nothing outside the block can change what is found in it. */
function standsAlone(block: Block): boolean {
  return block.references.length === 0 && block.directives.length === 0 && block.redirects.length === 0;
}

function problemsOf(
  scope: Scope,
  names: NameChecker,
  block: Block,
  files: FilesPort | undefined,
  keys: Map<Variable, Block>,
): readonly Problem[] {
  const secrets = secretsOf(scope, block);
  for (const [variable, owner] of secrets.variables) keys.set(variable, owner);
  return inOrder([
    ...block.problems,
    ...checksOf(scope, block),
    ...names.problemsOf(block),
    ...secrets.problems,
    ...redirectProblems(block, scope.document.uri, files),
  ]);
}

const inOrder = (problems: Problem[]): Problem[] =>
  problems.sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);

/** True for a problem that stops a run; a duplicate name does so only where a reference uses the name. */
export function stopsRun({ code }: Problem, isReferenced: boolean): boolean {
  return STOPS_A_RUN.has(code) || (code === 'duplicate-name' && isReferenced);
}

interface Cached {
  readonly key: string;
  readonly problems: readonly Problem[];
}

const cache = new WeakMap<Block, Cached>();

/** The checks of a block against the methods: kept as long as the block and the values of its variables are the same. */
function checksOf(scope: Scope, block: Block): readonly Problem[] {
  const { body } = block;
  const filling = body?.valid === true ? fillBody(scope, block, body) : undefined;
  const key = filling?.key ?? '';
  const cached = cache.get(block);
  if (cached?.key === key) return cached.problems;
  const problems = [...checkLine(block), ...checkUntil(block, filling?.filled)];
  if (body !== undefined && filling !== undefined) problems.push(...checkBody(block, body, filling.filled));
  cache.set(block, { key, problems });
  return problems;
}

/** Unknown names on a GRPC line. */
function checkLine({ requestLine }: Block): Problem[] {
  const { service, method } = requestLine ?? {};
  if (service === undefined || method === undefined) return [];
  const span = { start: service.span.start, end: method.span.end };
  if (service.text !== GEYSER_SERVICE) {
    const names = nearestNames(service.text, [GEYSER_SERVICE], 1);
    const message = `The service is ${GEYSER_SERVICE}; ${service.text} is not known.`;
    return [problem('unknown-method', message, span, { kind: 'rename', span: service.span, names })];
  }
  if (GEYSER_CALLS.has(method.text)) return [];
  const names = nearestNames(method.text, GEYSER_CALLS.keys(), 2);
  const message = `${GEYSER_SERVICE} has no method ${method.text}.`;
  return [problem('unknown-method', message, span, { kind: 'rename', span: method.span, names })];
}

/** `@until` on a request whose answer is one response. */
function checkUntil(block: Block, filled: FilledBody | undefined): Problem[] {
  if (block.settings.until === undefined || isStream(block, filled?.value) !== false) return [];
  return block.directives
    .filter((directive) => directive.name.text === 'until')
    .map(({ span }) => problem('bad-directive', '@until ends a stream; this request has one response.', span));
}

function redirectProblems(block: Block, uri: string, files: FilesPort | undefined): Problem[] {
  return block.redirects
    .filter(({ file }) => !file.text.includes('{{') && files?.mayWrite?.(file.text, uri) === false)
    .map(({ span }) => problem('bad-redirect', 'A response is saved inside the workspace only.', span));
}
