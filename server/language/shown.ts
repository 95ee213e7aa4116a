// Answers as documents of an editor that has no view for them: files in a private folder that goes with this process,
// one per request, so that a second run takes the place of the first.
import { createHash } from 'node:crypto';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Connection } from 'vscode-languageserver/node';
import { writeWhole } from '../../process/files';
import { temporaryFolder } from '../../process/leftovers';
import type { BlockAnswer } from '../../runner/host';

export class Shown {
  #folder: string | undefined;

  constructor(private readonly connection: Connection) {}

  async show({ report, body }: BlockAnswer): Promise<void> {
    this.#folder ??= temporaryFolder('answers');
    const { file, name, line } = report;
    const id = createHash('sha256')
      .update(`${file}#${name ?? line}`)
      .digest('hex')
      .slice(0, 8);
    const place = path.join(this.#folder, `response-${id}.json`);
    await writeWhole(place, body, { overwrite: true });
    const asked = this.connection.window.showDocument({ uri: pathToFileURL(place).href });
    // An editor that cannot show it says so; the command's own answer has it all.
    await asked.catch(() => undefined);
  }
}
