// What the process that starts the language server for another editor brings along: the endpoints of the terminal, and
// how one request is run there. The server hands in the open texts and the questions; it holds no key itself.
import type { Result } from '../core/errors';
import type { PlacedProfile } from '../core/profile';
import type { RequestReport } from '../core/run/model';
import type { AskPort } from './ports';

/** One request to run, and what the editor knows that the disk does not. */
export interface BlockRun extends Pick<AskPort, 'confirm'> {
  /** Absolute path of the request file. */
  readonly file: string;
  /** Any line of the request, zero-based. */
  readonly line: number;
  /** Absolute path of the workspace: where `solana-rpc.json` is looked for and what file names may reach. */
  readonly folder: string;
  /** The text of a file that is open in the editor, by its absolute path. */
  readonly openText: (file: string) => string | undefined;
}

/** What a request came to. Its JSON is text already: the number tokens of one bundle mean nothing to another one. */
export interface BlockAnswer {
  readonly report: Omit<RequestReport, 'request' | 'response' | 'messages'>;
  /** The request's row as `solana-rpc run --json` has it. */
  readonly json: string;
  /** What came back, else why nothing did; indented. */
  readonly body: string;
}

export interface Project {
  /** The endpoint that requests go to unless they name another; its variables as plain JSON. */
  readonly active: PlacedProfile | undefined;
  /** OpenRPC documents that add methods, and the folder that their paths are relative to. */
  readonly schemas: readonly { readonly path: string; readonly folder: string }[];
  /** The variables of the environment that was chosen: a JSON object as text. */
  readonly environment?: string;
  /** Method packs that the project names. */
  readonly packs: readonly string[];
}

export interface EditorHost {
  /** What the configuration of a folder says. */
  project(folder: string): Promise<Result<Project>>;
  /** Runs one request and what it depends on; the answer is that of the request itself. */
  run(block: BlockRun, signal: AbortSignal): Promise<Result<BlockAnswer>>;
}

/** What the built language server exports to the one that starts it. */
export interface ServerBundle {
  /** Serves LSP on stdin and stdout until the editor ends it. */
  serve(host?: EditorHost): void;
}
