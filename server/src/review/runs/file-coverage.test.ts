// Every file is either scanned or listed as not reviewed, whatever its name is.

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

/** Files without a finding that are not listed as skipped either. */
const unaccounted = (
  files: readonly FaultyFile[],
  { findings, skipped }: Pick<Report, 'findings' | 'skipped'>,
) => {
  const named = new Set([...findings, ...skipped].map(({ path }) => path))
  return files.map(({ path }) => path).filter((path) => !named.has(path))
}

/** The reasons that depend on the name or the encoding. Other reasons do not apply to such small files. */
const NAME_REASONS = ['vendored', 'unsupported_language', 'only_scripts', 'binary']

function requireAllAccounted(files: readonly FaultyFile[], report: Report): void {
  expect(unaccounted(files, report)).toEqual([])
  expect(report.skipped.filter(({ reason }) => !NAME_REASONS.includes(reason))).toEqual([])
  expect(report.summary.files).toBe(files.length - report.skipped.length)
}

test('files with common framework names are all reviewed', async () => {
  const report = await scan({ files: COMMON_PATHS })
  expect(report.skipped).toEqual([])
  requireAllAccounted(COMMON_PATHS, report)
})

test('every fault in a random file tree is found, or its file is listed as skipped', async () => {
  await fc.assert(
    fc.asyncProperty(fileTrees(60), async (files) => requireAllAccounted(files, await scan({ files }))),
    { numRuns: rounds(3, 12) },
  )
}, 120_000)

test('every fault in a random diff is found, or its file is listed as skipped', async () => {
  await fc.assert(
    fc.asyncProperty(fileTrees(60), async (files) =>
      requireAllAccounted(files, await scan({ diff: diffAdding(files) })),
    ),
    { numRuns: rounds(3, 12) },
  )
}, 120_000)

test('a review of a pull request accounts for every file', async () => {
  const tenant = await world.tenant({})
  const [files = []] = fc.sample(
    fileTrees(200, 200).map((some) => [...COMMON_PATHS, ...some]),
    { numRuns: 1, seed: 22 },
  )
  const uniqueFiles = [...new Map(files.map((file) => [file.path, file])).values()].filter(
    ({ path }) => !path.includes('//'),
  )
  world.github.openPull(
    tenant.repo,
    1,
    Object.fromEntries(uniqueFiles.map(({ path, content }) => [path, content])),
  )
  await world.deliver(world.github.pullMessage('opened', tenant.repo, 1))
  const rows = await world.server.sql.rows<{ path: string; severity: string }>`
    select path, severity from review_findings where org_id = ${tenant.owner.orgId}`
  const [run] = (await tenant.runs()) as { notReviewed: { path: string; reason: string }[]; files: number }[]
  const skipped = run?.notReviewed ?? []
  expect(unaccounted(uniqueFiles, { findings: [...rows], skipped })).toEqual([])
  expect(run?.files).toBe(uniqueFiles.length - skipped.length)
}, 120_000)

describe('unscannable files are listed, and the rest is scanned', () => {
  const BAD = { path: 'pay.php', content: FAULTS.php }
  const isFound = ({ findings }: Report) => findings.some(({ path }) => path === 'pay.php')

  test('a file with a NUL character', async () => {
    const report = await scan({ files: [BAD, { path: 'logo.php', content: 'GIF89a\u0000' }] })
    expect([isFound(report), report.skipped]).toEqual([true, [{ path: 'logo.php', reason: 'binary' }]])
  })

  test('a file with half of a surrogate pair', async () => {
    const raw = Buffer.from(
      JSON.stringify({ files: [BAD, { path: 'odd.php', content: 'x' }] }).replace('"x"', '"\\ud800"'),
    )
    const headers = { 'content-type': 'application/json' }
    const { body } = await world.server.call<Report>('POST', '/review/scan', { as: ada, raw, headers })
    expect([isFound(body), body.skipped]).toEqual([true, [{ path: 'odd.php', reason: 'binary' }]])
  })

  test('files that a diff deletes, renames or changes as binary', async () => {
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

  test('a binary file in a diff of another tool than git', async () => {
    const report = await scan({ diff: `Binary files old/a.png and new/a.png differ\n${diffAdding([BAD])}` })
    expect(report.skipped).toEqual([{ path: 'new/a.png', reason: 'binary' }])
  })

  test('a file that the diff changes but the request does not contain', async () => {
    const other = { path: 'other.php', content: FAULTS.php }
    const report = await scan({ files: [BAD], diff: diffAdding([BAD, other]) })
    expect([isFound(report), report.skipped]).toEqual([true, [{ path: 'other.php', reason: 'not_sent' }]])
  })

  test('files that a pull request deletes or only removes lines from', async () => {
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
