// Checks a page with axe-core for people who use a screen reader, a keyboard or strong contrast.
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';

interface Finding {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[];
}

/** One line for each violation, with the element it is at. Runs outside the page's policy, which lets no script in. */
export async function violations(page: Page): Promise<readonly string[]> {
  const source = await readFile(require.resolve('axe-core/axe.min.js'), 'utf8');
  await page.evaluate(source);
  const { violations: found } = await page.evaluate<{ readonly violations: readonly Finding[] }>(
    "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })",
  );
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${id}: ${help} at ${String(target)} ${failureSummary}`),
  );
}
