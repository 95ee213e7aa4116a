// Several curl commands in one pasted text, each a separate request. Pure.
import { Budget } from '../../solana/common/budget';
import { MAX_CURL, readCurl, type Pasted, type PastedRequest } from './read';
import { beginsCommand, isWholeCommand } from './shells';

/** More lines that may begin a command are read as part of the one before. */
const MAX_COMMANDS = 200;

/** The outcome of a pasted text: the blocks of its commands, and the reasons why others gave no block. */
export interface PastedAll {
  /** In the order of the text; empty if no command can be carried over. */
  readonly blocks: readonly PastedRequest[];
  readonly reasons: readonly string[];
}

export function readAllCurl(text: string): PastedAll {
  const read = text.length > MAX_CURL ? [readCurl(text)] : commandsIn(text).map(readCurl);
  return {
    blocks: read.flatMap((pasted: Pasted) => (pasted.kind === 'block' ? [pasted] : [])),
    reasons: read.flatMap((pasted) => (pasted.kind === 'refused' ? [pasted.reason] : [])),
  };
}

/** Text in which the ends of commands are searched: once, and as much again where quotes stay open. UTF-16 units. */
const MAX_WORK = 2 * MAX_CURL;

/** In front of the first command; a longer text counts for that one alone. UTF-16 units. */
const MAX_HEAD = 10_000;

/**
 * The text from each command to the next: a line in quotes, or behind a continuation, begins none. What is in front of the
 * first counts for all of them: it may give variables their values.
 */
function commandsIn(text: string): readonly string[] {
  const parts: string[] = [];
  const all = text.split(/\r\n?|\n/);
  const head = all.slice(0, Math.max(0, all.findIndex(beginsCommand)));
  const common = head.join('\n').length > MAX_HEAD ? [] : head;
  let lines: string[] = [];
  let length = 0;
  let candidates = 0;
  const work = new Budget(MAX_WORK);
  for (const line of all) {
    const begins = beginsCommand(line) && ++candidates <= MAX_COMMANDS && work.takes(length);
    if (begins && isWholeCommand(lines.join('\n'))) {
      parts.push(lines.join('\n'));
      lines = [...common];
      length = 0;
    }
    lines.push(line);
    length += line.length;
  }
  return [...parts, lines.join('\n')];
}
