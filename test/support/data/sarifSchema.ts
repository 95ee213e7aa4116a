// The parts of SARIF 2.1.0 that a log of `check --sarif` is made of, as a JSON schema: each object with its members, those
// it must have, and no other. Written from the standard, sections 3.13 to 3.57.

const text = { type: 'string' } as const;
const position = { type: 'integer', minimum: 1 } as const;
const uri = { type: 'string', format: 'uri' } as const;

const object = (properties: object, required: readonly string[]): object => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const list = (items: object, more: object = {}): object => ({ type: 'array', items, ...more });

const level = { enum: ['none', 'note', 'warning', 'error'] };
const message = object({ text, markdown: text }, ['text']);
const artifactLocation = object({ uri: { type: 'string', format: 'uri-reference' }, uriBaseId: text }, ['uri']);
const region = object({ startLine: position, startColumn: position, endLine: position, endColumn: position }, [
  'startLine',
  'startColumn',
  'endLine',
  'endColumn',
]);
const location = object({ physicalLocation: object({ artifactLocation, region }, ['artifactLocation', 'region']) }, [
  'physicalLocation',
]);
const replacement = object({ deletedRegion: region, insertedContent: object({ text }, ['text']) }, ['deletedRegion']);
const change = object({ artifactLocation, replacements: list(replacement, { minItems: 1 }) }, [
  'artifactLocation',
  'replacements',
]);
const fix = object({ description: message, artifactChanges: list(change, { minItems: 1, uniqueItems: true }) }, [
  'artifactChanges',
]);
const result = object(
  {
    ruleId: text,
    ruleIndex: { type: 'integer', minimum: 0 },
    level,
    message,
    locations: list(location, { minItems: 1 }),
    fixes: list(fix, { uniqueItems: true, minItems: 1 }),
  },
  ['ruleId', 'message', 'locations', 'level'],
);
const rule = object(
  {
    id: text,
    shortDescription: message,
    fullDescription: message,
    help: message,
    helpUri: uri,
    defaultConfiguration: object({ level }, ['level']),
    properties: object({ tags: list(text, { uniqueItems: true }) }, ['tags']),
  },
  ['id', 'shortDescription', 'fullDescription', 'help', 'helpUri', 'defaultConfiguration'],
);
const driver = object({ name: text, version: text, informationUri: uri, rules: list(rule, { uniqueItems: true }) }, [
  'name',
  'version',
  'informationUri',
  'rules',
]);
const run = object(
  { tool: object({ driver }, ['driver']), columnKind: { const: 'utf16CodeUnits' }, results: list(result) },
  ['tool', 'columnKind', 'results'],
);

export const SARIF_SCHEMA = object({ $schema: uri, version: { const: '2.1.0' }, runs: list(run, { minItems: 1 }) }, [
  'version',
  'runs',
]);
