// The few globals that Node and browsers share and core uses. Read by core/tsconfig.json alone.
declare class TextEncoder {
  encode(text: string): Uint8Array;
}
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  decode(bytes: Uint8Array): string;
}
declare class URL {
  static canParse(text: string): boolean;
  constructor(text: string);
  readonly protocol: string;
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  readonly href: string;
  readonly searchParams: URLSearchParams;
  username: string;
  password: string;
  pathname: string;
  hash: string;
}
declare class URLSearchParams implements Iterable<[string, string]> {
  delete(name: string): void;
  [Symbol.iterator](): IterableIterator<[string, string]>;
}
