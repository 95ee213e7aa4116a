// A box that a button opens and closes. Opened, its first field has the focus; Escape closes it.
import { button, setAttributes } from './dom';

export class Disclosure {
  readonly toggle: HTMLButtonElement;

  /** The box has an id. */
  constructor(
    label: string,
    private readonly box: HTMLElement,
  ) {
    const controls = { 'aria-expanded': 'false', 'aria-controls': box.id };
    this.toggle = button(label, () => this.open(box.hidden === true), controls);
    box.hidden = true;
    box.addEventListener('keydown', ({ key }) => {
      if (key !== 'Escape') return;
      this.open(false);
      this.toggle.focus();
    });
  }

  open(isOpen: boolean): void {
    this.box.hidden = !isOpen;
    setAttributes(this.toggle, { 'aria-expanded': String(isOpen) });
    if (isOpen) this.box.querySelector<HTMLElement>('input, select')?.focus();
  }
}
