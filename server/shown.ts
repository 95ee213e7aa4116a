// Answers as documents of an editor that has no view for them: files in a private folder that goes with this process,
// one per request, so that a second run takes the place of the first.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ShowDocumentRequest, type Connection } from './lsp';
import type { BlockAnswer } from '../runner/host';

export class Shown {
  #folder: string | undefined;

  constructor(private readonly connection: Connection) {}

  async show({ report, body }: BlockAnswer): Promise<void> {
    this.#folder ??= privateFolder();
    const { file, name, line } = report;
    const id = createHash('sha256')
      .update(`${file}#${name ?? line}`)
      .digest('hex')
      .slice(0, 8);
    const place = path.join(this.#folder, `response-${id}.json`);
    await writeFile(`${place}.part`, body, { mode: 0o600 });
    await rename(`${place}.part`, place);
    const asked = this.connection.sendRequest(ShowDocumentRequest.type, { uri: pathToFileURL(place).href });
    // An editor that cannot show it says so; the command's own answer has it all.
    await asked.catch(() => undefined);
  }
}

function privateFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'solana-rpc-answers-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
