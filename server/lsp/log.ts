// The server's lines for the log of the editor. Everything passes the redactor first; stdout belongs to LSP.
import type { Connection } from 'vscode-languageserver/node';
import { logged, type LogLevel } from '../../protocol/lsp';

export interface Log {
  (level: LogLevel, text: string): void;
}

/** A longer line is cut, since bodies do not belong in a log. UTF-16 units. */
const MAX_LINE = 2_000;

/**
 * `redact` removes every key that this process currently has. `ours`: the client has a dedicated channel for these
 * lines; other editors get LSP log messages.
 */
export function createLog(connection: Connection, redact: (text: string) => string, ours: boolean): Log {
  return (level, text) => {
    const clean = redact(text);
    const line = clean.length > MAX_LINE ? `${clean.slice(0, MAX_LINE)}…` : clean;
    // A connection that is closing takes no more lines; there is nobody left to read them.
    if (ours) connection.sendNotification(logged, { level, text: line }).catch(() => undefined);
    else connection.console[level](line);
  };
}
