// The interface of the process that starts the language server for another editor: it provides the terminal's endpoints
// and runs requests. The server passes in the open texts and the prompts; it has no keys itself.
import type { Result } from '../core/service/errors';
import type { PlacedProfile } from '../core/service/profiles/profile';
import type { RequestReport } from '../core/requests/run/model';
import type { AskPort } from './ports';

/** One request to run, with the editor's unsaved texts. */
export interface BlockRun extends Pick<AskPort, 'confirm'> {
  /** Absolute path of the request file. */
  readonly file: string;
  /** Any line of the request, zero-based. */
  readonly line: number;
  /** Absolute path of the workspace: contains `solana-rpc.json`, and bounds file names. */
  readonly folder: string;
  /** The text of a file that is open in the editor, by its absolute path. */
  readonly openText: (file: string) => string | undefined;
}

/** The outcome of a request. Its JSON is already text: number tokens are not shared between bundles. */
export interface BlockAnswer {
  readonly report: Omit<RequestReport, 'request' | 'response' | 'messages'>;
  /** The request's row as `solana-rpc run --json` has it. */
  readonly json: string;
  /** The response, else the error; indented. */
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
  /** Reads the configuration of a folder. */
  project(folder: string): Promise<Result<Project>>;
  /** Runs one request after its dependencies; returns its own answer. */
  run(block: BlockRun, signal: AbortSignal): Promise<Result<BlockAnswer>>;
}

/** The exports of the built language server for its launcher. */
export interface ServerBundle {
  /** Serves LSP on stdin and stdout until the editor ends it. */
  serve(host?: EditorHost): void;
}
