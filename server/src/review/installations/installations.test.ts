// Installations: webhook signatures, claims, permissions and settings.
import { createHmac } from 'node:crypto'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { type ReviewWorld, startReviewWorld } from '@cowrie/testkit/review/review-world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { after } from '../../kernel/clock.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { deleteRemovedInstallations } from '../jobs.ts'
import { claimInstallation } from './claim.ts'

let world: ReviewWorld
beforeAll(async () => {
  world = await startReviewWorld()
})
afterAll(() => world.close())

const claim = (as: Person, installationId: unknown) =>
  world.server.call('POST', '/vcs/installations/claim', { as, body: { installationId } })

describe('a webhook', () => {
  const post = (headers: Record<string, string>, raw = Buffer.from('{}')) =>
    world.server.call('POST', '/webhooks/github', {
      raw,
      headers: { ...headers, 'content-type': 'application/json' },
    })
  const named = { 'x-github-event': 'ping', 'x-github-delivery': 'd-1' }
  const sign = (secret: string, body: string, algorithm = 'sha256') =>
    `${algorithm}=${createHmac(algorithm, secret).update(body).digest('hex')}`
  const secret = () => world.github.variables.SERVICE_GITHUB_WEBHOOK_SECRET ?? ''

  test.for<[string, () => Record<string, string>]>([
    ['without a signature', () => ({})],
    ['with only a SHA-1 signature', () => ({ 'x-hub-signature': sign(secret(), '{}', 'sha1') })],
    [
      'with a SHA-1 signature in the SHA-256 header',
      () => ({ 'x-hub-signature-256': sign(secret(), '{}', 'sha1') }),
    ],
    ['signed with another secret', () => ({ 'x-hub-signature-256': sign('another secret', '{}') })],
    ['signed for another body', () => ({ 'x-hub-signature-256': sign(secret(), '{ }') })],
  ])('%s is rejected', async ([, headers]) => {
    expect(await post({ ...named, ...headers() })).toMatchObject({
      status: 401,
      body: { code: 'invalid_signature' },
    })
  })

  test('with a valid signature but invalid JSON or missing headers gets a 400', async () => {
    const headers = { 'x-hub-signature-256': sign(secret(), '{') }
    expect(await post({ ...named, ...headers }, Buffer.from('{'))).toMatchObject({ status: 400 })
    expect(await post({ 'x-hub-signature-256': sign(secret(), '{}') })).toMatchObject({ status: 400 })
  })

  test('with an incomplete payload is ignored', async () => {
    const { status, body } = await world.post(
      world.github.message('pull_request', { action: 'opened', number: 'x' }),
    )
    expect([status, body]).toEqual([200, { ok: true, result: 'ignored' }])
  })
})

