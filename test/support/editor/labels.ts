// What a window shows for a fraction of a second: names of rows and items are recorded from before the action that shows them.
import type { Workbench } from './workbench';

/** Names that come, also those that go again before anybody looks. */
const RECORD_LABELS = `(() => {
  const seen = (window.labelsSeen = []);
  const note = (element) => {
    const label = element.getAttribute('aria-label');
    if (label !== null) seen.push(label.replaceAll('\\u00a0', ' '));
  };
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
      if (type === 'attributes') note(target);
      for (const node of addedNodes)
        if (node.nodeType === 1) for (const one of [node, ...node.querySelectorAll('[aria-label]')]) note(one);
    }
  }).observe(document.body, { childList: true, subtree: true, attributeFilter: ['aria-label'] });
})()`;

/** Does something that ends with a sign that all is over, and gives the names that came meanwhile, however short they stayed. */
export async function namesDuring({ page }: Workbench, act: () => Promise<unknown>): Promise<readonly string[]> {
  await page.evaluate(RECORD_LABELS);
  await act();
  return page.evaluate<readonly string[]>('window.labelsSeen');
}

/** Does something, and waits until all of the names were there since, each for however short. */
export async function showsMeanwhile(
  workbench: Workbench,
  names: readonly RegExp[],
  act: () => Promise<unknown>,
): Promise<void> {
  const { page } = workbench;
  await page.evaluate(RECORD_LABELS);
  await act();
  await workbench.until(`${names.join(' and ')} were shown`, async () => {
    const seen: readonly string[] = await page.evaluate('window.labelsSeen');
    return names.every((name) => seen.some((label) => name.test(label))) ? true : undefined;
  });
}
