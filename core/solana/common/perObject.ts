// Remembers what was derived from an object, for as long as the object exists. For objects that never change.

/** `derive`, called once per object. */
export function perObject<K extends object, T>(derive: (object: K) => T): (object: K) => T {
  const known = new WeakMap<K, { readonly derived: T }>();
  return (object) => {
    const before = known.get(object);
    if (before !== undefined) return before.derived;
    const derived = derive(object);
    known.set(object, { derived });
    return derived;
  };
}
