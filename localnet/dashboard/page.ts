// GET /dashboard.
import type { Answer } from '../http/answer';

export function dashboard(): Answer {
  return { status: 200, contentType: 'text/html', body: '' };
}
