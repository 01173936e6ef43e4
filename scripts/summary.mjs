// The last lines of `npm test`: the failed steps and the number of passed and failed tests.

/** `report` is vitest's report, or null if it wrote none. `failedBands` are the names of failed steps. */
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
