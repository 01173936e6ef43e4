// Comments to the review bot: in the thread of a finding, and in the conversation of a pull request.

import { gitData } from '@cowrie/testkit/fakes/github/git-data.ts'
import { requireRepo } from '@cowrie/testkit/fakes/github/state.ts'
import { type CommentChange, commentPayload } from '@cowrie/testkit/fakes/github/webhooks.ts'
import { type FakeUpstream, gate, startFakeUpstream } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import { type ReviewWorld, startReviewWorld, type Tenant } from '@cowrie/testkit/review/review-world.ts'
import { giveCredit } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

const BAD =
  "const { exec } = require('child_process')\nmodule.exports = (req) => {\n  exec('ls ' + req.query.dir)\n}\n"
const GOOD = "module.exports = () => 'ok'\n"

let world: ReviewWorld
let upstream: FakeUpstream
let tenant: Tenant
beforeAll(async () => {
  upstream = await startFakeUpstream()
  world = await startReviewWorld({
    SERVICE_UPSTREAM_BASE_URL: upstream.url,
    SERVICE_UPSTREAM_OPEN_MODEL: 'small-1',
  })
})
afterAll(async () => {
  await world.close()
  await upstream.close()
})
beforeEach(async () => {
  await openReview()
})

/** A reviewed pull request with one finding. */
async function openReview(policy: object | null = null): Promise<void> {
  const main = {
    'app.js': 'const a = 1\n',
    ...(policy && { '.github/cowrie.json': JSON.stringify(policy) }),
  }
  tenant = await world.tenant(main)
  world.github.clear()
  world.github.openPull(tenant.repo, 1, { ...main, 'run.js': BAD })
  gitData(requireRepo(world.github, tenant.repo)).access.set('ada', 'write')
  await world.deliver(world.github.pullMessage('opened', tenant.repo, 1))
}

const thread = () => world.github.reviews[0]?.comments[0]?.id ?? 0

/** Operator settings for the duration of `work`. */
async function withSettings<T>(values: Record<string, number | boolean>, work: () => Promise<T>): Promise<T> {
  const root = await world.server.person({ staff: 'super_admin' })
  const path = (key: string) => `/admin/settings/${key}`
  for (const [key, value] of Object.entries(values))
    expect((await world.server.call('PUT', path(key), { as: root, body: { value } })).status).toBe(200)
  try {
    return await work()
  } finally {
    for (const key of Object.keys(values)) await world.server.call('DELETE', path(key), { as: root })
  }
}

async function say(text: string, change: CommentChange = {}): Promise<unknown> {
  const { event, body } = commentPayload(world.github, tenant.repo, 1, text, change)
  const message = world.github.message(event, body)
  const { result } = await world.deliver(message)
  await world.deliver(message)
  return result
}
const sayInThread = (text: string, change: CommentChange = {}) => say(text, { thread: thread(), ...change })
const replies = () => world.github.replies.map(({ body }) => body)
const conclusions = () => world.github.checks.map(({ conclusion }) => conclusion)

describe('in the thread of a finding', () => {
  test('a question is answered once, with the rule, the flow and a link', async () => {
    expect(await sayInThread('@cowrie explain')).toBe('queued')
    const [finding] = await tenant.findings()
    expect(replies()).toEqual([expect.stringContaining('**How the value gets there:**')])
    expect(replies()[0]).toContain(`/app/review/findings/${String(finding?.id)}`)
    expect(replies()[0]).toContain('`run.js:3`')
  })

  test('a dismissal with a reason refutes the finding, and the check passes', async () => {
    expect(conclusions()).toEqual(['failure'])
    await sayInThread('@cowrie dismiss')
    expect(replies()).toEqual([expect.stringContaining('Give the reason')])
    await sayInThread('@cowrie dismiss the folder is a constant of `ours`')
    expect(await tenant.findings()).toMatchObject([
      {
        status: 'refuted',
        adjudicatedBy: 'person',
        adjudicatedLogin: 'ada',
        note: expect.stringContaining('the folder is a constant'),
      },
    ])
    expect(replies()[1]).toContain('Dismissed by ada')
    expect(conclusions()).toEqual(['success'])
  })

  test.for([
    [{ replies: { dismiss: 'off' } }, 'does not allow'],
    [{ replies: { dismiss: 'admin' } }, 'Only administrators'],
    [{ replies: { dismiss: 'never' } }, 'does not allow'],
  ] as const)('the policy %j of the default branch keeps findings', async ([policy, expected]) => {
    await openReview(policy)
    await sayInThread('@cowrie dismiss the folder is a constant')
    expect(replies()).toEqual([expect.stringContaining(expected)])
    expect(await tenant.findings()).toMatchObject([{ status: 'unadjudicated' }])
  })

  test('a re-check tells whether the newest commit still has the finding', async () => {
    await sayInThread('@cowrie re-check')
    expect(replies()).toEqual([expect.stringContaining('still has this finding at `run.js:3`')])
    world.github.push(tenant.repo, 1, { 'app.js': 'const a = 1\n', 'run.js': GOOD })
    await sayInThread('@cowrie re-check')
    expect(replies()[1]).toContain('no longer has this finding')
    expect(world.github.reviews).toHaveLength(1)
  })

  test.for([
    ['a stranger', { association: 'NONE' }],
    ['a bot', { type: 'Bot' }],
    ['a member without write access', { author: 'bob' }],
  ] as const)('%s gets no answer', async ([, change]) => {
    await sayInThread('@cowrie dismiss the folder is a constant', change)
    expect(replies()).toEqual([])
    expect(await tenant.findings()).toMatchObject([{ status: 'unadjudicated' }])
  })

  test('replies can be turned off', async () => {
    const { status } = await world.server.call('PATCH', `/vcs/installations/${tenant.id}/settings`, {
      as: tenant.owner,
      body: { threadReplies: false },
    })
    expect(status).toBe(200)
    await sayInThread('@cowrie explain')
    expect(replies()).toEqual([])
  })
})

