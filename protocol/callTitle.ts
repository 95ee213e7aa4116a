// The title of a call, on the page and elsewhere. Separate from the messages: pages bundle none of the protocol packages.
import type { CallView } from './explain';

export const callTitle = ({ title, name }: Pick<CallView, 'title' | 'name'>): string =>
  name === undefined ? title : `${title}: ${name}`;
