// Runs during outages of models, searches and storage.
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import { requireValidCitations } from '@cowrie/testkit/research/citations.ts'
import { type ScriptedWorld, startScriptedWorld } from '@cowrie/testkit/research/scripted-world.ts'
import type { RunDetail } from '@cowrie/testkit/research/world.ts'
import { grantAllowance } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ResearchRunId } from '../types.ts'

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

const drain = () => world.server.app.jobs.drain()
const warningsOf = (id: ResearchRunId) => world.warnings(ada, id)
const requireSettled = (run: RunDetail) => world.requireSettled(ada, run, PLENTY)

describe('a model', () => {
  test('that is down leads to a report by rules, without charge', async () => {
    // Near its deadline a run backs off only briefly, and may be too late for a retry.
    const { clock } = world.server
    const startedAt = clock.now().getTime()
    const goTo = (ms: number) => clock.advance({ ms: Math.max(0, startedAt + ms - clock.now().getTime()) })
    world.script({ plants: { plan: ['prose'] } }, (turn) => {
      if (turn === 'plan') return null
      goTo(turn === 'report' ? 599_800 : 479_800)
      return { status: 503, body: 'away' }
    })
    const run = await world.research(ada)
    expect(run).toMatchObject({ status: 'completed', spentMinor: 0n, turns: 0 })
    expect(['completed', 'wall_clock']).toContain(run.stopReason)
    expect(await warningsOf(run.id)).toContainEqual(expect.stringMatching(/^without_model_(upstream|late)$/))
    expect((await requireValidCitations(world, ada, run)).quotes).toBeGreaterThan(0)
    await requireSettled(run)
  })

  soakTest('that only answers off-topic leads to a report by rules, without charge', async () => {
    const prose = ['prose'] as const
    world.script({ plants: { plan: prose, extract: prose, gap: prose, report: prose } })
    const run = await world.research(ada)
    expect(run).toMatchObject({ status: 'completed', stopReason: 'completed', spentMinor: 0n, turns: 0 })
    expect(await warningsOf(run.id)).toContain('without_model_unusable')
    expect((await requireValidCitations(world, ada, run)).quotes).toBeGreaterThan(0)
    await requireSettled(run)
  })

  test('that writes only unsupported sentences is not charged for its report', async () => {
    world.script({ answers: { report: '## Short answer\n\nThe minister sold 900 elephants to Peru [F1].' } })
    const run = await world.research(ada)
    expect(run).toMatchObject({ status: 'completed', stopReason: 'completed' })
    const turns = (await world.events(ada, run.id)).flatMap((event) =>
      event.kind === 'turn' ? [event.purpose] : [],
    )
    expect(turns).not.toContain('report')
    expect(await warningsOf(run.id)).toContain('without_model_unusable')
    expect(await world.file(ada, run, 'report.md')).not.toContain('elephants')
    await requireSettled(run)
  })
})

describe('a search', () => {
  test('that is never answered fails the run and refunds the wallet', async () => {
    world.web.search.fallback(() => ({ status: 401 }))
    const run = await world.research(ada)
    expect(run).toMatchObject({
      status: 'failed',
      stopReason: 'error',
      errorCode: 'search_failed',
      report: null,
    })
    expect(run.spentMinor).toBeGreaterThan(0n)
    expect(run.refundedMinor).toBe(run.spentMinor)
    expect(await warningsOf(run.id)).toContain('search_failed')
    await requireSettled(run)
  })

  test('that is never answered refunds the wallet even if a plan paid', async () => {
    await grantAllowance(world.server, ada.orgId, 10_000n)
    world.web.search.fallback(() => ({ status: 401 }))
    const run = await world.research(ada)
    expect(run).toMatchObject({ status: 'failed', refundedMinor: run.spentMinor })
    expect(run.spentMinor).toBeGreaterThan(0n)
    const balanceMinor = PLENTY + run.spentMinor
    expect(await world.wallet(ada)).toMatchObject({ heldMinor: 0n, balanceMinor })
  })

  soakTest('that is refused while others succeed is reported, and the run continues', async () => {
    world.web.search.script({ status: 401 })
    const run = await world.research(ada)
    expect(run).toMatchObject({ status: 'completed', stopReason: 'completed' })
    const searched = (await world.events(ada, run.id)).flatMap((event) =>
      event.kind === 'search' ? [event] : [],
    )
    expect(searched.filter(({ trouble }) => trouble !== null)).toHaveLength(1)
    expect(run.findings.length).toBeGreaterThan(0)
    await requireValidCitations(world, ada, run)
    await requireSettled(run)
  })

  soakTest('that finds nothing leads to a report that states it', async () => {
    world.web.search.serve([])
    const run = await world.research(ada)
    expect(run).toMatchObject({ status: 'completed', stopReason: 'completed', sources: [], findings: [] })
    expect(await world.file(ada, run, 'report.md')).toContain('Nothing could be verified')
    await requireSettled(run)
  })
})

describe('a storage that cannot be written', () => {
  const folder = () => join(world.server.app.config.dataDir, 'storage', 'research')

  /** A file blocks the path of the report folder. */
  async function breakStorage(): Promise<() => Promise<void>> {
    await rename(folder(), `${folder()}.away`)
    await writeFile(folder(), '')
    return async () => {
      await rm(folder())
      await rename(`${folder()}.away`, folder())
    }
  }

  async function tryAgain(times: number): Promise<void> {
    for (let time = 0; time < times; time++) {
      await drain()
      world.server.clock.advance({ minutes: 1 })
    }
  }

  test('is retried; the run fails and is refunded only if the outage lasts', async () => {
    await world.research(ada)
    const grace = await world.customer(PLENTY)
    const repair = await breakStorage()
    const id = await world.start(grace)
    await tryAgain(4)
    expect(await world.detail(grace, id)).toMatchObject({ status: 'running', report: null })
    await repair()
    await drain()
    const run = await world.detail(grace, id)
    expect(run).toMatchObject({ status: 'completed', stopReason: 'completed', refundedMinor: 0n })
    await requireValidCitations(world, grace, run)
    expect(await world.charged(grace)).toBe(run.spentMinor)
  })

  test('that stays unavailable fails the run and refunds the wallet', async () => {
    const repair = await breakStorage()
    const id = await world.start(ada)
    await tryAgain(1)
    // The run waits until half an hour after its deadline.
    world.server.clock.advance({ minutes: 40 })
    await tryAgain(4)
    expect(await world.detail(ada, id)).toMatchObject({ status: 'running' })
    await tryAgain(1)
    await repair()
    const run = await world.detail(ada, id)
    expect(run).toMatchObject({ status: 'failed', stopReason: 'error', errorCode: 'internal', report: null })
    expect(run.spentMinor).toBeGreaterThan(0n)
    expect(run.refundedMinor).toBe(run.spentMinor)
    await requireSettled(run)
    expect(world.modelTurns().filter(({ turn }) => turn === 'report')).toHaveLength(1)
  })
})
