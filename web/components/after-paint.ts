/** Runs a task when the browser has painted what a press has changed. */
export const afterPaint = (task: () => void): void => {
  requestAnimationFrame(() => setTimeout(task));
};
