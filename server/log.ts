// The server's lines for the log channel of the client. Everything passes the redactor first; stdout belongs to LSP.
import type { Connection } from './lsp';
import { logged, type LogLevel, type LogParams } from '../protocol/lsp';

export interface Log {
  (level: LogLevel, text: string): void;
}

/** A line longer than this is cut: a log is no place for bodies. UTF-16 units. */
const MAX_LINE = 2_000;

/** `redact` takes every key out that this process holds at the moment. */
export function createLog(connection: Connection, redact: (text: string) => string): Log {
  return (level, text) => {
    const clean = redact(text);
    const line = clean.length > MAX_LINE ? `${clean.slice(0, MAX_LINE)}…` : clean;
    const params: LogParams = { level, text: line };
    // A connection that is closing takes no more lines; there is nobody left to read them.
    connection.sendNotification(logged, params).catch(() => undefined);
  };
}
