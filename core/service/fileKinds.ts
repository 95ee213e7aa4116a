// How large a file of each kind may be: what is larger was not meant, and is refused before it is read. Bytes.

const MB = 1024 * 1024;

export const FILE_BYTES = {
  /** A request file, given or imported. */
  request: 32 * MB,
  /** A file that `{{$file PATH}}` inserts. */
  value: 16 * MB,
  /** The rows of `@foreach`. */
  rows: 16 * MB,
  /** `solana-rpc.json` and the user's own configuration. */
  configuration: 1 * MB,
  /** An OpenRPC document. */
  schema: 8 * MB,
  /** An IDL, of Anchor or Codama. */
  idl: 8 * MB,
  /** Lines of NAME=VALUE. */
  variables: 1 * MB,
  /** A keypair: 64 numbers. */
  keypair: 64 * 1024,
} as const;

/** References (`{{…}}`) in one request file; each costs memory. */
export const MAX_FILE_REFERENCES = 200_000;

export type FileKind = keyof typeof FILE_BYTES;

/** `32 MB`, `64 kB`. */
export const sizeLimitText = (bytes: number): string => (bytes >= MB ? `${bytes / MB} MB` : `${bytes / 1024} kB`);
