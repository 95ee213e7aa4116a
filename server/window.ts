// The server's view of the window: trust, folders, profiles, settings. Enforces I12; decides nothing else.
import type { WindowState } from '../protocol/lsp';
import { DEFAULT_SETTINGS } from '../protocol/settings';
import { failed, invalidRequest, ok, type Result } from '../core/service/errors';

/** Untrusted until the client says otherwise. */
export const UNKNOWN_WINDOW: WindowState = {
  trusted: false,
  folders: [],
  profiles: [],
  endpoint: undefined,
  schemas: [],
  packs: [],
  idls: [],
  settings: DEFAULT_SETTINGS,
};

const NOT_TRUSTED = invalidRequest(
  'This window is not trusted, so nothing is sent from it.',
  'Trust the workspace (command “Workspaces: Manage Workspace Trust”) and send again.',
);

export class Window {
  #state = UNKNOWN_WINDOW;

  get state(): WindowState {
    return this.#state;
  }

  update(state: WindowState): void {
    this.#state = state;
  }

  /** I12: asked before every outgoing request; refuses while the window is not trusted. */
  permit(): Result<void> {
    if (this.#state.trusted) return ok(undefined);
    return failed(NOT_TRUSTED);
  }
}
