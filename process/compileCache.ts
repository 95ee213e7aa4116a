// Keeps what V8 compiled of the product's files for the next start, where Node can (22.8 and later). Entries import this
// file first: it concerns what is loaded after it.
import module from 'node:module';
import os from 'node:os';
import path from 'node:path';

/** Not in the types of Node 20. */
const { enableCompileCache } = module as { readonly enableCompileCache?: (folder: string) => unknown };

/** In the user's own cache folder: a temporary one is shared, and what lies in it is run. */
function cacheFolder(): string {
  const { XDG_CACHE_HOME: xdg = '', LOCALAPPDATA: local = '' } = process.env;
  if (process.platform === 'win32' && path.isAbsolute(local)) return local;
  if (process.platform === 'darwin') return path.join(os.homedir(), 'Library', 'Caches');
  return path.isAbsolute(xdg) ? xdg : path.join(os.homedir(), '.cache');
}

// Where the folder cannot be written, Node says so in its answer and goes on without.
enableCompileCache?.(path.join(cacheFolder(), 'solana-rpc', 'compiled'));
