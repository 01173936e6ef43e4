export type Report = { numPassedTests?: number; numFailedTests?: number }
/** What `npm test` says last, and whether it was a success. */
export function summaryOf(
  report: Report | null,
  failedBands: readonly string[],
): { isGood: boolean; text: string }
