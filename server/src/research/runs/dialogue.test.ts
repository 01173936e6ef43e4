// Runs in conversation with their user: clarifying questions, plan approval, own sources and follow-up questions.

import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { requireValidCitations } from '@cowrie/testkit/research/citations.ts'
import { type ScriptedWorld, startScriptedWorld } from '@cowrie/testkit/research/scripted-world.ts'
import type { RunDetail, RunInput } from '@cowrie/testkit/research/world.ts'
import { giveCredit, spend } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { finishUnansweredRuns } from '../jobs.ts'
import type { ResearchRunId } from '../types.ts'
import { QUESTION } from '../world/pages.ts'

const PLENTY = 1_000_000n

let world: ScriptedWorld
let ada: Person
beforeAll(async () => {
  world = await startScriptedWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  world.renew()
  ada = await world.customer(PLENTY)
})

type Waiting = RunDetail & {
  needs: string | null
  clarification: { questions: string[]; answer: string | null } | null
  followUpOf: string | null
  followUps: { id: string; question: string }[]
}
const detail = async (id: string) => (await world.detail(ada, id)) as Waiting
const drain = () => world.server.app.jobs.drain()
const post = (path: string, body: object, as = ada) =>
  world.server.call<{ code: string; id: ResearchRunId; fields: object[]; requiredMinor: bigint }>(
    'POST',
    `/research/${path}`,
    { as, body },
  )
/** Starts a run and performs it until it waits. */
async function startWaiting(input: RunInput): Promise<Waiting> {
  const id = await world.start(ada, input)
  await drain()
  return detail(id)
}
const heldMinor = async () => (await world.wallet(ada)).heldMinor
const asks = () => world.script({ answers: { clarify: '{"ask": ["Which port?", "Which year?"]}' } })
const promptsOf = (turn: string) =>
  world.upstream.requests
    .filter((_, at) => world.modelTurns()[at]?.turn === turn)
    .map(({ body }) => JSON.stringify(body.messages))

describe('a clarifying question', () => {
  test('pauses the run without a hold; the answer is part of every later prompt', async () => {
    asks()
    const waiting = await startWaiting({ clarify: true })
    expect(waiting).toMatchObject({
      status: 'running',
      needs: 'answer',
      turns: 1,
      plan: { subquestions: [] },
    })
    expect(waiting.clarification).toEqual({ questions: ['Which port?', 'Which year?'], answer: null })
    expect(await heldMinor()).toBe(0n)
    expect(await post(`${waiting.id}/plan`, {})).toMatchObject({
      status: 409,
      body: { code: 'research_not_waiting', error: expect.stringContaining('"needs"') },
    })
    const answered = await post(`${waiting.id}/answer`, { answer: 'Makoro in 2024, please' })
    expect(answered).toMatchObject({ status: 200, body: { needs: null, status: 'running' } })
    expect(await heldMinor()).toBeGreaterThan(0n)
    expect((await post(`${waiting.id}/answer`, { answer: 'again' })).body.code).toBe('research_not_waiting')
    await drain()
    const run = await detail(waiting.id)
    expect(run).toMatchObject({ status: 'completed', stopReason: 'completed', needs: null })
    expect(run.clarification?.answer).toBe('Makoro in 2024, please')
    for (const turn of ['plan', 'extract', 'report'])
      for (const prompt of promptsOf(turn)) expect(prompt).toContain('Makoro in 2024, please')
    const kinds = (await world.events(ada, run.id)).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'needs' || kind === 'resumed')).toEqual(['needs', 'resumed'])
    await world.requireSettled(ada, run, PLENTY)
    await requireValidCitations(world, ada, run)
  })

  test('is not asked if the question is clear, or if the model gives no usable answer', async () => {
    for (const clarify of ['{"ask": []}', 'I cannot say.']) {
      world.script({ answers: { clarify } })
      const run = await world.research(ada, { clarify: true })
      expect(run).toMatchObject({ status: 'completed', stopReason: 'completed' })
      expect((await detail(run.id)).clarification).toBeNull()
    }
    expect(await heldMinor()).toBe(0n)
  })

  test('needs an answer that fits beside the question', async () => {
    asks()
    const { id } = await startWaiting({ clarify: true, question: 'x'.repeat(1_900) })
    const long = await post(`${id}/answer`, { answer: 'y'.repeat(200) })
    expect(long).toMatchObject({
      status: 400,
      body: { code: 'invalid_fields', fields: [{ path: 'answer' }] },
    })
    expect((await post(`${id}/answer`, { answer: 'y'.repeat(80) })).status).toBe(200)
  })

  test('can be cancelled, and ends by itself after three days', async () => {
    asks()
    const one = await startWaiting({ clarify: true })
    const cancelled = await post(`${one.id}/cancel`, {})
    expect(cancelled).toMatchObject({ status: 200, body: { status: 'cancelled' } })
    const other = await startWaiting({ clarify: true })
    expect(await finishUnansweredRuns(world.server.app)).toBe(0)
    world.server.clock.advance({ hours: 73 })
    expect(await finishUnansweredRuns(world.server.app)).toBe(1)
    const run = await detail(other.id)
    expect(run).toMatchObject({ status: 'cancelled', errorCode: 'not_answered', needs: null })
    expect((await world.wallet(ada)).balanceMinor).toBe(PLENTY - one.spentMinor - run.spentMinor)
    expect(await heldMinor()).toBe(0n)
  })

  test('leaves the run waiting if the wallet cannot pay for a report any more', async () => {
    asks()
    const { id } = await startWaiting({ clarify: true })
    const { availableMinor } = await world.wallet(ada)
    await spend(world.server, ada, availableMinor)
    const refused = await post(`${id}/answer`, { answer: 'Makoro' })
    expect(refused).toMatchObject({ status: 402, body: { code: 'insufficient_funds' } })
    expect(await detail(id)).toMatchObject({ needs: 'answer', clarification: { answer: null } })
    await giveCredit(world.server, ada.orgId, refused.body.requiredMinor)
    expect((await post(`${id}/answer`, { answer: 'Makoro' })).status).toBe(200)
    await drain()
    expect((await detail(id)).status).toBe('completed')
    expect(await heldMinor()).toBe(0n)
  })
})

