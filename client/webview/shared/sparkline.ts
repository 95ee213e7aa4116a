// The last minute of a rate as a small line. Steps once a second, or every five where motion is not wanted.
import { drawing, setAttributes, wantsCalm } from './dom';

const SECONDS = 60;
const WIDTH = 120;
const HEIGHT = 24;
const CALM_SECONDS = 5;

export class Sparkline {
  readonly element: SVGSVGElement;
  readonly #line: SVGPolylineElement;
  readonly #samples: number[] = [];
  #sinceDrawn = 0;

  constructor(private readonly label: (now: number, most: number) => string) {
    this.#line = drawing('polyline', { class: 'sparkline-line', fill: 'none' });
    this.element = drawing(
      'svg',
      { class: 'sparkline', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': label(0, 0) },
      this.#line,
    );
  }

  /** The rate of the second that passed. */
  add(rate: number): void {
    this.#samples.push(rate);
    if (this.#samples.length > SECONDS) this.#samples.shift();
    this.#sinceDrawn++;
    if (this.#sinceDrawn >= (wantsCalm() ? CALM_SECONDS : 1)) this.#draw();
  }

  #draw(): void {
    this.#sinceDrawn = 0;
    const most = Math.max(...this.#samples);
    const top = Math.max(1, most);
    const left = SECONDS - this.#samples.length;
    const points = this.#samples.map((rate, at) => {
      const x = ((left + at) / (SECONDS - 1)) * WIDTH;
      const y = HEIGHT - 2 - (rate / top) * (HEIGHT - 4);
      return `${x.toFixed(1)},${y.toFixed(1)}`;
    });
    setAttributes(this.#line, { points: points.join(' ') });
    setAttributes(this.element, { 'aria-label': this.label(this.#samples.at(-1) ?? 0, most) });
  }
}
