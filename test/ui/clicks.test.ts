// How far a newcomer gets with how many clicks, from a window without a folder: every click of the mouse and every key is
// counted in the window itself and in the tour's page.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { testEditor } from '../support/editor/editor';
import { statusSays } from '../support/editor/statusMessages';
import { TourView } from '../support/editor/tourView';
import type { Workbench } from '../support/editor/workbench';
import { prepare } from '../support/shared';

/** A key costs as much as a click. */
const COUNT = `for (const kind of ["mousedown", "keydown"])
  addEventListener(kind, () => { globalThis.clicks = (globalThis.clicks ?? 0) + 1; }, true)`;

describe('the way from an empty window', () => {
  const editor = testEditor({ size: { width: 1280, height: 800 } });
  let workbench: Workbench;
  let tour: TourView;
  prepare(async () => {
    await editor.workbench.page.close();
    workbench = await editor.openWindow({ isEmpty: true });
    tour = new TourView(workbench);
    await workbench.page.evaluate(COUNT);
  });

  /** Of the window and of its pages, which do not hear of each other's. */
  const clicks = async (): Promise<number> => {
    const counts = await Promise.all(
      workbench.page.frames().map((frame) => frame.evaluate<number>('globalThis.clicks ?? 0')),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  };

  test('takes three clicks to the first answer', async () => {
    await workbench.page
      .locator('[id="workbench.parts.activitybar"]')
      .getByRole('tab', { name: 'Solana RPC', exact: true })
      .click();
    await workbench.button('Start Tour').click();
    await tour.tick('Start the local service').waitFor();
    await tour.heading.evaluate(COUNT);
    await workbench.lensAction('Send').first().click();
    await workbench.waitForText('balance.json', /"value": \d+/);
    await tour.opened('Land a transaction').waitFor();
    await workbench.screenshot('clicks-1-answer');
    assert.equal(await clicks(), 3);
  });

  test('takes four clicks until a transaction has landed', async () => {
    await statusSays(workbench, /^(\d+) of \1 requests passed/, () => tour.button('Send the Whole Sample').click());
    await tour.opened('Watch it live').waitFor();
    await workbench.screenshot('clicks-2-landed');
    assert.equal(await clicks(), 4);
  });

  test('takes five clicks to a live stream', async () => {
    await tour.button('Watch the Wallet').click();
    await workbench.treeItem('Streams', /^[^,]+, Live/).waitFor();
    await tour.opened('Read your usage').waitFor();
    await workbench.screenshot('clicks-3-live');
    assert.equal(await clicks(), 5);
  });

  test('takes six clicks to the usage', async () => {
    await tour.button('Load Usage').click();
    await workbench.treeItem('Usage', /^Account, \d+/).waitFor();
    await tour.opened('Add your own endpoint').waitFor();
    await workbench.screenshot('clicks-4-usage');
    assert.equal(await clicks(), 6);
  });

  test('nothing left this machine', () => {
    assert.deepEqual(editor.strayRequests, []);
  });
});
