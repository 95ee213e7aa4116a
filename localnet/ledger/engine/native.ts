// Loads LiteSVM's native class. Its package's front door pulls in @solana/kit; the inner module does not.
import type * as LiteSvmModule from 'litesvm/dist/internal';
import { EngineUnavailableError } from '../errors';

export type Native = typeof LiteSvmModule;

/** Rejects with EngineUnavailableError where LiteSVM has no binary: Windows, and Linux or macOS on rarer machines. */
export async function loadNative(): Promise<Native> {
  try {
    // A CommonJS module: its exports are the default of the import.
    const loaded = (await import('litesvm/dist/internal.js')) as unknown as { readonly default: Native };
    return loaded.default;
  } catch {
    throw new EngineUnavailableError(missingEngine(process.platform, process.arch));
  }
}

/** The sentence for a machine without the engine. */
export function missingEngine(platform: string, arch: string): string {
  if (platform === 'win32')
    return 'The local service cannot run on Windows itself: its ledger engine (LiteSVM) has no Windows build. Run it in WSL or on another machine; everything else works here.';
  return `The local service cannot run here: its ledger engine (LiteSVM) has no build for ${platform}-${arch}, or it is not installed. Run it on another machine; everything else works here.`;
}
