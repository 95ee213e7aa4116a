// The server's lines for the log of the editor. Everything passes the redactor first; stdout belongs to LSP.
import { LogMessageNotification, MessageType, type Connection } from './lsp';
import { logged, type LogLevel, type LogParams } from '../protocol/lsp';

export interface Log {
  (level: LogLevel, text: string): void;
}

/** A line longer than this is cut: a log is no place for bodies. UTF-16 units. */
const MAX_LINE = 2_000;

/** The levels as other editors know them. */
const TYPES: Readonly<Record<LogLevel, MessageType>> = {
  debug: MessageType.Debug,
  info: MessageType.Info,
  warn: MessageType.Warning,
  error: MessageType.Error,
};

/**
 * `redact` takes every key out that this process holds at the moment. `ours`: the client has a channel of its own for
 * these lines; other editors get them as LSP has it.
 */
export function createLog(connection: Connection, redact: (text: string) => string, ours: boolean): Log {
  return (level, text) => {
    const clean = redact(text);
    const line = clean.length > MAX_LINE ? `${clean.slice(0, MAX_LINE)}…` : clean;
    const sent = ours
      ? connection.sendNotification(logged, { level, text: line } satisfies LogParams)
      : connection.sendNotification(LogMessageNotification.type, { type: TYPES[level], message: line });
    // A connection that is closing takes no more lines; there is nobody left to read them.
    sent.catch(() => undefined);
  };
}
