// What the scripts of both public clients share: the imports on top, the headers with the keys, several calls at once.
// Pure.
import { propertyName, quotedText } from './literal';
import { headerOf, type CopyCall, type CopyRequest } from './request';

/** `names` in the order of the alphabet. */
export const importLine = (names: Iterable<string>, from: string): string =>
  `import { ${[...new Set(names)].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)).join(', ')} } from '${from}';`;

/** The members of an object of headers; undefined where there is none. */
export function headerMembers({ keys, headers }: CopyRequest): string | undefined {
  const own = keys.flatMap(({ auth, variable }) => {
    const header = headerOf(auth);
    return header === undefined ? [] : [`${propertyName(header.name)}: ${headerValue(header.scheme, variable)}`];
  });
  const members = [...own, ...headers.map(([name, value]) => `${propertyName(name)}: ${quotedText(value)}`)];
  return members.length === 0 ? undefined : `{ ${members.join(', ')} }`;
}

/** A template literal: the key may be followed by nothing else. */
function headerValue(scheme: 'Bearer' | 'Basic' | undefined, variable: string): string {
  const key = `process.env.${variable}`;
  if (scheme === undefined) return `\`\${${key}}\``;
  return scheme === 'Bearer' ? `\`Bearer \${${key}}\`` : `\`Basic \${btoa(${key})}\``;
}

/** The statement that prints what the calls answer; those of a batch go at once, each as a request of its own. */
export function printedCalls(calls: readonly CopyCall[], write: (call: CopyCall) => string): readonly string[] {
  const [only, ...more] = calls.map(write);
  if (more.length === 0) return [`const result = await ${only ?? ''};`, 'console.dir(result, { depth: null });'];
  return [
    `// This client sends no batches: each call is a request of its own, all at once.`,
    'const results = await Promise.all([',
    ...[only, ...more].map((call) => `  ${call ?? ''},`),
    ']);',
    'console.dir(results, { depth: null });',
  ];
}

export const script = (lines: readonly string[]): string => `${lines.join('\n')}\n`;
