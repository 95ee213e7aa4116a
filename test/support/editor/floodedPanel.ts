// A stream's panel in the real editor under a flood of updates, while a person types in a request file; and what must hold
// of it.
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { RING_LIMITS } from '../../../runner/streams/bounds';
import { descendantsOf, residentBytes } from '../process/processes';
import type { Flood } from '../wire/flood';
import type { Editor } from './editor';
import { wholeText } from './wholeText';
import type { Workbench } from './workbench';

/** Of a flood and of somebody who types meanwhile; `url` is the service's. */
export const floodFiles = (url: string): Readonly<Record<string, string>> => ({
  'flood.jsonrpc': `### Flood\nGRPC ${url}/geyser.Geyser/Subscribe\n\n{ "slots": { "all": {} } }\n`,
  'typed.jsonrpc': '### Typed\n\n',
});

interface FloodSeen {
  readonly sent: number;
  readonly perSecond: number;
  /** As the panel says. */
  readonly counted: number;
  readonly dropped: number;
  /** Messages to the page that announce new updates. */
  readonly ticks: number;
  readonly ticksPerSecond: number;
  /** Lists of completions that appeared meanwhile. */
  readonly completions: number;
  /** Bytes by which the language server grew at the most after its ring was full and its code warm. */
  readonly growth: number;
}

const MB = 1024 * 1024;
/** The ring is full and the code is warm after so many updates. */
const WARM = 5 * RING_LIMITS.rows;
/** Allowance for garbage that is not yet collected. */
const GROWTH = 64 * MB;
const TICKS_PER_SECOND = 10;
/** A tick covers more updates than this, at any pace that a flood has. */
const UPDATES_PER_TICK = 10;

/** In the page of the panel. */
const COUNT_TICKS = `(() => {
  window.ticks = 0;
  addEventListener('message', ({ data }) => {
    if (data.kind === 'notify' && data.body.kind === 'tick') window.ticks++;
  });
})()`;

/** Watches until so many updates were sent, where the server is weighed until it is warm as well, and then until all came. */
export async function watchFlood(
  { workbench }: Editor,
  flood: Flood,
  { enough, isWeighed }: { readonly enough: number; readonly isWeighed: boolean },
): Promise<FloodSeen> {
  const { page } = workbench;
  await workbench.openFile('flood.jsonrpc');
  await workbench.lensAction('Watch').click();
  await workbench.tab('Flood').waitFor();
  const panel = workbench.webview();
  await panel.locator('.state-words', { hasText: /^Live$/ }).waitFor();
  await panel.locator('body').evaluate(COUNT_TICKS);
  await workbench.openFile('typed.jsonrpc');
  await workbench
    .editor('typed.jsonrpc')
    .locator('.view-line', { hasText: /^###\sTyped/ })
    .first()
    .click();
  await page.keyboard.press('End');
  const measured: number[] = [];
  let completions = 0;
  const since = performance.now();
  flood.pour();
  do {
    await page.keyboard.press('Enter');
    await page.keyboard.type('{ "method": "getB');
    await page.keyboard.press('Control+Space');
    const list = page.locator('.suggest-widget').getByRole('option', { name: /^getBalance/ });
    await list.first().waitFor();
    completions++;
    await page.keyboard.press('Escape');
    // The line goes again, and the cursor back to where it was.
    await page.keyboard.press('Control+Shift+K');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('End');
    if (isWeighed && flood.sent() >= WARM) measured.push(serverBytes());
  } while (flood.sent() < enough || (isWeighed && measured.length < 2));
  const growth = Math.max(0, ...measured) - (measured[0] ?? 0);
  const perSecond = flood.sent() / (flood.lastedMs() / 1_000);
  const sent = flood.hold();
  const counter = (label: string): Locator => counterOf(workbench, label);
  await counter('Updates')
    .filter({ hasText: wholeText(sent.toLocaleString('en')) })
    .waitFor();
  const numberIn = async (label: string): Promise<number> =>
    Number(((await counter(label).textContent()) ?? '').replace(/\D/g, ''));
  const [counted, dropped] = [await numberIn('Updates'), await numberIn('Dropped')];
  const ticks = Number(await panel.locator('body').evaluate('window.ticks'));
  const ticksPerSecond = ticks / ((performance.now() - since) / 1_000);
  return { sent, perSecond, counted, dropped, ticks, ticksPerSecond, completions, growth };
}

/** The number of a counter in the panel of a stream, by its label. */
export const counterOf = (workbench: Workbench, label: string): Locator =>
  workbench
    .webview()
    .locator('.counters > div')
    .filter({ has: workbench.page.getByText(label, { exact: true }) })
    .locator('dd');

/** Failures that do not depend on the machine, a sentence each: counts alone. */
export function miscounts({ sent, counted, dropped, ticks, completions }: FloodSeen): readonly string[] {
  const kept = Math.min(sent, RING_LIMITS.rows);
  return [
    ...(counted === sent ? [] : [`${counted} of ${sent} updates were counted`]),
    ...(dropped === sent - kept ? [] : [`${dropped} updates were counted as dropped, not ${sent - kept}`]),
    ...(ticks > 0 ? [] : ['the panel got no tick']),
    ...(ticks * UPDATES_PER_TICK < sent ? [] : [`${ticks} ticks for ${sent} updates`]),
    ...(completions > 0 ? [] : ['nothing was typed meanwhile']),
  ];
}

/** Bounds of pace and memory that were missed, a sentence each: a long run that is alone on its machine keeps to them. */
export function missedBy({ ticksPerSecond, growth }: FloodSeen): readonly string[] {
  return [
    ...(ticksPerSecond <= TICKS_PER_SECOND + 1
      ? []
      : [`${ticksPerSecond.toFixed(1)} ticks a second, more than ${TICKS_PER_SECOND}`]),
    ...(growth <= GROWTH ? [] : [`the language server grew by ${Math.round(growth / MB)} MB`]),
  ];
}

/** Resident bytes of the one language server that descends from this process. */
function serverBytes(): number {
  const servers = descendantsOf(process.pid).filter(({ cmdline }) => cmdline.endsWith(path.join('dist', 'server.js')));
  const [bytes] = servers.map(({ pid }) => residentBytes(pid));
  if (bytes === undefined || servers.length !== 1) throw new Error(`${servers.length} language servers run.`);
  return bytes;
}
