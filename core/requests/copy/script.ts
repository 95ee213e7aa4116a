// The parts that the scripts of both public clients share: the imports, the headers with the keys, several calls at
// once. Pure.
import { propertyName, javascriptString } from './literal';
import { headerOf, type CopyCall, type CopyRequest } from './request';

/** `names` in the order of the alphabet. */
export const importLine = (names: Iterable<string>, from: string): string =>
  `import { ${[...new Set(names)].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)).join(', ')} } from '${from}';`;

/** The members of an object of headers; undefined without headers. */
export function headerMembers({ keys, headers }: CopyRequest): string | undefined {
  const own = keys.flatMap(({ auth, variable }) => {
    const header = headerOf(auth);
    return header === undefined ? [] : [`${propertyName(header.name)}: ${headerValue(header.scheme, variable)}`];
  });
  const members = [...own, ...headers.map(([name, value]) => `${propertyName(name)}: ${javascriptString(value)}`)];
  return members.length === 0 ? undefined : `{ ${members.join(', ')} }`;
}

/** A template literal: the key may be followed by nothing else. */
function headerValue(scheme: 'Bearer' | 'Basic' | undefined, variable: string): string {
  const key = `process.env.${variable}`;
  if (scheme === undefined) return `\`\${${key}}\``;
  return scheme === 'Bearer' ? `\`Bearer \${${key}}\`` : `\`Basic \${btoa(${key})}\``;
}

/** The statements that print the answers. The calls of a batch become separate requests, sent at the same time. */
export function printedCalls(calls: readonly CopyCall[], write: (call: CopyCall) => string): readonly string[] {
  const [only, ...more] = calls.map(write);
  if (more.length === 0) return [`const result = await ${only ?? ''};`, 'console.dir(result, { depth: null });'];
  return [
    `// This client sends no batches: the calls are separate requests, sent at the same time.`,
    'const results = await Promise.all([',
    ...[only, ...more].map((call) => `  ${call ?? ''},`),
    ']);',
    'console.dir(results, { depth: null });',
  ];
}

export const script = (lines: readonly string[]): string => `${lines.join('\n')}\n`;