describe('claiming', () => {
  test('gives an installation to the first claimant only', async () => {
    world.github.install(501)
    const [first, second] = [await world.server.person(), await world.server.person()]
    const mine = await claim(first, 501)
    expect(mine).toMatchObject({
      status: 200,
      body: {
        installationId: 501,
        account: 'account-501',
        status: 'active',
        blockingPolicy: 'errors',
        inlineComments: true,
      },
    })
    expect((await claim(first, '501')).body).toEqual(mine.body)
    expect(await claim(second, 501)).toMatchObject({ status: 409, body: { code: 'installation_claimed' } })
    const listed = await world.server.call('GET', '/vcs/installations', { as: second })
    expect(listed.body).toEqual({ installations: [] })
    const audit = await world.server.call('GET', '/audit', {
      as: first,
      query: { action: 'vcs.installations.claim' },
    })
    expect(audit.body.entries).toMatchObject([{ target: mine.body.id }])
  })

  test('in production requires a file on a default branch that names the organisation', async () => {
    const { app } = world.server
    const production = { ...app, config: { ...app.config, environment: 'production' as const } }
    const person = await world.server.person()
    const actor = { ...person, via: 'session', role: 'owner' } as unknown as Actor
    const main: Record<string, string> = { '.github/cowrie.json': '{"org": "org_of_another_customer"}' }
    world.github.install(509)
    world.github.addRepo('acme/proof', 509, main)
    const attempt = () => claimInstallation(production, actor, 509, '127.0.0.1')
    await expect(attempt()).rejects.toMatchObject({
      code: 'installation_unproven',
      message: expect.stringContaining(person.orgId),
    })
    main['.github/cowrie.json'] = JSON.stringify({ org: person.orgId })
    expect(await attempt()).toMatchObject({ installationId: 509 })
  })

  test('twice at the same time succeeds once', async () => {
    world.github.install(502)
    const people = [await world.server.person(), await world.server.person()]
    const answers = await Promise.all(people.map((person) => claim(person, 502)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })

  test('requires an installation that exists and is not suspended', async () => {
    const person = await world.server.person()
    expect(await claim(person, 503)).toMatchObject({ status: 404 })
    world.github.install(504).suspended = true
    expect(await claim(person, 504)).toMatchObject({ status: 409, body: { code: 'installation_suspended' } })
    for (const invalid of [0, -1, 1.5, 'abc', '1e3', null, '99999999999999999999'])
      expect(await claim(person, invalid), String(invalid)).toMatchObject({ status: 400 })
  })

  test('requires the role admin or owner', async () => {
    const owner = await world.server.person({ type: 'team' })
    expect(await claim(await world.server.member(owner.orgId, 'member'), 505)).toMatchObject({ status: 403 })
  })

  test('fails with github_unavailable during an outage', async () => {
    world.github.override = () => ({ status: 503, body: {} })
    expect(await claim(await world.server.person(), 506)).toMatchObject({
      status: 503,
      body: { code: 'github_unavailable' },
    })
    world.github.override = null
  })

  test('is required again after a reinstallation, which removes the old installation', async () => {
    const [before, after] = [world.github.install(507, 'acme'), world.github.install(508, 'acme')]
    Object.assign(after.account, { id: before.account.id })
    const [person, other] = [await world.server.person(), await world.server.person()]
    await claim(person, 507)
    world.github.addRepo('acme/again', 508, {})
    world.github.openPull('acme/again', 1, { 'a.js': '1\n' })
    expect(await world.deliver(world.github.pullMessage('opened', 'acme/again', 1))).toMatchObject({
      result: 'ignored',
    })
    expect(await claim(other, 508)).toMatchObject({ status: 200 })
    const { body } = await world.server.call('GET', '/vcs/installations', { as: person })
    expect(body.installations).toMatchObject([{ installationId: 507, status: 'removed' }])
  })
})

describe('an installation', () => {
  test.for([
    ['suspend', 'suspended'],
    ['deleted', 'removed'],
  ])('stops its reviews on the event %s', async ([action, status]) => {
    const tenant = await world.tenant()
    world.github.openPull(tenant.repo, 1, {})
    await world.post(world.github.pullMessage('opened', tenant.repo, 1))
    world.github.clear()
    await world.deliver(world.github.installationMessage(String(action), tenant.external))
    expect(await tenant.runs()).toMatchObject([{ status: 'superseded', reason: `installation_${status}` }])
    world.github.openPull(tenant.repo, 2, {})
    expect(await world.deliver(world.github.pullMessage('opened', tenant.repo, 2))).toMatchObject({
      result: 'ignored',
    })
    expect(world.github.requests).toEqual([])
  })

  test('loses its reviews a month after its removal', async () => {
    const tenant = await world.tenant()
    world.github.openPull(tenant.repo, 1, {})
    await world.deliver(world.github.pullMessage('opened', tenant.repo, 1))
    await world.deliver(world.github.installationMessage('deleted', tenant.external))
    expect(await tenant.runs()).toMatchObject([{ status: 'completed' }])
    const inDays = (days: number) => ({ now: () => after(world.server.clock.now(), { days }) })
    await deleteRemovedInstallations({ ...world.server.app, clock: inDays(29) })
    expect(await tenant.runs()).toHaveLength(1)
    await deleteRemovedInstallations({ ...world.server.app, clock: inDays(31) })
    expect(await tenant.runs()).toEqual([])
  })

  test('lists missing permissions and their effects', async () => {
    const tenant = await world.tenant()
    const path = `/vcs/installations/${tenant.id}/permissions`
    const whole = await world.server.call('GET', path, { as: tenant.owner })
    expect(whole.body).toMatchObject({ gaps: [], granted: { checks: 'write' }, events: ['pull_request'] })
    // Tasks need more than reviews. Without it nothing is missing.
    expect(whole.body.optional).toMatchObject([
      { permission: 'contents', access: 'write', isGranted: false },
      { permission: 'workflows', access: 'write', isGranted: false },
      { permission: 'issue_comment event', access: 'subscribed', isGranted: false },
      { permission: 'pull_request_review_comment event', access: 'subscribed', isGranted: false },
    ])
    const installation = world.github.installations.get(tenant.external)
    Object.assign(installation ?? {}, { permissions: { pull_requests: 'read' }, events: [] })
    await world.deliver(world.github.installationMessage('new_permissions_accepted', tenant.external))
    const { body } = await world.server.call<{ gaps: { permission: string; lost: string; have: string }[] }>(
      'GET',
      path,
      {
        as: tenant.owner,
      },
    )
    expect(body.gaps.map(({ permission, have, lost }) => [permission, have, lost])).toEqual([
      ['metadata', 'none', 'reviews'],
      ['pull_request event', 'none', 'reviews'],
      ['pull_requests', 'read', 'inline comments'],
      ['checks', 'none', 'blocking'],
      ['contents', 'none', 'validation'],
    ])
    world.github.openPull(tenant.repo, 1, {})
    await world.deliver(world.github.pullMessage('opened', tenant.repo, 1))
    expect(await tenant.runs()).toMatchObject([{ status: 'skipped', reason: 'permissions' }])
  })

  test('is configured by admins; validation needs the deployment to enable it', async () => {
    const tenant = await world.tenant()
    const path = `/vcs/installations/${tenant.id}/settings`
    const set = (body: object, as = tenant.owner) => world.server.call('PATCH', path, { as, body })
    expect(await set({ blockingPolicy: 'strict' })).toMatchObject({
      status: 200,
      body: { blockingPolicy: 'strict', inlineComments: true },
    })
    expect(await set({ inlineComments: false })).toMatchObject({
      body: { blockingPolicy: 'strict', inlineComments: false },
    })
    expect(await set({ validationEnabled: true })).toMatchObject({
      status: 409,
      body: { code: 'validation_not_enabled' },
    })
    expect(await set({ validationEnabled: false })).toMatchObject({ status: 200 })
    for (const invalid of [{}, { blockingPolicy: 'sometimes' }, { inlineComments: 'yes' }])
      expect(await set(invalid)).toMatchObject({ status: 400 })
    const member = await world.server.member(tenant.owner.orgId, 'member')
    expect(await set({ inlineComments: true }, member)).toMatchObject({ status: 403 })
  })
})