describe('in the conversation', () => {
  test('a summary lists the files and the result, and is posted once', async () => {
    await say('@cowrie summary')
    expect(world.github.comments).toEqual([
      { pr: 1, body: expect.stringMatching(/1 changed file.*`run\.js` added, \+4 −0.*Review: 1 error/s) },
    ])
  })

  test('a summary of a model is paid when it is posted, and its markup is escaped', async () => {
    await giveCredit(world.server, tenant.owner.orgId, 100_000n)
    upstream.script('It lists `dir`. See @everyone.\n- [a](http://evil.example)')
    await withSettings({ review_llm_enabled: true }, () => say('@cowrie summarise this pull request'))
    expect(world.github.comments).toHaveLength(1)
    const body = world.github.comments[0]?.body ?? ''
    expect(body).toContain('It lists `dir`.')
    expect(body).not.toMatch(/@everyone|\]\(http:\/\/evil/)
    const [run] = await tenant.runs()
    expect(run).toMatchObject({ turns: 1 })
    expect(run?.costMinor).toBeGreaterThan(0n)
  })

  describe('two summaries at once', () => {
    // Much longer than the least output of a turn, so that the charge is close to the hold.
    const LONG = 'It lists a folder. '.repeat(150)

    async function summarizeTwice(): Promise<readonly { state: string; chargedMinor: bigint }[]> {
      const pause = gate()
      upstream.fallback(() => ({ pieces: ['First:', pause.opened, LONG] }))
      for (const text of ['@cowrie summary', '@cowrie summary please']) {
        const { event, body } = commentPayload(world.github, tenant.repo, 1, text)
        await world.post(world.github.message(event, body))
      }
      const done = Promise.all([world.server.app.jobs.drain(), world.server.app.jobs.drain()])
      await expect.poll(() => upstream.open).toBe(2)
      pause.open()
      await done
      upstream.reset()
      expect(world.github.comments).toHaveLength(2)
      return world.server.sql.rows`
        select state, charged_minor as "chargedMinor" from holds where org_id = ${tenant.owner.orgId}`
    }
    const sumOf = (holds: readonly { chargedMinor: bigint }[]) =>
      holds.reduce((sum, { chargedMinor }) => sum + chargedMinor, 0n)

    test('are paid each', async () => {
      await giveCredit(world.server, tenant.owner.orgId, 100_000n)
      const holds = await withSettings({ review_llm_enabled: true }, summarizeTwice)
      expect(holds.map(({ state }) => state)).toEqual(['settled', 'settled'])
      expect(await tenant.runs()).toMatchObject([{ turns: 2, costMinor: sumOf(holds) }])
    })

    test('cost no more than the budget of the pull request together', async () => {
      await giveCredit(world.server, tenant.owner.orgId, 100_000_000n)
      const price = { review_llm_enabled: true, price_open_kobo_per_1m: 1_000_000 }
      upstream.script(LONG)
      const [spent] = await withSettings(price, async () => {
        await say('@cowrie summary')
        return tenant.runs()
      })
      const oneTurn = Number(spent?.costMinor)
      await openReview()
      await giveCredit(world.server, tenant.owner.orgId, 100_000_000n)
      const budget = { ...price, review_default_budget_minor: Math.floor(oneTurn * 1.9) }
      const holds = await withSettings(budget, summarizeTwice)
      expect(holds.map(({ state }) => state).sort()).toEqual(['released', 'settled'])
      const [run] = await tenant.runs()
      expect(run).toMatchObject({ turns: 1, costMinor: sumOf(holds) })
      expect(sumOf(holds)).toBeLessThanOrEqual(BigInt(budget.review_default_budget_minor))
    })
  })

  test('comments cannot start more reviews within an hour than the limit', async () => {
    const { orgId } = tenant.owner
    await world.server.sql.rows`
      insert into review_runs
      select (jsonb_populate_record(run, jsonb_build_object('id', run.id || n))).*
      from review_runs run, generate_series(1, 18) n where org_id = ${orgId}`
    for (let count = 0; count < 3; count++) await say('@cowrie recheck')
    expect(world.github.comments.map(({ body }) => body.includes('very often'))).toEqual([false, true, true])
    expect(await tenant.runs()).toHaveLength(20)
  })

  test('a new review is answered with the number of findings', async () => {
    await say('@cowrie recheck')
    expect(world.github.comments).toEqual([
      { pr: 1, body: expect.stringMatching(/Reviewed commit `\w+` again: 1 finding\./) },
    ])
  })
})
