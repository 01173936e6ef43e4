export type Report = { numPassedTests?: number; numFailedTests?: number }
/** The last lines of `npm test`, and whether it succeeded. */
export function summaryOf(
  report: Report | null,
  failedBands: readonly string[],
): { isGood: boolean; text: string }
