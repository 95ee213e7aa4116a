// The kind of message that our client and server exchange in addition to LSP's own: typed by its parameters and its
// result, and with the shape of the parameters, which the server checks before it reads them.
import { RequestType } from 'vscode-jsonrpc';

/** The kind of a member in its shape. */
type KindOf<T> = T extends string
  ? 'string'
  : T extends number
    ? 'number'
    : T extends boolean
      ? 'boolean'
      : T extends readonly unknown[]
        ? 'array'
        : 'object';

/** The kind of every member of some parameters; `?` marks those that may be left out. */
export type ParamsShape<P> = {
  readonly [K in keyof P]-?: object extends Pick<P, K> ? `${KindOf<Exclude<P[K], undefined>>}?` : KindOf<P[K]>;
};

/** A request with parameters that the server answers. */
export class CheckedRequest<P extends object, R> extends RequestType<P, R, void> {
  constructor(
    method: string,
    readonly shape: ParamsShape<P>,
  ) {
    super(method);
  }
}

/** The parameters and the result of a request type. */
export type ParamsOf<T> = T extends RequestType<infer P extends object, unknown, void> ? P : never;
export type ResultOf<T> = T extends RequestType<unknown, infer R, void> ? R : never;
