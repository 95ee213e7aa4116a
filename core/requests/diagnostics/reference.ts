// The text of docs/diagnostics.md, made from the table of codes; scripts/docs.mjs writes it.
import { CODES, FIXES, STOPS_A_RUN, type Code, type CodeShape } from './codes';

const GROUPS: Readonly<Record<CodeShape['group'], string>> = {
  syntax: 'Syntax',
  names: 'Names and variables',
  method: 'Methods and transports',
  params: 'Parameters',
  values: 'Values',
  transactions: 'Transactions and advice',
  secrets: 'Secrets',
};

/** The whole page, in markdown; every code is a heading, so that it has an anchor. */
export function diagnosticsReference(): string {
  const lines = [
    '# Diagnostics',
    '',
    'What the editor and `solana-rpc check` report about a request file. Codes are stable. A code marked "stops a run"',
    'keeps `solana-rpc run` from sending anything; with every other one the request goes out all the same.',
    '',
    '<!-- Made from core/requests/diagnostics/codes.ts by scripts/docs.mjs; edit there. -->',
  ];
  for (const [group, title] of Object.entries(GROUPS)) {
    lines.push('', `## ${title}`);
    for (const [code, shape] of Object.entries<CodeShape>(CODES)) {
      if (shape.group !== group) continue;
      const stops = STOPS_A_RUN.has(code)
        ? ', stops a run'
        : code === 'duplicate-name'
          ? ', stops a run that uses it'
          : '';
      lines.push('', `### ${code}`, '', `${capital(shape.severity)}${stops}. ${shape.doc}`);
      const fix = Object.hasOwn(FIXES, code) ? FIXES[code as Code] : undefined;
      if (fix !== undefined) lines.push('', `Quick fix: ${fix}.`);
    }
  }
  return `${lines.join('\n')}\n`;
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
