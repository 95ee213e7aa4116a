// Everything that is checked in one block: what its grammar found, its body against the methods, names, keys, redirects.
import type { Block, Problem, Variable } from '../../document/model';
import { unsafeSavePlace } from '../../document/savePlace';
import { knownText } from '../../document/evaluate';
import type { Scope } from '../../document/variables';
import { methodsOf } from '../packs';
import type { MethodTable } from '../../methods';
import { nearestNames } from '../../methods/describe';
import { GEYSER_CALLS, GEYSER_SERVICE, isStream } from '../call';
import { checkBody } from './checkBody';
import type { NameChecker } from './checkNames';
import { secretsOf } from './checkSecrets';
import type { FilesPort } from './analysis';
import { fillBody, type FilledBody } from '../fill';
import { problem } from './problem';

/** What was found in a block; `keys` are variables, perhaps of the preamble, that it uses as a key. */
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
  const named = names.problemsOf(block);
  const quiet =
    block.problems.length === 0 && checks.length === 0 && named.length === 0 && block.redirects.length === 0;
  if (quiet && secrets === undefined) return NO_FINDINGS;
  const problems = [
    ...block.problems,
    ...checks,
    ...named,
    ...(secrets?.problems ?? NONE),
    ...redirectProblems(scope, block, files),
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
  const isPlain = block.requestLine === undefined && block.settings.until === undefined;
  const problems = isPlain ? ofBody : [...checkLine(block), ...checkUntil(block, methods, filling?.filled), ...ofBody];
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

/** `@until` on a request whose answer is one response. */
function checkUntil(block: Block, methods: MethodTable, filled: FilledBody | undefined): Problem[] {
  if (block.settings.until === undefined || isStream(block, methods, filled?.value) !== false) return [];
  return block.directives
    .filter((directive) => directive.name.text === 'until')
    .map(({ span }) => problem('bad-directive', '@until ends a stream; this request has one response.', span));
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

const isAbsolute = (path: string): boolean => /^(?:[\\/]|[A-Za-z]:)/.test(path);
