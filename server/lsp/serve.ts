// Handlers that never answer with a message of the JavaScript engine: parameters are checked before they are read, and a
// failure goes to the log.
import {
  ErrorCodes,
  FormattingOptions,
  LSPErrorCodes,
  Position,
  Range,
  ResponseError,
  TextDocumentIdentifier,
  type CancellationToken,
  type Connection,
} from 'vscode-languageserver/node';
import type { CheckedRequest } from '../../protocol/messages';
import { misfit } from '../../protocol/shapes';
import type { Log } from './log';
import type { RequestDocument } from '../../core/requests/document/model';

/** The members of LSP parameters that handlers read, with their required types. */
const MEMBERS = {
  textDocument: (value) => TextDocumentIdentifier.is(value),
  position: (value) => Position.is(value),
  positions: (value) => Array.isArray(value) && value.every((one) => Position.is(one)),
  range: (value) => Range.is(value),
  options: (value) => FormattingOptions.is(value),
  context: (value) => typeof value === 'object',
  ch: (value) => typeof value === 'string',
  label: (value) => typeof value === 'string',
  newName: (value) => typeof value === 'string',
  query: (value) => typeof value === 'string',
  command: (value) => typeof value === 'string',
} as const satisfies Readonly<Record<string, (value: unknown) => boolean>>;
export type Member = keyof typeof MEMBERS;

export const badParameters = (message: string): ResponseError<void> =>
  new ResponseError(ErrorCodes.InvalidParams, message);

/** Throws an LSP error if a member is absent or of the wrong type. */
export function requireMembers(params: object, names: readonly Member[]): void {
  const wrong = names.find((name) => {
    const value: unknown = Reflect.get(params, name);
    // The checks of the library take null for an object.
    return value === null || !MEMBERS[name](value);
  });
  if (wrong !== undefined) throw badParameters(`“${wrong}” is missing or not what LSP says it is.`);
}

type Handler<P, R> = (params: P, token: CancellationToken) => R | Promise<R>;
export type Serve = <P extends object, R>(type: CheckedRequest<P, R>, handler: Handler<P, R>) => void;

/** Registers handlers of our custom requests. */
export const serving =
  (connection: Connection, log: Log): Serve =>
  <P extends object, R>(type: CheckedRequest<P, R>, handler: Handler<P, R>): void => {
    connection.onRequest<P, unknown, void>(type, async (params, token) => {
      const wrong = misfit(params, type.shape);
      if (wrong !== undefined) throw badParameters(`“${wrong}” is missing or not of its kind.`);
      try {
        return await handler(params, token);
      } catch (error) {
        throw responseError(error, token, (message) => log('error', `${type.method}: ${message}`));
      }
    });
  };

/** A thrown value as text for the log. */
export const thrownText = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

/** The error answer of a failed request; `log` receives the message of a non-LSP error. */
export function responseError(
  error: unknown,
  token: CancellationToken,
  log: (message: string) => void,
): ResponseError<void> {
  if (error instanceof ResponseError) return error as ResponseError<void>;
  if (token.isCancellationRequested)
    return new ResponseError(LSPErrorCodes.RequestCancelled, 'The request was cancelled.');
  log(thrownText(error));
  return new ResponseError(ErrorCodes.InternalError, 'The request could not be answered; the log says why.');
}

/**
 * The handler of a question about a file: `empty` if the file is not open, or the answer fails; else the answer, with
 * the file's imports loaded. With the reach `open` all open files are loaded: they may use its names. A question
 * without its members is refused.
 */
export type InFile = <P extends { readonly textDocument: TextDocumentIdentifier }, T>(
  members: readonly Member[],
  empty: T,
  answer: (document: RequestDocument, params: P) => T,
  reach?: 'file' | 'open',
) => (params: P) => Promise<T>;
