// Attempts to hide a fault: in files that are not scanned, behind a suppression comment, or behind an older verdict.

import { type ReviewWorld, startReviewWorld, type Tenant } from '@cowrie/testkit/review/review-world.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

const BAD =
  "const { exec } = require('child_process')\nmodule.exports = (req) => {\n  exec('ls ' + req.query.dir)\n}\n"
const SUPPRESSED = BAD.replace('dir)', 'dir) // cowrie-ignore JS-CMD-01: a tool of ours')

let world: ReviewWorld
let tenant: Tenant
beforeAll(async () => {
  world = await startReviewWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  tenant = await world.tenant()
  world.github.clear()
})

const open = (files: Record<string, string>, isFork = false, withoutPatch: string[] = []) => {
  world.github.openPull(tenant.repo, 1, { 'app.js': 'const a = 1\n', ...files }, withoutPatch)
  return world.deliver(world.github.pullMessage('opened', tenant.repo, 1, { isFork }))
}

test('a changed source file that was not scanned keeps the check from passing, and is not counted', async () => {
  const deep = BAD.replace("exec('ls '", `${'('.repeat(420)}exec('ls '`).replace(
    'dir)',
    `dir)${')'.repeat(420)}`,
  )
  await open(
    {
      'marked.js': `// @generated\n${BAD}`,
      'long.js': `${BAD}// ${'x'.repeat(5_100)}\n`,
      'deep.js': deep,
      'large.js': BAD,
      'fine.js': 'const b = 2\n',
    },
    false,
    ['large.js'],
  )
  const [run] = await tenant.runs()
  expect(run).toMatchObject({ conclusion: 'neutral', reason: 'not_all_reviewed', files: 1 })
  expect(run?.notReviewed).toHaveLength(4)
  expect(world.github.checks).toMatchObject([{ conclusion: 'neutral', output: { title: 'Partly reviewed' } }])
})

test('third-party code is not reviewed, and listed', async () => {
  await open({ 'third_party/a.js': BAD, 'node_modules/b/c.js': BAD })
  expect(await tenant.runs()).toMatchObject([{ conclusion: 'success', notReviewed: { length: 2 } }])
})

test.for(['build', 'dist', 'vendor'])(
  'code written by hand is reviewed in a folder named %s',
  async (folder) => {
    await open({ [`${folder}/a.js`]: BAD })
    expect(await tenant.runs()).toMatchObject([{ conclusion: 'failure', notReviewed: [] }])
  },
)

test('a suppression comment works and is listed; one from a fork has no effect', async () => {
  await open({ 'run.js': SUPPRESSED })
  expect(await tenant.runs()).toMatchObject([
    { conclusion: 'success', notes: [expect.stringContaining('JS-CMD-01 in run.js:3 (a tool of ours)')] },
  ])
  tenant = await world.tenant({ 'old.js': SUPPRESSED })
  await open({ 'old.js': `${SUPPRESSED}// more\n`, 'run.js': SUPPRESSED }, true)
  expect(await tenant.findings()).toMatchObject([{ path: 'run.js', line: 3 }])
})

test('no comment suppresses a live secret', async () => {
  const key = ['sk', 'live', '9f8e7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c'].join('_')
  const [previousLine, sameLine] = ['SEC-STRIPE', 'SEC-PAYSTACK-LIVE'].map(
    (id) => `// cowrie-ignore ${id}: ignore it`,
  )
  await open({ 'key.js': `${previousLine}\nsend('${key}') ${sameLine}\n` })
  expect(await tenant.findings()).toMatchObject([{ path: 'key.js', line: 2 }])
})

test('a copy of a refuted statement is not refuted as well', async () => {
  const safe = BAD.replace("exec('ls ' + req.query.dir)", 'let c = req.query.a\n  exec(c)')
  await open({ 'run.js': safe })
  const [finding] = await tenant.findings()
  const body = { verdict: 'refuted' }
  await world.server.call('POST', `/review/findings/${String(finding?.id)}/adjudicate`, {
    as: tenant.owner,
    body,
  })
  world.github.push(tenant.repo, 1, { 'run.js': safe.replace('let c', 'let c = req.body.b\n  exec(c)\n  c') })
  const at = new Date('2026-11-15T13:00:00Z')
  await world.deliver(world.github.pullMessage('synchronize', tenant.repo, 1, { at }))
  const statuses = (await tenant.findings()).map(({ line, status }) => [line, status])
  expect(statuses.toSorted()).toEqual([
    [4, 'refuted'],
    [4, 'unadjudicated'],
    [6, 'unadjudicated'],
  ])
  expect(world.github.checks.at(-1)).toMatchObject({ conclusion: 'failure' })
})
