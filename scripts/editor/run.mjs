// Runs commands for the scripts and finds programs on the PATH. Every child ends with its parent's interrupt.
import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * The path of a program on the PATH.
 * @param {string} name
 * @returns {string | undefined}
 */
export function findProgram(name) {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', '.bat'] : [''];
  for (const folder of (process.env['PATH'] ?? '').split(path.delimiter)) {
    for (const ending of endings) {
      const file = path.join(folder, name + ending);
      if (isExecutable(file)) return file;
    }
  }
  return undefined;
}

/** @param {string} file */
export function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * Runs a command to its end, silently.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<void>} rejects with the last lines of its output when it fails
 */
export function runQuietly(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // Windows starts scripts through a shell only; that would take the arguments of programs apart.
      shell: process.platform === 'win32' && /\.(?:cmd|bat)$/i.test(command),
    });
    let tail = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        tail = (tail + String(chunk)).slice(-4000);
      });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`${command} ${args.join(' ')}: ended with ${signal ?? String(code)}\n${tail.trim()}`));
    });
  });
}

/**
 * True for the file that `node` was started with.
 * @param {string} url a module's `import.meta.url`
 */
export const isMain = (url) => process.argv[1] !== undefined && url === pathToFileURL(process.argv[1]).href;

/**
 * The end of a script: a failure is one message and exit code 1.
 * @param {Promise<unknown>} work
 */
export function endWith(work) {
  work.catch((error) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
}
