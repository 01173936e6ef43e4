// Tests that depend on the rights of their user, run once more by one who has none.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyCheckout, isRoot, type UnprivilegedCheckout } from './unprivileged-checkout.ts'

const FILES = [
  'server/src/agent/sandbox/local/local.test.ts',
  'server/src/agent/loop/loop.test.ts',
  'server/src/platform/db/embedded/embedded.test.ts',
  'testkit/harness/scratch-folder.test.ts',
]

if (isRoot) {
  let checkout: UnprivilegedCheckout
  beforeAll(() => {
    checkout = copyCheckout()
  })
  afterAll(() => checkout.remove())

  test('the sandbox, a verified loop and the embedded database work for an ordinary user', async () => {
    const report = join(checkout.home, 'report.json')
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    const { printed, ended } = checkout.start('vitest', ['run', ...reporters, ...FILES])
    expect(await ended, printed()).toBe(0)
    const { testResults, numPassedTests } = JSON.parse(readFileSync(report, 'utf8'))
    expect(testResults).toHaveLength(FILES.length)
    expect(numPassedTests).toBeGreaterThan(FILES.length)
    // Where bubblewrap is missing, the tests that need it say so.
    for (const [line] of printed().matchAll(/^NOT RUN: .*$/gm)) process.stderr.write(`\n${line}\n`)
  })
} else {
  test('an ordinary user runs the whole suite, so nothing is run once more', () => expect(isRoot).toBe(false))
}
