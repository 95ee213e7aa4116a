// A request that a language model wants: a method's name and JSON, and nothing that reads files, signs or names a URL.

const METHOD = /^[A-Za-z_][\w.:/-]{0,99}$/;

export interface WantedRequest {
  readonly method: string;
  readonly params?: readonly unknown[];
}

/** Throws an Error with a sentence for the model. */
export function wantedRequest({ method, params }: Readonly<Record<string, unknown>>): WantedRequest {
  if (typeof method !== 'string' || !METHOD.test(method)) throw new Error('"method" is the name of a method.');
  if (params !== undefined && !Array.isArray(params)) throw new Error('"params" is an array.');
  if (JSON.stringify(params ?? []).includes('{{')) throw new Error('"params" holds no {{variables}}.');
  return { method, ...(params !== undefined && { params }) };
}

/** The request as a block of a request file. */
export function requestBlock({ method, params }: WantedRequest): string {
  return `### ${method}\n${JSON.stringify({ method, ...(params !== undefined && { params }) })}\n`;
}

/** The same as a stream that ends by itself; `package.Service/Method` is a gRPC call. */
export function streamBlock(
  { method, params }: WantedRequest,
  { updates, seconds }: { readonly updates: number; readonly seconds: number },
): string {
  const isGrpc = method.includes('/');
  const body = isGrpc ? (params?.[0] ?? {}) : { method, ...(params !== undefined && { params }) };
  const line = isGrpc ? `GRPC ${method}` : 'WS';
  return `### ${method}\n# @until ${updates} messages or ${seconds}s\n${line}\n${JSON.stringify(body)}\n`;
}
