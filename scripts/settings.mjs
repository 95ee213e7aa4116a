// The settings in package.json and their texts in package.nls.json, made from the tables of protocol/settings.ts.
/** @typedef {import('../protocol/settings').Setting} Setting */
/** @typedef {Readonly<Record<string, Setting>>} Settings */

/** @param {string} manifest the text of package.json @param {Settings} settings */
export function withSettings(manifest, settings) {
  const read = JSON.parse(manifest);
  const rows = sorted(settings);
  read.contributes.configuration.properties = Object.fromEntries(
    rows.map(([name, { choices, order, ...schema }]) => [
      `solanaRpc.${name}`,
      {
        ...schemaOf(`setting.${name}`, schema),
        // Members that JSON leaves out.
        description: undefined,
        isRestricted: undefined,
        ...(choices !== undefined && {
          enum: Object.keys(choices),
          enumDescriptions: Object.keys(choices).map((choice) => `%setting.${name}.${choice}%`),
        }),
        order,
        markdownDescription: `%setting.${name}%`,
      },
    ]),
  );
  read.capabilities.untrustedWorkspaces.restrictedConfigurations = rows.flatMap(([name, { isRestricted }]) =>
    isRestricted === true ? [`solanaRpc.${name}`] : [],
  );
  return textOf(read);
}

/** @param {string} texts the text of package.nls.json @param {Settings} settings */
export function withSettingTexts(texts, settings) {
  const entries = Object.entries(JSON.parse(texts));
  const isOther = (/** @type {readonly [string, unknown]} */ [key]) => !key.startsWith('setting.');
  const at = entries.findIndex((entry) => !isOther(entry));
  const own = sorted(settings).map(([name, { text, choices = {}, items }]) => ({
    [`setting.${name}`]: text,
    ...Object.fromEntries(Object.entries(choices).map(([choice, meaning]) => [`setting.${name}.${choice}`, meaning])),
    ...(items !== undefined && textsIn(`setting.${name}`, items)),
  }));
  return textOf(
    Object.assign(
      Object.fromEntries(entries.slice(0, at)),
      ...own,
      Object.fromEntries(entries.slice(at).filter(isOther)),
    ),
  );
}

/**
 * @param {string} key of its text
 * @param {import('../protocol/settings').SettingSchema} schema
 * @returns {Record<string, unknown>}
 */
function schemaOf(key, { text, items, properties, ...rest }) {
  return {
    ...rest,
    ...(text !== undefined && { description: `%${key}%` }),
    ...(items !== undefined && { items: schemaOf(key, items) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, member]) => [name, schemaOf(`${key}.${name}`, member)]),
      ),
    }),
  };
}

/**
 * The texts of the members of a schema.
 * @param {string} key
 * @param {import('../protocol/settings').SettingSchema} schema
 * @returns {Record<string, string>}
 */
const textsIn = (key, { properties = {} }) =>
  Object.assign(
    {},
    ...Object.entries(properties).map(([name, member]) => ({
      ...(member.text !== undefined && { [`${key}.${name}`]: member.text }),
      ...textsIn(`${key}.${name}`, member),
    })),
  );

/** As the editor lists them. @param {Settings} settings */
const sorted = (settings) =>
  Object.entries(settings).sort(([a, { order: one }], [b, { order: other }]) => one - other || (a < b ? -1 : 1));

/** @param {unknown} value */
const textOf = (value) => `${JSON.stringify(value, undefined, 2)}\n`;
