// How people write the names of a message: in snake_case as in the .proto, or in lowerCamel as in JSON. Both are right.

interface Named {
  readonly name: string;
  readonly jsonName: string;
}

/** The field of a message by either of its names; `undefined` for a name it does not have. */
export function fieldNamed<F extends Named>(message: { readonly fields: readonly F[] }, name: string): F | undefined {
  return message.fields.find((field) => field.jsonName === name || field.name === name);
}

/** The value of an enum by its name or by its number in digits. */
export function enumValueNamed<V extends { readonly name: string; readonly number: number }>(
  description: { readonly values: readonly V[] },
  text: string,
): V | undefined {
  return description.values.find((value) => value.name === text || String(value.number) === text);
}

/** Every name that a body may use for a field of the message: `fromSlot` and `from_slot`. */
export function writtenNames(message: { readonly fields: readonly Named[] }): readonly string[] {
  return message.fields.flatMap(({ jsonName, name }) => (jsonName === name ? [name] : [jsonName, name]));
}
