// Loaded into every process that runs test files, before them: gives Node the JavaScript of each TypeScript file that
// sources.mjs has made, under the name of its source, limits its tests, and ends the process when the runner is gone.
const { readFileSync } = require('node:fs');
const path = require('node:path');
require('./limits.cjs');

const root = path.join(__dirname, '..', '..');
const folder = process.env.WORKBENCH_TEST_SOURCES ?? '';

// However the runner ended.
process.stdin.on('end', () => process.exit(1)).on('error', () => process.exit(1));
process.stdin.resume();
// The pipe alone must not keep a finished test file running.
process.stdin.unref();

process.setSourceMapsEnabled(true);

/**
 * @param {NodeJS.Module} module
 * @param {string} file
 */
function load(module, file) {
  const compiled = path.join(folder, path.relative(root, file)).replace(/\.ts$/, '.js');
  const text = readFileSync(compiled, 'utf8');
  const code = text.slice(0, text.lastIndexOf('//# sourceMappingURL='));
  // Node reads a map from a relative path, not from a URL.
  const map = path.relative(path.dirname(file), `${compiled}.map`).replaceAll('\\', '/');
  const own = /** @type {{ _compile(code: string, file: string): void }} */ (/** @type {unknown} */ (module));
  own._compile(`${code}//# sourceMappingURL=${map}`, file);
}
require.extensions['.ts'] = load;
