// Default settings: for editors without our client, and until our client has sent its own. package.json contributes the
// same defaults (test/package/manifest.test.ts).
import type { ServerSettings } from './lsp';

export const DEFAULT_SETTINGS: ServerSettings = {
  responseInlineBytes: 8_000_000,
  respectPlan: true,
  allowedEnvironment: [],
  inlayHints: { lamports: true, units: true, addresses: true, defaults: false },
};
