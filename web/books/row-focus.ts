/** The focus in a table of books, each row of which has one button, when a row goes with its button. */

type RowButton = HTMLButtonElement | null;

const buttonIn = (row: Element | null | undefined): RowButton => row?.querySelector('button') ?? null;

/** The button of the row below, or of the row above; null when the row is the only one. */
export const buttonBeside = (button: RowButton): RowButton => {
  const row = button?.closest('tr');
  return buttonIn(row?.nextElementSibling ?? row?.previousElementSibling);
};

/** The button of the row above; the same one in the first row. */
export const buttonAbove = (button: HTMLButtonElement): HTMLButtonElement =>
  buttonIn(button.closest('tr')?.previousElementSibling) ?? button;

/** Gives the focus to a button, or, when it is gone, to the heading. */
export const focusOr = (button: RowButton, options?: FocusOptions): void => {
  if (button?.isConnected) button.focus(options);
  else document.querySelector('h1')?.focus({ preventScroll: true });
};
