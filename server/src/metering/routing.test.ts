import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../kernel/ids.ts'
import type { Actor } from '../platform/http/actor.ts'
import { lanesFor, routeFor } from './routing.ts'
import { learnShare } from './share.ts'

const UPSTREAM = {
  SERVICE_UPSTREAM_BASE_URL: 'http://127.0.0.1:9/v1/',
  SERVICE_UPSTREAM_API_KEY: 'a-key',
  SERVICE_UPSTREAM_OPEN_MODEL: 'small-1',
}
const org: Actor['org'] = {
  name: 'Ada’s',
  type: 'individual',
  tier: 'individual',
  currency: 'NGN',
  suspended: false,
  kycStatus: 'unsubmitted',
  allowedLanes: ['open', 'frontier'],
  allowedModels: null,
  plan: null,
  subscriptionStatus: null,
  residencyRegion: null,
}
const refusal = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (error) {
    return (error as { code?: string }).code
  }
}

describe('with both lanes', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({
      variables: {
        ...UPSTREAM,
        SERVICE_UPSTREAM_FRONTIER_MODEL: 'big-1',
        SERVICE_DIRECT_LANE_MODE: 'frontier',
        SERVICE_INFERENCE_ESCALATE_THRESHOLD_PCT: '60',
        SERVICE_FRONTIER_TARGET_PCT: '10',
      },
    })
  })
  afterAll(() => server.close())

  test('a preference for a lane is respected', () => {
    expect(routeFor(server.app, org, { frontier: true })).toMatchObject({
      lane: 'frontier',
      modelId: 'frontier',
      classPrices: null,
      alternatives: [],
      model: 'big-1',
      target: { baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'a-key' },
      isModelPinned: false,
    })
    expect(routeFor(server.app, org, { frontier: false, difficulty: 100 }).lane).toBe('open')
  })

  test('a policy without the frontier lane replaces it with the open lane', () => {
    const route = routeFor(server.app, { ...org, allowedLanes: ['open'] }, { frontier: true })
    expect(route).toMatchObject({ lane: 'open', model: 'small-1' })
  })

  test('the more expensive lane is never used without a preference, whatever else the policy excludes', () => {
    const only = { ...org, allowedLanes: ['frontier'] as const }
    expect(routeFor(server.app, only, { frontier: false }).lane).toBe('open')
    expect(routeFor(server.app, only, { frontier: true }).lane).toBe('frontier')
    expect(lanesFor(server.app, only).map(({ lane }) => lane)).toEqual(['open', 'frontier'])
  })

  test('an organisation with a residency region is rejected while no model is cleared for it', () => {
    const bound = { ...org, residencyRegion: 'ng' }
    expect(refusal(() => routeFor(server.app, bound, {}))).toBe('residency_blocked')
    expect(lanesFor(server.app, bound)).toEqual([])
  })

  test('a task without a preference gets the frontier lane from the threshold on', () => {
    expect(routeFor(server.app, org, { difficulty: 59 }).lane).toBe('open')
    expect(routeFor(server.app, org, { difficulty: 60 }).lane).toBe('frontier')
  })

  test('the threshold rises while the frontier lane exceeds its share and falls while it is below', async () => {
    const person = await server.person()
    const used = (lane: string, tokens: number) => server.sql.rows`
      insert into usage_points (id, org_id, user_id, at, lane, model, source, tokens, cost_minor)
      values (${newId('use')}, ${person.orgId}, ${person.userId}, ${server.clock.now()}, ${lane}, 'm', 'agent', ${tokens}, 0)`
    await used('frontier', 30)
    await used('open', 70)
    await learnShare(server.app)
    // 20 percentage points above the plan raise the threshold by 30 %.
    expect(routeFor(server.app, org, { difficulty: 89 }).lane).toBe('open')
    expect(routeFor(server.app, org, { difficulty: 90 }).lane).toBe('frontier')
    await used('open', 100_000)
    await learnShare(server.app)
    expect(routeFor(server.app, org, { difficulty: 46 }).lane).toBe('frontier')
  })
})

describe('with one model that is cleared for regions', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({
      variables: { ...UPSTREAM, SERVICE_UPSTREAM_OPEN_NOPRC_MODEL: 'home-1' },
    })
  })
  afterAll(() => server.close())

  test('it serves only organisations with a region, regardless of their preference', () => {
    const bound = { ...org, residencyRegion: 'ng' }
    expect(routeFor(server.app, bound, { frontier: true })).toMatchObject({
      lane: 'open',
      model: 'home-1',
      isModelPinned: true,
    })
    expect(routeFor(server.app, org, { frontier: true })).toMatchObject({ lane: 'open', model: 'small-1' })
  })
})

describe('without an upstream', () => {
  test('the development model answers outside production', async () => {
    const server = await startTestServer()
    expect(routeFor(server.app, org, {})).toMatchObject({
      lane: 'open',
      model: 'mock-open',
      target: { baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v1$/), apiKey: '' },
      isModelPinned: false,
    })
    await server.close()
  })

  test('production has no model and rejects', async () => {
    const server = await startTestServer({
      variables: {
        SERVICE_ENV: 'production',
        SERVICE_BASE_URL: 'https://cowrie.test',
        SERVICE_SMTP_URL: 'smtp://127.0.0.1:1',
        SERVICE_MAIL_FROM: 'a@example.com',
      },
    })
    expect(server.app.developmentModel).toBeNull()
    expect(refusal(() => routeFor(server.app, org, {}))).toBe('inference_not_configured')
    await server.close()
  })

  test('an upstream without an open model is not configured', async () => {
    const { SERVICE_UPSTREAM_OPEN_MODEL: _, ...nameless } = UPSTREAM
    const server = await startTestServer({ variables: nameless })
    expect(refusal(() => routeFor(server.app, org, {}))).toBe('inference_not_configured')
    await server.close()
  })
})
