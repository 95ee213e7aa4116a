// How a call is named on the page.
import type { CallView } from '../../../protocol/explain';

export const callTitle = ({ title, name }: CallView): string => (name === undefined ? title : `${title}: ${name}`);
