// If root runs the soak, this repeats tests that depend on user privileges as an unprivileged user.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyCheckout, isRoot, type UnprivilegedCheckout } from './unprivileged-checkout.ts'

const FILES = [
  'server/src/sandbox/local/local.test.ts',
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

  test('the sandbox, a verified loop and the embedded database work for an unprivileged user', async () => {
    const report = join(checkout.home, 'report.json')
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    const { printed, ended } = checkout.start('vitest', ['run', ...reporters, ...FILES])
    expect(await ended, printed()).toBe(0)
    const { testResults, numPassedTests } = JSON.parse(readFileSync(report, 'utf8'))
    expect(testResults).toHaveLength(FILES.length)
    expect(numPassedTests).toBeGreaterThan(FILES.length)
    // Tests that need bubblewrap print a line if it is missing.
    for (const [line] of printed().matchAll(/^NOT RUN: .*$/gm)) process.stderr.write(`\n${line}\n`)
  })
} else {
  test('the suite already runs as an unprivileged user', () => expect(isRoot).toBe(false))
}
