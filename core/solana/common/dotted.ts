// Lines of several facts.

/** The texts that are not empty, with a dot between them. */
export const dotted = (texts: readonly string[]): string => texts.filter((text) => text !== '').join(' · ');