describe('the plan', () => {
  test('waits for approval and is used as proposed', async () => {
    const waiting = await startWaiting({ approvePlan: true })
    expect(waiting).toMatchObject({ needs: 'approval', turns: 1 })
    expect(waiting.plan?.subquestions.length).toBeGreaterThan(0)
    expect(await heldMinor()).toBe(0n)
    expect((await post(`${waiting.id}/answer`, { answer: 'yes' })).body.code).toBe('research_not_waiting')
    expect((await post(`${waiting.id}/plan`, {})).status).toBe(200)
    await drain()
    const run = await detail(waiting.id)
    expect(run).toMatchObject({ status: 'completed', plan: waiting.plan })
    await world.requireSettled(ada, run, PLENTY)
  })

  test('can be replaced within the limits of the depth', async () => {
    const { id } = await startWaiting({ approvePlan: true })
    const many = Array.from({ length: 4 }, (_, at) => `Part ${at} of the question?`)
    expect((await post(`${id}/plan`, { subquestions: many })).body.fields).toMatchObject([
      { path: 'subquestions' },
    ])
    const subquestions = ['How many berths does the port of Makoro have?']
    expect((await post(`${id}/plan`, { subquestions })).status).toBe(200)
    await drain()
    const run = await detail(id)
    expect(run).toMatchObject({ status: 'completed', plan: { subquestions } })
    expect((await world.events(ada, id)).findLast(({ kind }) => kind === 'plan')).toMatchObject({
      by: 'user',
    })
    expect(run.findings.some(({ claim }) => claim.includes('14 berths'))).toBe(true)
  })

  test('does not use a place of the organisation while it waits', async () => {
    for (let runs = 0; runs < 3; runs++) await startWaiting({ approvePlan: true })
    expect((await world.research(ada)).status).toBe('completed')
  })
})

