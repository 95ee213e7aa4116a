// The shape of gen/requests.ts: the requests of the gRPC service as plain data.

/** As written in gen/requests.ts: types by their whole names, fields by their names in the .proto. */
export interface RequestTable {
  /** The message that each call takes. */
  readonly methods: Readonly<Record<string, string>>;
  /** The calls that answer with a stream of messages. */
  readonly streams: readonly string[];
  readonly messages: Readonly<Record<string, Readonly<Record<string, FieldRow>>>>;
  /** The numbers of an enum's names. */
  readonly enums: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export interface FieldRow {
  readonly jsonName: string;
  readonly number: number;
  readonly many?: string;
  readonly message?: string;
  readonly enum?: string;
  readonly scalar?: string;
  readonly oneof?: string;
}
