// Records pictures of a window: single ones and animated ones, each with the text that it shows, which a test compares
// with the captions. Frames are put together by ffmpeg.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { ATTEMPT_MS, inTime, PATIENCE_MS } from './patience';

/** The entry of a picture in docs/pictures/texts.json. */
export interface RecordedText {
  /** Of the picture's bytes, in hex: a picture that was changed alone is found. */
  readonly sha256: string;
  /** Every line of text that some frame shows, sorted. */
  readonly lines: readonly string[];
  /** Those of the last frame. */
  readonly last: readonly string[];
}

/** The widest animated picture. CSS pixels. */
const WIDTH = 1_200;

/** The pause between two looks at where a thing is. */
const LOOK_EVERY_MS = 100;

type Box = NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>;

const MISSING = 'npm run pictures needs ffmpeg: apt-get install ffmpeg (Debian, Ubuntu), brew install ffmpeg (macOS).';

async function ffmpeg(...args: readonly string[]): Promise<void> {
  const child = spawn('ffmpeg', ['-loglevel', 'error', '-y', ...args], { stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = (await once(child, 'close').catch(() => {
    throw new Error(MISSING);
  })) as [number];
  if (code !== 0) throw new Error(`ffmpeg ended with exit code ${code}.`);
}

/** Rejects with what to install. */
export const requireFfmpeg = (): Promise<void> =>
  ffmpeg('-hide_banner', '-f', 'lavfi', '-i', 'nullsrc', '-frames:v', '1', '-f', 'null', '-');

/** An element that is not displayed yields its whole text, scripts included. */
const TEXT =
  "[...document.body.children].filter((one) => !['SCRIPT', 'STYLE'].includes(one.tagName)).map((one) => one.innerText).join('\\n')";

/** Stands for a place without a name in the path above an editor; in a panel it means that something is being loaded. */
const UNNAMED = '…';

/** The lines of text that a page shows, those of its frames included. */
async function linesOf(page: Page): Promise<readonly string[]> {
  const texts = await Promise.all(
    page.frames().map(async (frame) => {
      const text = await frame.evaluate<string>(TEXT).catch(() => '');
      const lines = text.split('\n').map((line) => line.replaceAll('\u00a0', ' ').trim());
      return lines.filter((line) => line !== '' && (line !== UNNAMED || frame !== page.mainFrame()));
    }),
  );
  return [...new Set(texts.flat())].sort();
}

/** A ring around what is about to be pressed: pictures show no pointer. */
const RING = (x: number, y: number): string => `{
  const ring = document.body.appendChild(document.createElement('div'));
  ring.id = 'picture-ring';
  Object.assign(ring.style, { position: 'fixed', left: '${x - 22}px', top: '${y - 22}px', width: '40px', height: '40px',
    border: '3px solid #ffb000', borderRadius: '50%', zIndex: '100000', pointerEvents: 'none' });
}`;
const NO_RING = "document.querySelector('#picture-ring')?.remove()";

/** One picture in the making: frames taken while the scene runs. */
export class Recording {
  readonly #page: Page;
  readonly #name: string;
  readonly #frames: { readonly png: Buffer; readonly ms: number }[] = [];
  readonly #lines = new Set<string>();
  #last: readonly string[] = [];

  /** @param name of the file in docs/pictures, .png or .gif */
  constructor(page: Page, name: string) {
    this.#page = page;
    this.#name = name;
  }

  /** Takes what the window shows now; it stays for so many milliseconds. */
  async frame(ms: number): Promise<void> {
    this.#frames.push({ png: await this.#page.screenshot(), ms });
    this.#last = await linesOf(this.#page);
    for (const line of this.#last) this.#lines.add(line);
  }

  /** Rings a thing, takes a frame and presses it. */
  async press(target: Locator): Promise<void> {
    const box = await this.#placeOf(target);
    await this.#page.evaluate(RING(box.x + box.width / 2, box.y + box.height / 2));
    await this.frame(900);
    await this.#page.evaluate(NO_RING);
    await target.click();
  }

  /** Where a thing is once two looks in a row agree: lenses are drawn again, and move, while a file is read. */
  async #placeOf(target: Locator): Promise<Box> {
    const deadline = Date.now() + PATIENCE_MS;
    let before: Box | null = null;
    while (Date.now() < deadline) {
      const isThere = await inTime(target.waitFor({ timeout: ATTEMPT_MS }));
      const box = isThere ? await target.boundingBox({ timeout: ATTEMPT_MS }).catch(() => null) : null;
      if (box !== null && before !== null && box.x === before.x && box.y === before.y) return box;
      before = box;
      await setTimeout(LOOK_EVERY_MS);
    }
    throw new Error(`${this.#name}: the element to press does not stop moving.`);
  }

  /** Writes the picture into a folder, and what it shows into its texts.json. */
  async save(folder: string): Promise<void> {
    await mkdir(folder, { recursive: true });
    const file = path.join(folder, this.#name);
    const temporary = await mkdtemp(path.join(os.tmpdir(), 'workbench-picture-'));
    try {
      const frames = this.#frames.map(({ ms }, at) => ({ file: path.join(temporary, `${at}.png`), ms }));
      await Promise.all(frames.map((frame, at) => writeFile(frame.file, this.#frames[at]?.png ?? '')));
      const last = frames.at(-1);
      if (last === undefined) throw new Error(`${this.#name} has no frame.`);
      if (this.#name.endsWith('.png')) await copyFile(last.file, file);
      else {
        const list = path.join(temporary, 'frames.txt');
        const lines = frames.map((frame) => `file '${frame.file}'\nduration ${frame.ms / 1_000}\n`);
        // The duration of the last entry counts only where another one follows.
        await writeFile(list, `${lines.join('')}file '${last.file}'\n`);
        const filter = `scale='min(${WIDTH},iw)':-1:flags=lanczos,split[a][b];[a]palettegen=max_colors=96[p];[b][p]paletteuse=dither=none:diff_mode=rectangle`;
        await ffmpeg('-f', 'concat', '-safe', '0', '-i', list, '-fps_mode', 'vfr', '-vf', filter, '-loop', '0', file);
      }
    } finally {
      await rm(temporary, { recursive: true, force: true });
    }
    const sha256 = createHash('sha256')
      .update(await readFile(file))
      .digest('hex');
    const record = path.join(folder, 'texts.json');
    const before = JSON.parse(await readFile(record, 'utf8').catch(() => '{}')) as Record<string, RecordedText>;
    before[this.#name] = { sha256, lines: [...this.#lines].sort(), last: this.#last };
    await writeFile(record, `${JSON.stringify(before, undefined, 2)}\n`);
  }
}
