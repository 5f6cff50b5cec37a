/** In a container the process before this one had the same number. */
export function hasProcessEnded(pid: number): boolean {
  if (pid === process.pid) return true;
  try {
    return !process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EPERM';
  }
}
