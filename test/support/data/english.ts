/** `vscode.l10n.t` for English. */
export const english = (text: string, ...values: readonly (string | number)[]): string =>
  text.replace(/\{(\d+)\}/g, (_, index: string) => String(values[Number(index)]));
