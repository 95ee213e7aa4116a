// The messages that a raw stream has passed on, as copies, and a way to wait for them.
import type { RawOptions } from '../../../net/api';

export class Taken {
  readonly messages: Buffer[] = [];
  #wake = (): void => undefined;
  readonly take: RawOptions['take'] = (bytes, start, end) => {
    this.messages.push(Buffer.from(bytes.subarray(start, end)));
    this.#wake();
  };

  async until(holds: (messages: readonly Buffer[]) => boolean): Promise<void> {
    while (!holds(this.messages)) await new Promise<void>((resolve) => (this.#wake = resolve));
  }
}
