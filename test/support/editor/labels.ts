// Records names of rows and items that a window shows for a fraction of a second; starts before the action that shows them.
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

const labelsSeen = ({ page }: Workbench): Promise<readonly string[]> => page.evaluate('window.labelsSeen');

/** Does something that ends with a sign that all is over, and gives the names that came meanwhile, however short they stayed. */
export async function namesDuring(workbench: Workbench, act: () => Promise<unknown>): Promise<readonly string[]> {
  await workbench.page.evaluate(RECORD_LABELS);
  await act();
  return labelsSeen(workbench);
}

/** Does something, and waits until all of the names were there since, each for however short. */
export async function showsMeanwhile(
  workbench: Workbench,
  names: readonly RegExp[],
  act: () => Promise<unknown>,
): Promise<void> {
  await namesDuring(workbench, act);
  await workbench.until(`${names.join(' and ')} were shown`, async () => {
    const seen = await labelsSeen(workbench);
    return names.every((name) => seen.some((label) => name.test(label))) ? true : undefined;
  });
}
