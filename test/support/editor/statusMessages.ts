// Status bar messages of a few seconds: every window records them, since they may be gone when a test looks for them.
import type { Workbench } from './workbench';

/** In each window before its own scripts. A text is recorded when it appears, not while it stays. */
export const RECORD_STATUS = `(() => {
  if (window !== window.top) return;
  const said = (window.saidByStatusBar = []);
  let shown = new Map();
  const record = (bar) => {
    const items = [...bar.querySelectorAll('.statusbar-item')];
    const now = new Map(items.map(({ id, textContent }) => [id, textContent.replaceAll('\\u00a0', ' ').trim()]));
    for (const [id, text] of now) if (text !== '' && shown.get(id) !== text) said.push(text);
    shown = now;
  };
  const search = new MutationObserver(() => {
    const bar = document.getElementById('workbench.parts.statusbar');
    if (bar === null) return;
    search.disconnect();
    new MutationObserver(() => record(bar)).observe(bar, { childList: true, subtree: true, characterData: true });
    record(bar);
  });
  search.observe(document, { childList: true, subtree: true });
})()`;

/** Does something, and waits until the status bar has said the words since, whether or not it still does. */
export async function statusSays(workbench: Workbench, words: RegExp, act: () => Promise<unknown>): Promise<void> {
  const said = (): Promise<readonly string[]> => workbench.page.evaluate('window.saidByStatusBar');
  const before = (await said()).length;
  await act();
  await workbench.until(`the status bar says ${words.source}`, async () =>
    (await said()).slice(before).some((text) => words.test(text)) ? true : undefined,
  );
}
