/** The result of a check. The list is bounded: a damaged index can have a fault for each book. */
export type Finding = {
  name: string;
  checked: string;
  faults: readonly string[];
  faultCount: number;
};

const maxFaults = 20;

export function collectFaults() {
  const faults: string[] = [];
  let faultCount = 0;
  return {
    add(...more: readonly string[]): void {
      faultCount += more.length;
      faults.push(...more.slice(0, maxFaults - faults.length));
    },
    finding: (name: string, checked: string): Finding => ({ name, checked, faults, faultCount }),
  };
}
