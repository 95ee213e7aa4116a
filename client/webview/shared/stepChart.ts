// A value over time as steps: each holds until the next update. Drawn from exact numbers; a table has the same numbers, and the
// chart's label refers to it.
import { div, drawing, element, setAttributes } from './dom';

export interface ChartPoint {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly value: bigint;
  /** The value before it is unknown. */
  readonly isBroken: boolean;
}

export interface StepChartOptions {
  readonly title: string;
  /** A value with its unit. */
  readonly text: (value: bigint) => string;
  readonly time: (ms: number) => string;
  /** The text for screen readers: lowest, highest, newest. */
  readonly label: (least: string, most: string, now: string) => string;
}

const WIDTH = 600;
const HEIGHT = 120;
const MARGIN = 6;
/** Steps of the vertical scale: enough for a pixel each, and exact where bigints are divided. */
const SCALE = 10_000n;

export class StepChart {
  readonly element: HTMLElement;
  readonly #svg: SVGSVGElement;
  readonly #line = drawing('path', { class: 'chart-line', fill: 'none' });
  readonly #area = drawing('path', { class: 'chart-area' });
  readonly #most = element('span');
  readonly #least = element('span');
  readonly #from = element('span');
  readonly #to = element('span');

  constructor(private readonly options: StepChartOptions) {
    const size = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none' };
    this.#svg = drawing('svg', { ...size, role: 'img', 'aria-label': options.title }, this.#area, this.#line);
    const scale = div('chart-scale column mono', this.#most, this.#least);
    const times = div('chart-times quiet', this.#from, this.#to);
    this.element = element(
      'figure',
      { class: 'chart', hidden: true },
      element('figcaption', { class: 'strong' }, options.title),
      div('chart-frame', this.#svg, scale),
      times,
    );
  }

  /** Oldest first. Hidden while there is nothing to draw. */
  draw(points: readonly ChartPoint[]): void {
    const first = points[0];
    const last = points.at(-1);
    this.element.hidden = first === undefined;
    if (first === undefined || last === undefined) return;
    let least = first.value;
    let most = first.value;
    for (const { value } of points) {
      if (value < least) least = value;
      if (value > most) most = value;
    }
    const span = most - least;
    const duration = Math.max(1, last.time - first.time);
    const x = (time: number): number => ((time - first.time) / duration) * WIDTH;
    const y = (value: bigint): number => {
      const part = span === 0n ? 0.5 : Number(((value - least) * SCALE) / span) / Number(SCALE);
      return HEIGHT - MARGIN - part * (HEIGHT - 2 * MARGIN);
    };
    const place = (at: number): string => at.toFixed(1);
    let line = `M0 ${place(y(first.value))}`;
    let area = `M0 ${HEIGHT} V${place(y(first.value))}`;
    for (const { time, value, isBroken } of points.slice(1)) {
      line += isBroken ? `M${place(x(time))} ${place(y(value))}` : `H${place(x(time))} V${place(y(value))}`;
      area += `H${place(x(time))} V${place(y(value))}`;
    }
    // One update alone is a level line.
    if (points.length === 1) line += `H${WIDTH}`;
    setAttributes(this.#line, { d: line });
    setAttributes(this.#area, { d: `${area} H${WIDTH} V${HEIGHT} Z` });
    const { text, time, label } = this.options;
    this.#most.textContent = text(most);
    this.#least.textContent = span === 0n ? '' : text(least);
    this.#from.textContent = time(first.time);
    this.#to.textContent = time(last.time);
    setAttributes(this.#svg, { 'aria-label': label(text(least), text(most), text(last.value)) });
  }
}