describe('own documents', () => {
  const NOTE = 'The harbour master of Makoro confirmed that berth 15 opens in June 2027 for grain ships.'

  test('are sources with the first numbers, beside the web or alone', async () => {
    for (const searchWeb of [true, false]) {
      const documents = [
        { name: 'note.txt', content: `Minutes of the port.\n\n${NOTE}` },
        {
          name: 'plan.html',
          content: Buffer.from(
            `<title>Plan</title><main><p>${NOTE}</p><p>The port of Makoro charges 99 dollars for a large container in 2027.</p></main>`,
          ).toString('base64'),
          encoding: 'base64',
        },
      ]
      const run = await world.research(ada, {
        question: 'When does berth 15 of the port of Makoro open?',
        documents,
        searchWeb,
      })
      expect(run).toMatchObject({ status: 'completed' })
      expect(run.sources.slice(0, 2)).toMatchObject([
        { n: 1, url: 'document:note.txt', title: 'note.txt', status: 'read' },
        { n: 2, url: 'document:plan.html', title: 'plan.html', status: 'read' },
      ])
      expect(run.sources.length > 2).toBe(searchWeb)
      expect(
        run.findings.some(({ quote, sources }) => quote.includes('berth 15') && sources.includes(1)),
      ).toBe(true)
      const markdown = await world.file(ada, run, 'report.md')
      expect(markdown).toContain('(your document')
      expect(markdown.includes('Only the given sources were read, not the web.')).toBe(!searchWeb)
      await requireValidCitations(world, ada, run)
    }
    expect(await heldMinor()).toBe(0n)
  })

  test.for([
    [
      'too many for the depth',
      { documents: Array.from({ length: 7 }, (_, n) => ({ name: `${n}.txt`, content: NOTE })) },
      'documents',
    ],
    ['empty', { documents: [{ name: 'a.txt', content: '   ' }] }, 'documents.0.content'],
    ['broken', { documents: [{ name: 'a.pdf', content: 'no pdf' }] }, 'documents.0.content'],
    ['missing without a web search', { searchWeb: false }, 'searchWeb'],
    ['an unknown repository', { repositories: ['acme/none'] }, 'repositories.0'],
  ] as const)('that are %s are refused, and nothing is held', async ([, input, path]) => {
    const refused = await world.server.call('POST', '/research', {
      as: ada,
      body: { question: QUESTION, depth: 'quick', ...input },
    })
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_fields', fields: [{ path }] } })
    expect(await heldMinor()).toBe(0n)
  })
})

test('an indexed repository is searched too', async () => {
  const content = `# Berth plan of the port of Makoro\n\nBerth 15 of the port of Makoro opens in June 2027 for grain ships.\n`
  const indexed = await world.server.call('POST', '/repo/index', {
    as: ada,
    body: { repo: 'acme/port', files: [{ path: 'docs/berths.md', content }] },
  })
  expect(indexed.status).toBe(200)
  const run = await world.research(ada, {
    question: 'When does berth 15 of the port of Makoro open for grain ships?',
    repositories: ['acme/port'],
    searchWeb: false,
  })
  expect(run.sources).toMatchObject([
    { n: 1, url: 'repository:acme%2Fport/docs/berths.md', title: 'docs/berths.md' },
  ])
  expect(run.findings[0]?.quote).toContain('June 2027')
  expect(await world.file(ada, run, 'report.md')).toContain('repository acme/port')
})

describe('a follow-up question', () => {
  test('starts with the pages of the earlier run, and has its own budget', async () => {
    const first = await world.research(ada)
    world.web.search.reset()
    const asked = await post(`${first.id}/follow-ups`, {
      question: 'What does storage cost there?',
      searchWeb: false,
      budgetMinor: 100_000n,
    })
    expect(asked).toMatchObject({ status: 202, body: { depth: 'quick', budgetMinor: 100_000n } })
    await drain()
    const run = await detail(asked.body.id)
    expect(run).toMatchObject({ status: 'completed', followUpOf: first.id })
    const read = first.sources.filter(({ status }) => status === 'read').map(({ url }) => url)
    expect(run.sources.map(({ url }) => url).toSorted()).toEqual(read.toSorted())
    expect(promptsOf('plan').at(-1)).toContain('It follows this question')
    expect(run.findings.some(({ quote }) => quote.includes('12 dollars a day'))).toBe(true)
    expect((await detail(first.id)).followUps).toMatchObject([
      { id: run.id, question: 'What does storage cost there?' },
    ])
    await requireValidCitations(world, ada, run)
    expect((await world.wallet(ada)).balanceMinor).toBe(PLENTY - first.spentMinor - run.spentMinor)
    expect(await heldMinor()).toBe(0n)
  })

  test('needs a finished run that the caller can see', async () => {
    const running = await world.start(ada)
    const early = await post(`${running}/follow-ups`, { question: 'And then?' })
    expect(early).toMatchObject({ status: 409, body: { code: 'research_running' } })
    const stranger = await world.customer(PLENTY)
    expect((await post(`${running}/follow-ups`, { question: 'And then?' }, stranger)).status).toBe(404)
    await drain()
  })
})
