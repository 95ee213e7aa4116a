// One first validation in a separate process: `ours` or `peer` with the folder of the peers. Prints its milliseconds,
// without those of loading the code.
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseDocument } from '../../core/requests/document/document';
import { createLanguageService } from '../../core/requests/language/service';
import { jsonPeer, type JsonPeer } from '../jsonPeer';
import { requestArray, requestFile } from '../requests';

const [who, count, folder = ''] = process.argv.slice(2);

function work(): () => unknown {
  if (who === 'ours') {
    const service = createLanguageService({ surroundings: () => ({}), log: (line) => process.stderr.write(line) });
    const text = requestFile(Number(count), false);
    return () => service.diagnostics(parseDocument('file:///bench/large.jsonrpc', 1, text));
  }
  const module = createRequire(path.join(folder, 'package.json'))('vscode-json-languageservice') as JsonPeer;
  return jsonPeer(module, requestArray(Number(count)));
}

const validate = work();
const since = performance.now();
void Promise.resolve(validate()).then(() => process.stdout.write(String(performance.now() - since)));
