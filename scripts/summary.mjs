// The last lines of `npm test`: what failed, and how many tests passed and failed. Where no test ran, that is said.

/** `report` is what vitest wrote, or null where it wrote nothing; `failedBands` are the names of what failed. */
export function summaryOf(report, failedBands) {
  const { numPassedTests: passed = 0, numFailedTests: failed = 0 } = report ?? {}
  const isGood = failedBands.length === 0 && failed === 0 && passed > 0
  const lines = [
    ...(passed + failed === 0 ? ['No test ran. The first error under "— tests —" says why.'] : []),
    ...(failedBands.length > 0 ? [`Failed: ${failedBands.join(', ')}`] : []),
    `${passed} passed, ${failed} failed`,
  ]
  return { isGood, text: lines.join('\n') }
}
