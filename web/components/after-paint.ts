/** Runs a task when the browser has painted what was changed before, such as by a press. */
export const afterPaint = (task: () => void): void => {
  requestAnimationFrame(() => setTimeout(task));
};
