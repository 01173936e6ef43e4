// Tests that depend on the rights of their user, run once more by one who has none.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isSoak } from '../server/test/soak.ts'
import { copyCheckout, isRoot, type OrdinaryCheckout } from './ordinary-checkout.ts'

const FILES = [
  'server/src/agent/sandbox/local.test.ts',
  'server/src/agent/loop/loop.test.ts',
  'server/src/platform/db/embedded/embedded.test.ts',
  'server/test/memory-folder.test.ts',
]

/** What depends on the rights of the user; the soak runs the files whole. */
const NAMES = [
  'the local sandbox a command (runs on its files|can serve and ask itself|with a path that leads elsewhere)',
  'the local sandbox a run without a control group',
  'the local sandbox the test of the sandbox itself passes here',
  'without its tools there is no sandbox',
  'a loop turns a failing test into a passing one',
  'a first start makes a cluster',
  'of several processes that start at once exactly one owns',
  'a folder below one that only its owner may enter',
  'what a dead run of this user left',
  'a leftover that cannot be deleted',
]

if (isRoot) {
  let checkout: OrdinaryCheckout
  beforeAll(() => {
    checkout = copyCheckout()
  })
  afterAll(() => checkout.remove())

  test('the sandbox, a verified loop and the embedded database work for an ordinary user', async () => {
    const report = join(checkout.home, 'report.json')
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    const only = isSoak ? [] : ['-t', NAMES.join('|')]
    const { printed, ended } = checkout.start('vitest', ['run', ...reporters, ...only, ...FILES])
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
