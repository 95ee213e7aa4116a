// The page's channel to the extension: requests with their answers, and notifications both ways. One for each page.
import type { FromPage, ToPage, Words } from '../../../protocol/webview';

interface VsCodeApi {
  postMessage(message: FromPage): void;
  getState(): unknown;
  setState(state: unknown): void;
}
declare function acquireVsCodeApi(): VsCodeApi;

export type PageTranslate = (text: string, ...values: readonly (string | number)[]) => string;

/** `Hello`, `Ask`, `Answer`, `Update` and `Command` are the panel's own messages. */
export interface Extension<Ask, Answer, Command> {
  /** Resolves with undefined where the extension refused the question or could not answer it. */
  ask(body: Ask): Promise<Answer | undefined>;
  readonly send: (body: Command) => void;
  /** A text in the user's language; `{0}` is the first value. */
  readonly t: PageTranslate;
  /** The page's state kept over a reload of the window. */
  readonly kept: unknown;
  keep(state: unknown): void;
}

/** Shows the page: made once of what it shows first, and given each update. */
export function connectPage<Hello, Ask, Answer, Update, Command>(
  Page: new (hello: Hello, extension: Extension<Ask, Answer, Command>) => { update(update: Update): void },
): void {
  const api = acquireVsCodeApi();
  const waiting = new Map<number, (body: Answer | undefined) => void>();
  let words: Words = {};
  let nextId = 1;
  let page: InstanceType<typeof Page> | undefined;
  const extension: Extension<Ask, Answer, Command> = {
    ask: (body) =>
      new Promise((resolve) => {
        const id = nextId++;
        waiting.set(id, resolve);
        api.postMessage({ kind: 'ask', id, body });
      }),
    send: (body) => api.postMessage({ kind: 'notify', body }),
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
        page ??= new Page(data.body as Hello, extension);
        break;
      case 'answer':
        settle(data.id, data.body as Answer);
        break;
      case 'refused':
        settle(data.id, undefined);
        break;
      case 'notify':
        page?.update(data.body as Update);
    }
  });
  api.postMessage({ kind: 'ready' });
}
