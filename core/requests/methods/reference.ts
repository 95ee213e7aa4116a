// Writes docs/methods.md and docs/packs.md from the records. Pure: scripts/docs.mjs writes the file, a test compares it.
import { printJson } from '../../solana/json/json';
import { docsLink, fieldsOf, itemOf, serversOf, signatureLabel, specLabel } from './describe';
import { METHODS } from './index';
import { PACKS, type MethodPack } from './packs/packs';
import { REMOVED_METHODS } from './records/removed';
import type { Category, FieldSpec, MethodRecord } from './types';

const HEADINGS: Readonly<Record<Category, string>> = {
  accounts: 'Accounts',
  tokens: 'Tokens',
  programs: 'Programs',
  transactions: 'Transactions',
  blocks: 'Blocks',
  cluster: 'Cluster',
  economics: 'Supply, inflation, stake and fees',
  node: 'The node',
  pack: 'Methods of providers',
  custom: 'Methods of the workspace',
  subscriptions: 'Subscriptions',
};

const INTRODUCTION = `# Methods

Every method the editor knows, generated from the records in core/requests/methods by \`node scripts/docs.mjs\`; do not edit it.
A ● marks what the service contract names; everything else is the standard node's and is accepted as well.
Parameters go by position. A \`null\` in an optional place counts as left out.
`;

/** The whole document, ending in a newline. */
export function methodsReference(): string {
  const categories = [...new Set(METHODS.map((record) => record.category))];
  const sections = categories.map((category) => {
    const records = METHODS.filter((record) => record.category === category);
    return `## ${HEADINGS[category]}\n\n${records.map(section).join('\n')}`;
  });
  return `${INTRODUCTION}\n${sections.join('\n')}\n${removedSection()}`;
}

const PACKS_INTRODUCTION = `# Method packs

Methods of providers beyond the standard node, generated from the records in core/requests/methods/packs by \`node scripts/docs.mjs\`; do not edit it.
They are checked and explained everywhere. Completion offers them where a file, a setting or the endpoint asks for their
pack; used elsewhere, they get the hint \`method-pack\`, which is not an error.

| to ask for a pack | write |
|---|---|
| in one file | \`# @pack helius\` before the first \`###\` |
| in one request | the same line in its block |
| in the whole project | \`{ "packs": ["helius"] }\` in \`solana-rpc.json\` |
| in VS Code | the setting \`solanaRpc.packs\` |
`;

/** docs/packs.md, ending in a newline. */
export function packsReference(): string {
  return `${PACKS_INTRODUCTION}\n${PACKS.map(packSection).join('\n')}`;
}

function packSection({ id, title, doc, url, methods, extensions = [] }: MethodPack): string {
  const added = extensions.map(({ name, params, example }) => {
    const rows = params.flatMap((param) => rowsOf(param, ''));
    return [
      `### ${name}`,
      '',
      'A method of the standard with more parameters.',
      '',
      ...tableOf(rows),
      ...exampleOf(name, example, NEEDS_PROVIDER),
    ].join('\n');
  });
  return `## ${title}: \`${id}\`\n\n${doc} [Its documentation](${url})\n\n${[...methods.map(section), ...added].join('\n')}`;
}

function section(record: MethodRecord): string {
  const lines = [`### ${record.name}${record.contract === true ? ' ●' : ''}`, '', record.summary, ''];
  lines.push('```text', signatureLabel(record).label, '```', '');
  const rows = record.params.flatMap((param) => rowsOf(param, ''));
  lines.push(...tableOf(rows));
  lines.push(`- Served over ${TRANSPORTS[record.transport]}.${docsLink(record)}`);
  lines.push(`- Result: \`${record.result}\``);
  if (record.subscription !== undefined) {
    const { notification, payload, unsubscribe } = record.subscription;
    lines.push(`- Each \`${notification}\` holds \`${payload}\`; \`${unsubscribe}\` ends it.`);
  }
  if (record.errors.length > 0) lines.push(`- Errors: ${record.errors.join(', ')}`);
  if (record.since !== undefined) lines.push(`- Not on every server. Known to: ${serversOf(record.since)}.`);
  for (const { agave, doc } of record.changes ?? []) lines.push(`- From Agave ${agave}: ${doc}`);
  if (record.unstable !== undefined) lines.push(`- May change: ${record.unstable}`);
  for (const note of record.notes ?? []) lines.push(`- ${note}`);
  lines.push('', ...exampleOf(record.name, record.example, record.category === 'pack' ? NEEDS_PROVIDER : ''));
  return lines.join('\n');
}

const tableOf = (rows: readonly string[]): string[] =>
  rows.length === 0 ? [] : ['| parameter | value | default | meaning |', '|---|---|---|---|', ...rows, ''];

/** In the info string of a block that no test can run. */
const NEEDS_PROVIDER = ' not-run: needs the provider';

const exampleOf = (method: string, params: MethodRecord['example'], mark: string): string[] => [
  `\`\`\`json${mark}`,
  printJson({ method, params }),
  '```',
  '',
];

const TRANSPORTS = { http: 'HTTPS', ws: 'the WebSocket', both: 'HTTPS and the WebSocket' } as const;

/** One row for the value and one for each member inside it. */
function rowsOf(field: FieldSpec, prefix: string): string[] {
  const name = `${prefix}${field.name}`;
  const mark = field.contract === true ? ' ●' : '';
  const need = field.required === true ? '' : '?';
  const fallback = field.default === undefined ? '' : `\`${printJson(field.default)}\``;
  const servers = field.since === undefined ? '' : ` Known to: ${serversOf(field.since)}.`;
  const row = `| \`${name}${need}\`${mark} | ${cell(`\`${specLabel(field.spec)}\``)} | ${fallback} | ${cell(field.doc + servers)} |`;
  const item = itemOf(field.spec);
  const inner = item === undefined ? fieldsOf(field.spec) : fieldsOf(item);
  return [row, ...inner.flatMap((one) => rowsOf(one, item === undefined ? `${name}.` : `${name}[].`))];
}

const cell = (text: string): string => text.replaceAll('|', '\\|');

function removedSection(): string {
  const rows = REMOVED_METHODS.map(
    ({ name, replacedBy, note }) =>
      `| ${name} | ${replacedBy === undefined ? 'nothing takes its place' : replacedBy}${note === undefined ? '' : `. ${note}`} |`,
  );
  return `## No longer served\n\n| name | instead |\n|---|---|\n${rows.join('\n')}\n`;
}
