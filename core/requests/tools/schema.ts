// The part of JSON Schema that tools are described with, and the check of arguments by it. A fault never repeats a value:
// it may be a key.

export interface StringSchema {
  readonly type: 'string';
  readonly description?: string;
  /** UTF-16 units. */
  readonly maxLength?: number;
}

export interface IntegerSchema {
  readonly type: 'integer';
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface ArraySchema {
  readonly type: 'array';
  readonly description?: string;
  readonly items: Schema;
}

export interface ObjectSchema {
  readonly type: 'object';
  readonly description?: string;
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
}

/** Any value where it names no type. */
export type Schema =
  | StringSchema
  | IntegerSchema
  | ArraySchema
  | ObjectSchema
  | { readonly type: 'boolean'; readonly description?: string }
  | { readonly type?: undefined; readonly description?: string };

/** Why arguments do not fit their schema, as a sentence; undefined if they do. */
export function argumentFault(schema: ObjectSchema, args: Readonly<Record<string, unknown>>): string | undefined {
  const names = Object.keys(schema.properties);
  if (Object.keys(args).some((name) => !names.includes(name)))
    return names.length === 0 ? 'This tool takes no arguments.' : `This tool takes: ${names.join(', ')}.`;
  for (const name of schema.required ?? []) if (args[name] === undefined) return `"${name}" is missing.`;
  for (const [name, part] of Object.entries(schema.properties)) {
    const fault = args[name] === undefined ? undefined : valueFault(part, args[name]);
    if (fault !== undefined) return `"${name}" ${fault}.`;
  }
  return undefined;
}

function valueFault(schema: Schema, value: unknown): string | undefined {
  switch (schema.type) {
    case 'string': {
      if (typeof value !== 'string') return 'is a text';
      const { maxLength = Infinity } = schema;
      return value.length > maxLength ? `is longer than ${maxLength} characters` : undefined;
    }
    case 'integer': {
      const { minimum = -Infinity, maximum = Infinity } = schema;
      const fits = Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum;
      return fits ? undefined : `is a whole number from ${minimum} to ${maximum}`;
    }
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'is true or false';
    case 'array':
      return Array.isArray(value) ? undefined : 'is an array';
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : 'is an object';
    case undefined:
      return undefined;
  }
}
