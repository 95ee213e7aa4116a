// Caches V8's compiled code for the next start, if Node can (22.8 and later). Entry points import this file first: it
// affects modules loaded after it.
import module from 'node:module';
import os from 'node:os';
import path from 'node:path';

/** Not in the types of Node 20. */
const { enableCompileCache } = module as { readonly enableCompileCache?: (folder: string) => unknown };

/** In the user's own cache folder: a temporary one is shared, and its files are executed. */
function cacheFolder(): string {
  const { XDG_CACHE_HOME: xdg = '', LOCALAPPDATA: local = '' } = process.env;
  if (process.platform === 'win32' && path.isAbsolute(local)) return local;
  if (process.platform === 'darwin') return path.join(os.homedir(), 'Library', 'Caches');
  return path.isAbsolute(xdg) ? xdg : path.join(os.homedir(), '.cache');
}

// If the folder is not writable, Node reports it in the return value and continues without a cache.
enableCompileCache?.(path.join(cacheFolder(), 'solana-rpc', 'compiled'));
