// Everything that is checked in one block: what its grammar found, its body against the methods, names, keys, redirects.
import type { Block, Problem, Transport, Variable } from '../document/model';
import { unsafeSavePlace } from '../document/savePlace';
import { knownText } from '../document/variables/evaluate';
import type { Scope } from '../document/variables/variables';
import { methodsOf } from '../document/packs';
import type { MethodTable } from '../methods';
import { nearestNames } from '../../solana/common/nearest';
import { GEYSER_CALLS, GEYSER_SERVICE, isStream } from '../document/call';
import { checkBody } from './checkBody';
import type { NameChecker } from './checkNames';
import { secretsOf } from './checkSecrets';
import type { FilesPort } from './analysis';
import { fillBody, type FilledBody } from '../document/variables/fill';
import { checkPaths } from './checkPaths';
import { duplicatesIn } from './duplicates';
import { problem } from './problem';

/** The findings in a block. `keys`: variables, perhaps of the preamble, that it uses as a key. */
export interface BlockFindings {
  readonly problems: readonly Problem[];
  readonly keys: ReadonlyMap<Variable, Block>;
}

/** One object serves all faultless blocks. */
export const NO_FINDINGS: BlockFindings = { problems: [], keys: new Map() };
const NONE: readonly Problem[] = [];

export function checkBlock(
  scope: Scope,
  names: NameChecker,
  block: Block,
  files: FilesPort | undefined,
): BlockFindings {
  const secrets = secretsOf(scope, block);
  const checks = checksOf(scope, block);
  const named = [...names.problemsOf(block), ...checkPaths(scope, block)];
  const unread = block.assertions.length === 0 ? NONE : schemaProblems(scope, block, files);
  const isQuiet = block.problems.length + checks.length + named.length + block.redirects.length + unread.length === 0;
  if (isQuiet && secrets === undefined) return NO_FINDINGS;
  const problems = [
    ...block.problems,
    ...checks,
    ...named,
    ...(secrets?.problems ?? NONE),
    ...redirectProblems(scope, block, files),
    ...unread,
  ];
  return { problems: inOrder(problems), keys: secrets?.variables ?? NO_FINDINGS.keys };
}

export const inOrder = (problems: Problem[]): Problem[] =>
  problems.sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);

interface Cached {
  readonly key: string;
  readonly problems: readonly Problem[];
  readonly methods: unknown;
}

const cache = new WeakMap<Block, Cached>();

/** The checks of a block against the methods: kept while the values of its variables are the same. */
function checksOf(scope: Scope, block: Block): readonly Problem[] {
  const { body } = block;
  const filling = body?.valid === true ? fillBody(scope, block, body) : undefined;
  const key = filling?.key ?? '';
  // Without references the block is checked once anyway: what is found in it stays with it.
  const cached = block.references.length === 0 ? undefined : cache.get(block);
  const methods = methodsOf(scope.surroundings);
  if (cached?.key === key && cached.methods === methods) return cached.problems;
  const ofBody = body !== undefined && filling !== undefined ? checkBody(block, body, filling.filled, methods) : NONE;
  const twice = body === undefined ? NONE : duplicatesIn(body);
  const { until, retry } = block.settings;
  const isPlain = block.requestLine === undefined && until === undefined && retry === undefined && twice.length === 0;
  const problems = isPlain
    ? ofBody
    : [
        ...checkLine(block),
        ...checkScheme(scope, block, ofBody),
        ...checkStreaming(block, methods, filling?.filled),
        ...ofBody,
        ...twice,
      ];
  if (block.references.length > 0) cache.set(block, { key, problems, methods });
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

/** `@until` on a request whose answer is one response, `@retry` on one whose answer is a stream. */
function checkStreaming(block: Block, methods: MethodTable, filled: FilledBody | undefined): Problem[] {
  const { until, retry } = block.settings;
  if (until === undefined && retry === undefined) return [];
  const streams = isStream(block, methods, filled?.value);
  if (streams === undefined) return [];
  const [name, message] = streams
    ? ['retry', '@retry repeats a request; a stream is opened again by itself.']
    : ['until', '@until ends a stream; this request has one response.'];
  return block.directives
    .filter((directive) => directive.name.text === name)
    .map(({ span }) => problem('bad-directive', message, span));
}

const SCHEMES: Readonly<Record<Transport, readonly string[]>> = {
  POST: ['https', 'http'],
  SWQOS: ['https', 'http'],
  WS: ['wss', 'ws'],
  GRPC: ['https', 'http'],
};

/** A URL for another transport. Where the method is on the wrong line, the keyword is the fault. */
function checkScheme(scope: Scope, block: Block, ofBody: readonly Problem[]): Problem[] {
  const { url, keyword, transport } = block.requestLine ?? {};
  if (url === undefined || keyword === undefined || transport === undefined) return [];
  if (ofBody.some(({ code }) => code === 'wrong-transport')) return [];
  const text = knownText({ scope, block }, url.text);
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text ?? '')?.[1]?.toLowerCase();
  const due = SCHEMES[transport];
  if (scheme === undefined || due.includes(scheme)) return [];
  const [secure = 'https', plain = 'http'] = due;
  const meant = scheme === 'ws' || scheme === 'http' ? plain : secure;
  const message = `The URL of ${keyword.text} begins with ${secure}://, and this one with ${scheme}://.`;
  const isWritten = url.text.toLowerCase().startsWith(`${scheme}://`);
  const start = url.span.start;
  const edits = [{ span: { start, end: start + scheme.length }, text: meant }];
  const choices = isWritten ? [{ title: `Change to ${meant}://`, edits }] : [];
  return [problem('wrong-transport', message, url.span, { kind: 'edits', choices })];
}

/** Places a response is never saved to. A name that only a run completes is checked there, before anything is sent. */
function redirectProblems(scope: Scope, block: Block, files: FilesPort | undefined): Problem[] {
  return block.redirects.flatMap(({ file, span }) => {
    const name = knownText({ scope, block }, file.text);
    if (name === undefined) return [];
    // An absolute path leads through folders outside the workspace, whose names do not matter.
    const reason =
      (isAbsolute(name) ? undefined : unsafeSavePlace(name)) ?? files?.whyNotSaved?.(name, scope.document.uri);
    return reason === undefined ? [] : [problem('bad-redirect', reason, span)];
  });
}

/** Schemas that are not there. */
function schemaProblems(scope: Scope, block: Block, files: FilesPort | undefined): Problem[] {
  return block.assertions.flatMap(({ value, span }) => {
    const reason = value?.kind === 'file' ? files?.whyNotRead?.(value.path, scope.document.uri) : undefined;
    return reason === undefined ? [] : [problem('bad-assertion', reason, span)];
  });
}

const isAbsolute = (path: string): boolean => /^(?:[\\/]|[A-Za-z]:[\\/])/.test(path);
