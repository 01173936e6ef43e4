// Every file is scanned or named as not reviewed, whatever it is called.

import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { rounds } from '@cowrie/testkit/harness/soak.ts'
import {
  COMMON_PATHS,
  diffAdding,
  FAULTS,
  type FaultyFile,
  fileTrees,
} from '@cowrie/testkit/review/faulty-files.ts'
import { type ReviewWorld, startReviewWorld } from '@cowrie/testkit/review/review-world.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let world: ReviewWorld
let ada: Person
beforeAll(async () => {
  world = await startReviewWorld()
  ada = await world.server.person()
})
afterAll(() => world.close())

type Report = {
  findings: { path: string; severity: string }[]
  skipped: { path: string; reason: string }[]
  summary: { files: number }
}
async function scan(body: object): Promise<Report> {
  const {
    status,
    body: report,
    text,
  } = await world.server.call<Report>('POST', '/review/scan', { as: ada, body })
  expect(status, text).toBe(200)
  return report
}

/** Files that are neither reported nor named. */
const unseen = (
  files: readonly FaultyFile[],
  { findings, skipped }: Pick<Report, 'findings' | 'skipped'>,
) => {
  const named = new Set([...findings, ...skipped].map(({ path }) => path))
  return files.map(({ path }) => path).filter((path) => !named.has(path))
}

/** Reasons that have nothing to do with names are not expected of such small files. */
const REASONS = ['vendored', 'unsupported_language']

function requireAllSeen(files: readonly FaultyFile[], report: Report): void {
  expect(unseen(files, report)).toEqual([])
  expect(report.skipped.filter(({ reason }) => !REASONS.includes(reason))).toEqual([])
  expect(report.summary.files).toBe(files.length - report.skipped.length)
}

test('the names that frameworks give are reviewed in full', async () => {
  const report = await scan({ files: COMMON_PATHS })
  expect(report.skipped).toEqual([])
  requireAllSeen(COMMON_PATHS, report)
})

test('a fault is found, or its file named, in any tree of files', async () => {
  await fc.assert(
    fc.asyncProperty(fileTrees(60), async (files) => requireAllSeen(files, await scan({ files }))),
    { numRuns: rounds(3, 12) },
  )
}, 120_000)

test('a fault is found, or its file named, in any diff', async () => {
  await fc.assert(
    fc.asyncProperty(fileTrees(60), async (files) =>
      requireAllSeen(files, await scan({ diff: diffAdding(files) })),
    ),
    { numRuns: rounds(3, 12) },
  )
}, 120_000)

test('a pull request tells of each file, found or not reviewed', async () => {
  const tenant = await world.tenant({})
  const [files = []] = fc.sample(
    fileTrees(200, 200).map((some) => [...COMMON_PATHS, ...some]),
    { numRuns: 1, seed: 22 },
  )
  const kept = [...new Map(files.map((file) => [file.path, file])).values()].filter(
    ({ path }) => !path.includes('//'),
  )
  world.github.openPull(tenant.repo, 1, Object.fromEntries(kept.map(({ path, content }) => [path, content])))
  await world.deliver(world.github.pullMessage('opened', tenant.repo, 1))
  const rows = await world.server.sql.rows<{ path: string; severity: string }>`
    select path, severity from review_findings where org_id = ${tenant.owner.orgId}`
  const [run] = (await tenant.runs()) as { notReviewed: { path: string; reason: string }[]; files: number }[]
  const skipped = run?.notReviewed ?? []
  expect(unseen(kept, { findings: [...rows], skipped })).toEqual([])
  expect(run?.files).toBe(kept.length - skipped.length)
}, 120_000)

describe('what cannot be scanned is named, and the rest is scanned', () => {
  const BAD = { path: 'pay.php', content: FAULTS.php }
  const isFound = ({ findings }: Report) => findings.some(({ path }) => path === 'pay.php')

  test('a file with a NUL character', async () => {
    const report = await scan({ files: [BAD, { path: 'logo.php', content: 'GIF89a\u0000' }] })
    expect([isFound(report), report.skipped]).toEqual([true, [{ path: 'logo.php', reason: 'binary' }]])
  })

  test('half of a surrogate pair', async () => {
    const raw = Buffer.from(
      JSON.stringify({ files: [BAD, { path: 'odd.php', content: 'x' }] }).replace('"x"', '"\\ud800"'),
    )
    const headers = { 'content-type': 'application/json' }
    const { body } = await world.server.call<Report>('POST', '/review/scan', { as: ada, raw, headers })
    expect([isFound(body), body.skipped]).toEqual([true, [{ path: 'odd.php', reason: 'binary' }]])
  })

  test('files that a diff deletes, renames, empties or brings as bytes', async () => {
    const diff = [
      diffAdding([BAD]),
      'diff --git a/old.php b/old.php\ndeleted file mode 100644\nindex e69de29..0000000\n',
      'diff --git a/vendor/a.php b/src/a.php\nsimilarity index 100%\nrename from vendor/a.php\nrename to src/a.php\n',
      'diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n',
      'diff --git "a/caf\\303\\251.png" "b/caf\\303\\251.png"\nindex 1..2 100644\nBinary files "a/caf\\303\\251.png" and "b/caf\\303\\251.png" differ\n',
      'diff --git a/x.php b/x.php\nindex 1..2 100644\nBinary files a/x.php and b/x.php differ\n',
    ].join('')
    const report = await scan({ diff })
    expect(isFound(report)).toBe(true)
    expect(report.skipped).toEqual([
      { path: 'old.php', reason: 'deleted' },
      { path: 'src/a.php', reason: 'renamed' },
      { path: 'run.sh', reason: 'no_lines' },
      { path: 'café.png', reason: 'binary' },
      { path: 'x.php', reason: 'binary' },
    ])
  })

  test('a binary file in a diff that is not of git', async () => {
    const report = await scan({ diff: `Binary files old/a.png and new/a.png differ\n${diffAdding([BAD])}` })
    expect(report.skipped).toEqual([{ path: 'new/a.png', reason: 'binary' }])
  })

  test('a file that the diff changes and the files do not have', async () => {
    const other = { path: 'other.php', content: FAULTS.php }
    const report = await scan({ files: [BAD], diff: diffAdding([BAD, other]) })
    expect([isFound(report), report.skipped]).toEqual([true, [{ path: 'other.php', reason: 'not_sent' }]])
  })

  test('files that a pull request deletes or takes lines from', async () => {
    const tenant = await world.tenant({ 'old.php': FAULTS.php, 'pay.php': `${FAULTS.php}exit();\n` })
    world.github.openPull(tenant.repo, 1, { 'pay.php': FAULTS.php, 'new.js': 'const a = 1\n' })
    await world.deliver(world.github.pullMessage('opened', tenant.repo, 1))
    const [run] = await tenant.runs()
    expect(run).toMatchObject({
      conclusion: 'success',
      files: 1,
      notReviewed: [
        { path: 'old.php', reason: 'deleted' },
        { path: 'pay.php', reason: 'only_deleted_lines' },
      ],
    })
  })
})
