// Parts of a whole in words: exact enough to compare, never a nought for something that happened.

const language = (): string => document.documentElement.lang || 'en';

export function shareText(part: number, whole: number): string {
  if (part === 0 || whole === 0) return '0 %';
  const percent = (100 * part) / whole;
  if (percent < 0.1) return `< ${(0.1).toLocaleString(language())} %`;
  return `${percent.toLocaleString(language(), { maximumFractionDigits: 1 })} %`;
}
