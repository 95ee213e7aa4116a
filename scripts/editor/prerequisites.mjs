// Prerequisites of the machine: a Chromium-based browser, and the tools that build the editor's native modules.
// Changes the system in one case only: as root where nobody watches (CI=true, or no terminal) it calls apt-get.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { findProgram, isExecutable, runQuietly } from './run.mjs';

const BROWSER_NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge'];
/** Chromium without a window: opens the workbench for about half the work. Debian has it as a package. */
const HEADLESS_SHELL = 'chromium-headless-shell';
const BROWSER_FILES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/**
 * A browser of this machine; the variable CHROME_PATH goes before the usual places.
 * @returns {string | undefined}
 */
function findBrowser() {
  const chosen = process.env['CHROME_PATH'];
  if (chosen !== undefined && isExecutable(chosen)) return chosen;
  for (const name of BROWSER_NAMES) {
    const found = findProgram(name);
    if (found !== undefined) return found;
  }
  return BROWSER_FILES.find(isExecutable);
}

/** The browser that shows the workbench and single pages; the variable CHROME_PATH goes before the lighter one. */
export const findHeadlessBrowser = () =>
  process.env['CHROME_PATH'] === undefined ? (findProgram(HEADLESS_SHELL) ?? findBrowser()) : findBrowser();

/** @typedef {{ readonly name: string, readonly debian: string, readonly present: () => boolean }} Prerequisite */

/** @type {readonly Prerequisite[]} */
const BROWSER = [{ name: 'Chrome, Chromium or Edge', debian: 'chromium', present: () => findBrowser() !== undefined }];

/** @type {readonly Prerequisite[]} */
const COMPILER =
  process.platform === 'win32'
    ? []
    : ['python3', 'make', 'g++'].map((name) => ({
        name,
        debian: name,
        present: () => findProgram(name) !== undefined,
      }));

/**
 * The folder with Node's own headers, for building native modules without a download.
 * @returns {string | undefined} undefined: the build tool fetches the headers by itself
 */
export function headersFolder() {
  const folder = path.dirname(path.dirname(process.execPath));
  return existsSync(path.join(folder, 'include', 'node', 'node_api.h')) ? folder : undefined;
}

/**
 * Makes sure of the browser and, for a first install, of the compiler.
 * @param {{ compiler: boolean, browser: boolean, say: (text: string) => void }} options
 * @returns {Promise<void>} rejects with one sentence that names what is missing
 */
export async function needPrerequisites({ compiler, browser, say }) {
  await needPackages({
    wanted: [...(browser ? BROWSER : []), ...(compiler ? COMPILER : [])],
    what: 'The real editor',
    elsewhere: 'Install it, or name a browser in the variable CHROME_PATH.',
    say,
  });
}

/**
 * Installs the lighter browser where that needs nobody's word. Without it the other one serves.
 * @param {(text: string) => void} say
 */
export async function offerHeadlessShell(say) {
  const wanted = [
    { name: HEADLESS_SHELL, debian: HEADLESS_SHELL, present: () => findProgram(HEADLESS_SHELL) !== undefined },
  ];
  if (!mayInstall()) return;
  await needPackages({ wanted, what: 'The browser of the tests', elsewhere: '', say }).catch(() => undefined);
}

/**
 * Makes sure of programs, installing Debian's packages where that is allowed.
 * @param {object} options
 * @param {readonly Prerequisite[]} options.wanted
 * @param {string} options.what who needs them, as the beginning of a sentence
 * @param {string} options.elsewhere what to do on other systems, a sentence
 * @param {(text: string) => void} options.say
 * @returns {Promise<void>} rejects with one sentence that names what is missing
 */
export async function needPackages({ wanted, what, elsewhere, say }) {
  const missing = wanted.filter((item) => !item.present());
  if (missing.length === 0) return;
  let failure = '';
  if (mayInstall()) {
    const packages = missing.map((item) => item.debian);
    say(`installing system packages with apt-get: ${packages.join(' ')}`);
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    try {
      await runQuietly('apt-get', ['update', '-qq'], { env });
      await runQuietly('apt-get', ['install', '-y', '-qq', ...packages], { env });
      say(`installed ${packages.join(' ')}`);
    } catch (error) {
      failure = ` apt-get could not install it: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
  const still = wanted.filter((item) => !item.present());
  if (still.length > 0) throw new Error(`${missingSentence(still, what, elsewhere)}${failure}`);
}

/** Root on a Debian-like system where nobody watches. A person at a terminal gets the command to run instead. */
function mayInstall() {
  const root = process.getuid?.() === 0;
  const unattended = process.env['CI'] === 'true' || process.stdin.isTTY !== true;
  return root && unattended && findProgram('apt-get') !== undefined;
}

/**
 * @param {readonly Prerequisite[]} missing
 * @param {string} what
 * @param {string} elsewhere
 */
function missingSentence(missing, what, elsewhere) {
  const names = missing.map((item) => item.name).join(', ');
  const packages = missing.map((item) => item.debian).join(' ');
  const command = process.platform === 'linux' ? `Install it with: sudo apt-get install -y ${packages}` : elsewhere;
  return `${what} needs what this machine lacks: ${names}. ${command}`;
}
