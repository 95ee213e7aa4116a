// The page's way to the extension: questions with their answers, and what is told. One for each page.
import type { FromPage, ToPage, Words } from '../../../protocol/webview';

interface VsCodeApi {
  postMessage(message: FromPage): void;
  getState(): unknown;
  setState(state: unknown): void;
}
declare function acquireVsCodeApi(): VsCodeApi;

export type Translate = (text: string, ...values: readonly (string | number)[]) => string;

/** `Hello`, `Ask`, `Answer`, `Told` and `Tell` are the panel's own messages. */
export interface Extension<Ask, Answer, Tell> {
  /** Resolves with undefined where the extension refused the question or could not answer it. */
  ask(body: Ask): Promise<Answer | undefined>;
  readonly tell: (body: Tell) => void;
  /** A text in the user's language; `{0}` stands for the first value. */
  readonly t: Translate;
  /** What the page kept over a reload of the window. */
  readonly kept: unknown;
  keep(state: unknown): void;
}

/** Calls `start` once with what the page shows first, then `onTold` with whatever the extension tells. */
export function connect<Hello, Ask, Answer, Told, Tell>(
  start: (hello: Hello, extension: Extension<Ask, Answer, Tell>) => (told: Told) => void,
): void {
  const api = acquireVsCodeApi();
  const waiting = new Map<number, (body: Answer | undefined) => void>();
  let words: Words = {};
  let nextId = 1;
  let onTold: ((told: Told) => void) | undefined;
  const extension: Extension<Ask, Answer, Tell> = {
    ask: (body) =>
      new Promise((resolve) => {
        const id = nextId++;
        waiting.set(id, resolve);
        api.postMessage({ kind: 'ask', id, body });
      }),
    tell: (body) => api.postMessage({ kind: 'tell', body }),
    t: (text, ...values) =>
      (words[text] ?? text).replace(/\{(\d+)\}/g, (whole, index: string) => String(values[Number(index)] ?? whole)),
    kept: api.getState(),
    keep: (state) => api.setState(state),
  };
  const settle = (id: number, body: Answer | undefined): void => {
    waiting.get(id)?.(body);
    waiting.delete(id);
  };
  window.addEventListener('message', ({ data }: MessageEvent<ToPage>) => {
    switch (data.kind) {
      case 'hello':
        words = data.words;
        onTold ??= start(data.body as Hello, extension);
        break;
      case 'answer':
        settle(data.id, data.body as Answer);
        break;
      case 'refused':
        settle(data.id, undefined);
        break;
      case 'tell':
        onTold?.(data.body as Told);
    }
  });
  api.postMessage({ kind: 'ready' });
}
