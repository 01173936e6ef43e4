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

  test('who asks for the frontier lane gets it, and who asks for the open one gets that', () => {
    expect(routeFor(server.app, org, { frontier: true })).toEqual({
      lane: 'frontier',
      model: 'big-1',
      target: { baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'a-key' },
      isBound: false,
    })
    expect(routeFor(server.app, org, { frontier: false, difficulty: 100 }).lane).toBe('open')
  })

  test('a policy without the frontier lane turns a wish for it into the open lane', () => {
    const route = routeFor(server.app, { ...org, allowedLanes: ['open'] }, { frontier: true })
    expect(route).toMatchObject({ lane: 'open', model: 'small-1' })
  })

  test('nobody gets the dearer lane without asking, whatever else the policy leaves out', () => {
    const only = { ...org, allowedLanes: ['frontier'] as const }
    expect(routeFor(server.app, only, { frontier: false }).lane).toBe('open')
    expect(routeFor(server.app, only, { frontier: true }).lane).toBe('frontier')
    expect(lanesFor(server.app, only).map(({ lane }) => lane)).toEqual(['open', 'frontier'])
  })

  test('an organisation that is bound to a region is refused while no model is cleared for it', () => {
    const bound = { ...org, residencyRegion: 'ng' }
    expect(refusal(() => routeFor(server.app, bound, {}))).toBe('residency_blocked')
    expect(lanesFor(server.app, bound)).toEqual([])
  })

  test('a task that leaves the choice to us gets the frontier lane from the threshold on', () => {
    expect(routeFor(server.app, org, { difficulty: 59 }).lane).toBe('open')
    expect(routeFor(server.app, org, { difficulty: 60 }).lane).toBe('frontier')
  })

  test('the threshold rises while the frontier lane has more than its share and falls while it has less', async () => {
    const person = await server.person()
    const used = (lane: string, tokens: number) => server.sql.rows`
      insert into usage_points (id, org_id, user_id, at, lane, model, source, tokens, cost_minor)
      values (${newId('use')}, ${person.orgId}, ${person.userId}, ${server.clock.now()}, ${lane}, 'm', 'agent', ${tokens}, 0)`
    await used('frontier', 30)
    await used('open', 70)
    await learnShare(server.app)
    // Twenty percent over the plan make the choice thirty percent harder.
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

  test('it serves bound organisations, whatever they wish, and nobody else', () => {
    const bound = { ...org, residencyRegion: 'ng' }
    expect(routeFor(server.app, bound, { frontier: true })).toMatchObject({
      lane: 'open',
      model: 'home-1',
      isBound: true,
    })
    expect(routeFor(server.app, org, { frontier: true })).toMatchObject({ lane: 'open', model: 'small-1' })
  })
})

describe('without an upstream', () => {
  test('the development model serves outside production', async () => {
    const server = await startTestServer()
    expect(routeFor(server.app, org, {})).toEqual({
      lane: 'open',
      model: 'mock-open',
      target: { baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v1$/), apiKey: '' },
      isBound: false,
    })
    await server.close()
  })

  test('production starts no model and refuses', async () => {
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

  test('an upstream without the name of an open model is not configured', async () => {
    const { SERVICE_UPSTREAM_OPEN_MODEL: _, ...nameless } = UPSTREAM
    const server = await startTestServer({ variables: nameless })
    expect(refusal(() => routeFor(server.app, org, {}))).toBe('inference_not_configured')
    await server.close()
  })
})
