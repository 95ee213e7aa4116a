// Runs several test files in one process, one after the other, each as a suite that has its name: what a file does before
// and after its tests stays its own. The process and the libraries are loaded once for all.
const path = require('node:path');
const { describe } = require('node:test');
const { fileBegins } = require('./limits.cjs');

for (const file of process.argv.slice(2))
  void describe(file, () => {
    fileBegins(file);
    require(path.resolve(file));
  });
