// Objects whose absent members are not there at all, rather than undefined.

type Known<T> = { readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  readonly [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The members that are not undefined. */
export const known = <const T extends object>(members: T): Known<T> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Known<T>;
