// Availability, estimates and the report reserve.

import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { start } from '@cowrie/testkit/research/runs.ts'
import { giveCredit } from '@cowrie/testkit/wallet/money.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { checkAvailability } from '../runs/availability.ts'
import { DEPTHS, LANE_MODES, type TurnPurpose } from '../types.ts'
import { computeReserve, estimateRun, inFlightMax } from './estimates.ts'
import { limitsFor } from './run-limits.ts'
import { lanePreference } from './turn-lanes-sizes.ts'

const ORG: Actor['org'] = {
  ...{ name: 'Acme', type: 'team', tier: 'team', currency: 'NGN', suspended: false, kycStatus: 'none' },
  ...{
    allowedLanes: ['open', 'frontier'],
    allowedModels: null,
    plan: null,
    subscriptionStatus: null,
    residencyRegion: null,
  },
}

let server: TestServer
let staff: Person
beforeAll(async () => {
  server = await startTestServer({
    variables: {
      SERVICE_SEARCH_URL: 'http://127.0.0.1:9/search',
      SERVICE_UPSTREAM_FRONTIER_MODEL: 'frontier-1',
    },
  })
  staff = await server.person({ staff: 'super_admin' })
})
afterAll(() => server.close())

const set = async (key: string, value: unknown) => {
  const path = `/admin/settings/${key}`
  expect((await server.call('PUT', path, { as: staff, body: { value } })).status).toBe(200)
}

describe('the report reserve', () => {
  const wanted = fc.record({
    depth: fc.constantFrom(...DEPTHS),
    laneMode: fc.constantFrom(...LANE_MODES),
    budgetMinor: fc.bigInt(0n, 10_000_000n),
  })

  test('covers the smallest report, and leaves half of a sufficient budget', () => {
    fc.assert(
      fc.property(wanted, (each) => {
        const { asideMinor, leastAsideMinor, leastRunMinor } = computeReserve(server.app, ORG, each)
        expect(asideMinor).toBeGreaterThanOrEqual(leastAsideMinor)
        expect(leastRunMinor).toBeGreaterThan(leastAsideMinor)
        if (each.budgetMinor >= 2n * leastAsideMinor) expect(asideMinor * 2n <= each.budgetMinor).toBe(true)
        if (each.budgetMinor >= leastRunMinor) expect(asideMinor <= each.budgetMinor).toBe(true)
      }),
    )
  })

  test('is at most the cost of a full report on its lane', () => {
    const at = (laneMode: 'open' | 'synthesis-frontier') =>
      computeReserve(server.app, ORG, { depth: 'quick', laneMode, budgetMinor: 10_000_000n }).asideMinor
    // 8000 tokens at 0.09 kobo, and at 1.5 kobo.
    expect(at('open')).toBe(720n)
    expect(at('synthesis-frontier')).toBe(12_000n)
  })
})

describe('an estimate', () => {
  test.for(DEPTHS)('of a %s run is below its worst case, which is within the budget', (depth) => {
    for (const laneMode of LANE_MODES)
      for (const budgetMinor of [0n, 1_000n, 200_000n, 100_000_000n]) {
        const limits = limitsFor(server.app, depth)
        const { estimateMinor, maxMinor } = estimateRun(
          server.app,
          ORG,
          { depth, laneMode, budgetMinor },
          limits,
        )
        expect(estimateMinor <= maxMinor && maxMinor <= budgetMinor).toBe(true)
      }
  })

  test('grows with depth, and is lower if sentences are quoted without a model', () => {
    const wanted = { laneMode: 'open', budgetMinor: 100_000_000n } as const
    const limits = limitsFor(server.app, 'standard')
    const maxOf = (depth: (typeof DEPTHS)[number]) =>
      estimateRun(server.app, ORG, { depth, ...wanted }, limitsFor(server.app, depth)).maxMinor
    expect(maxOf('quick')).toBeLessThan(maxOf('standard'))
    expect(maxOf('standard')).toBeLessThan(maxOf('exhaustive'))
    const quoted = estimateRun(
      server.app,
      ORG,
      { depth: 'standard', ...wanted },
      { ...limits, extractMode: 'quote' },
    )
    expect(quoted.maxMinor).toBeLessThan(maxOf('standard'))
  })
})

test('the frontier lane writes if allowed, and reads only in frontier mode', () => {
  const purposes: TurnPurpose[] = ['plan', 'extract', 'gap', 'report', 'repair']
  const frontier = LANE_MODES.map((mode) => purposes.filter((each) => lanePreference(mode, each).frontier))
  expect(frontier).toEqual([[], ['report', 'repair'], purposes])
})

test('the number of concurrent runs depends on the plan', () => {
  const of = (tier: string) => inFlightMax({ tier })
  expect(['individual', 'team', 'enterprise', 'another'].map(of)).toEqual([2, 4, 8, 2])
})

describe('availability', () => {
  test('lists what is missing', async () => {
    const { app } = server
    const without: App = { ...app, developmentModel: null, config: { ...app.config, search: null } }
    expect(await checkAvailability(app, ORG)).toEqual({ available: true, missing: [], enabled: true })
    expect(await checkAvailability(without, ORG)).toMatchObject({
      available: false,
      missing: ['search', 'inference'],
    })
    expect(await checkAvailability(app, { ...ORG, residencyRegion: 'NG' })).toMatchObject({
      missing: ['inference'],
    })
  })

  test('checks the storage once within seconds, even if it is unavailable', async () => {
    let asked = 0
    const check = () => {
      asked++
      return Promise.reject(new Error('the bucket is gone'))
    }
    const app: App = { ...server.app, storage: { ...server.app.storage, check } }
    const answers = await Promise.all([checkAvailability(app, ORG), checkAvailability(app, ORG)])
    expect(answers.map(({ missing }) => missing)).toEqual([['storage'], ['storage']])
    expect(asked).toBe(1)
  })

  test('is part of the config with depths and prices, and runs are refused if research is disabled', async () => {
    const ada = await server.person({ type: 'team' })
    await giveCredit(server, ada.orgId, 1_000_000n)
    await start(server, ada)
    const config = () => server.call('GET', '/research/config', { as: ada })
    const { body } = await config()
    expect(body).toMatchObject({
      ...{ available: true, missing: [], enabled: true, canFetchPages: true, laneMode: 'open' },
      ...{ budgetMinor: 200_000n, currency: 'NGN', inFlightMax: 4, inFlight: 1 },
      depths: [
        { depth: 'quick', passes: 1, subquestions: 3, pages: 6, minutesMax: 10 },
        { depth: 'standard', passes: 2, subquestions: 5, pages: 16 },
        { depth: 'exhaustive', passes: 3, subquestions: 8, pages: 40 },
      ],
    })
    await set('research_enabled', false)
    expect((await config()).body).toMatchObject({ available: false, enabled: false, missing: [] })
    const refused = await server.call('POST', '/research', { as: ada, body: { question: 'Why?' } })
    expect(refused).toMatchObject({ status: 503, body: { code: 'research_unavailable' } })
  })
})
