/**
 * Says on standard error that a list is empty, or cut at its limit: in a terminal nothing at all looks like a failure, and 50
 * lines look like all there are.
 * @param whenEmpty such as `No order matches.`
 * @param isCut whether there are more than `--limit`.
 */
export function reportList(listed: number, isCut: boolean, whenEmpty: string): void {
  if (listed === 0) process.stderr.write(`${whenEmpty}\n`);
  if (isCut)
    process.stderr.write(`There are more: --limit lists more than ${listed.toLocaleString('en-GB')}.\n`);
}
