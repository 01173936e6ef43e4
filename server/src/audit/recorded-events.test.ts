// Actions of users, staff and the service, with the audit entries that each must create.

import { pay, postSubscription, subscribe } from '@cowrie/testkit/billing/subscription.ts'
import { useWorld } from '@cowrie/testkit/billing/world.ts'
import type { Person, Reply } from '@cowrie/testkit/harness/harness.ts'
import { createPasswordUser, login, PASSWORD, tokenTo } from '@cowrie/testkit/sign-in/password-users.ts'
import { codeOf, createMfaUser, type MfaUser, signInNewUser } from '@cowrie/testkit/sign-in/second-factor.ts'
import { beforeAll, expect, test } from 'vitest'

const world = useWorld()
const TEAM = 'Beads and Shells'

let ada: Person
let owner: Person
let staff: Person
let root: Person
let holderOf: Awaited<ReturnType<typeof createPasswordUser>>
let guarded: MfaUser
let seen = new Set<string>()

beforeAll(async () => {
  const { server } = world
  ada = await server.person({ type: 'team' })
  owner = await server.person({ type: 'team' })
  await server.sql.rows`update orgs set name = ${TEAM} where id = ${owner.orgId}`
  await server.sql.rows`update orgs set seat_allotment = 5 where id = ${ada.orgId}`
  staff = await server.person({ staff: 'operator' })
  root = await server.person({ staff: 'super_admin' })
  holderOf = await createPasswordUser(server)
})

const call = (method: string, path: string, as?: { bearer: string }, body?: unknown): Promise<Reply> =>
  world.server.call(method, path, { as, body })
const posted = (path: string, as: Person, body: object = {}) => call('POST', path, as, body)
const idIn = (reply: Reply, name: string): string =>
  String((reply.body as Record<string, Record<string, unknown>>)[name]?.id ?? reply.body.id)

/** The entries since the last call: actor kind, action and chain. */
async function newEntries(): Promise<string[]> {
  const rows = await world.server.sql.rows<{ id: string; kind: string; action: string; chain: string }>`
    select id, actor_kind as kind, action, case when org_id is null then ' (platform)' else '' end as chain
    from audit_entries order by created_at, seq`
  const fresh = rows.filter(({ id }) => !seen.has(id))
  seen = new Set(rows.map(({ id }) => id))
  return fresh.map(({ kind, action, chain }) => `${kind} ${action}${chain}`)
}

const ids: Record<string, string> = {}

type AuditedAction = [name: string, entries: readonly string[], act: () => Promise<Reply | undefined>]

const ACTIONS: readonly AuditedAction[] = [
  ['signing in by password', ['user auth.signIn'], () => login(world.server, holderOf.email)],
  [
    'signing in by a mailed link',
    ['user auth.signIn'],
    async () => {
      const { server } = world
      await server.call('POST', '/auth/magic/request', { body: { email: holderOf.email } })
      const token = await tokenTo(server, holderOf.email)
      return server.call('POST', '/auth/magic/consume', { body: { token } })
    },
  ],
  [
    'resetting a password',
    ['user auth.password.reset'],
    async () => {
      const { server } = world
      await server.call('POST', '/auth/password/forgot', { body: { email: holderOf.email } })
      const token = await tokenTo(server, holderOf.email)
      return server.call('POST', '/auth/password/reset', { body: { token, password: PASSWORD } })
    },
  ],
  [
    'enabling two-step sign-in',
    ['user auth.signIn', 'user auth.mfa.verify'],
    async () => {
      guarded = await createMfaUser(world.server)
      return undefined
    },
  ],
  [
    'disabling two-step sign-in',
    ['user auth.mfa.disable'],
    () => {
      world.server.clock.advance({ seconds: 30 })
      const code = codeOf(world.server, guarded.secret)
      return guarded.browser.call('POST', '/auth/mfa/disable', { body: { code } })
    },
  ],
  [
    'changing the name',
    ['user me.update'],
    () => guarded.browser.call('PATCH', '/me', { body: { name: 'Ada' } }),
  ],
  ['signing out', ['user auth.logout'], () => guarded.browser.call('POST', '/auth/logout')],
  [
    'denying a device',
    ['user auth.device.deny'],
    async () => {
      const { body } = await call('POST', '/auth/device', undefined, {})
      const { browser } = await signInNewUser(world.server)
      return browser.call('POST', `/auth/device/${body.userCode}/deny`)
    },
  ],
  [
    'creating an API key',
    ['user keys.create'],
    async () => {
      const reply = await posted('/auth/keys', ada, { name: 'deploy', scopes: ['agent:run'] })
      ids.key = idIn(reply, 'apiKey')
      return reply
    },
  ],
  [
    'changing the limits of an API key',
    ['user keys.change'],
    () => call('PATCH', `/auth/keys/${ids.key}`, ada, { budgetMinor: 500 }),
  ],
  ['revoking an API key', ['user keys.revoke'], () => call('DELETE', `/auth/keys/${ids.key}`, ada)],
  [
    'adding a member',
    ['user teams.members.add'],
    async () => {
      const newcomer = await world.server.person()
      ids.member = newcomer.userId
      return posted(`/teams/${ada.orgId}/members`, ada, { email: newcomer.email, role: 'member' })
    },
  ],
  [
    'changing the role of a member',
    ['user teams.members.change'],
    () => call('PATCH', `/teams/${ada.orgId}/members/${ids.member}`, ada, { role: 'admin' }),
  ],
  [
    'removing a member',
    ['user teams.members.remove'],
    () => call('DELETE', `/teams/${ada.orgId}/members/${ids.member}`, ada),
  ],
  ['submitting business details', ['user kyc.submit'], () => posted('/kyc', ada, { businessName: 'Beads' })],
  [
    'verifying business details',
    ['operator admin.kyc.review'],
    () => posted(`/admin/kyc/${ada.orgId}/review`, staff, { status: 'verified' }),
  ],
  [
    'settling a payment',
    ['system payments.settle'],
    async () => {
      const reply = await posted('/wallet/topup', ada, { amountMinor: 500_000, channel: 'card' })
      await pay(world, String(reply.body.reference))
      return reply
    },
  ],
  [
    'crediting an adjustment',
    ['operator wallet.refund'],
    () =>
      world.server.call('POST', '/wallet/refund', {
        as: staff,
        headers: { 'idempotency-key': 'a-refund-on-the-record' },
        body: { orgId: ada.orgId, amountMinor: 100, reason: 'a gift', source: 'adjustment' },
      }),
  ],
  [
    'starting a plan',
    [
      'user subscription.checkout',
      'system payments.settle',
      'system subscription.paid',
      'system paymentMethods.store',
    ],
    async () => {
      await subscribe(world, ada, 'team')
      return undefined
    },
  ],
  [
    'buying seats',
    ['user subscription.seats'],
    () => postSubscription(world, ada, 'seats', { seats: 6 }) as Promise<Reply>,
  ],
  [
    'adding a card',
    ['user paymentMethods.add', 'system paymentMethods.store'],
    async () => {
      const reply = await posted('/payment-methods', ada)
      await pay(world, String(reply.body.reference), '7002')
      const listed = await world.server.call<{ paymentMethods: { id: string; last4: string }[] }>(
        'GET',
        '/payment-methods',
        { as: ada },
      )
      ids.card = listed.body.paymentMethods.find(({ last4 }) => last4 === '7002')?.id ?? 'none'
      return reply
    },
  ],
  [
    'setting the default card',
    ['user paymentMethods.setDefault'],
    () => posted(`/payment-methods/${ids.card}/default`, ada),
  ],
  [
    'removing a card',
    ['user paymentMethods.remove'],
    () => call('DELETE', `/payment-methods/${ids.card}`, ada),
  ],
  [
    'cancelling a plan',
    ['user subscription.cancel'],
    () => postSubscription(world, ada, 'cancel') as Promise<Reply>,
  ],
  [
    'adding a webhook endpoint',
    ['user hooks.endpoints.create'],
    () => posted('/webhook-endpoints', ada, { url: 'https://hooks.example.invalid/cowrie' }),
  ],
  [
    'suspending an organisation',
    ['operator org.suspend'],
    () => posted(`/admin/orgs/${ada.orgId}/suspend`, staff, { reason: 'Cards of others.' }),
  ],
  [
    'reinstating an organisation',
    ['operator org.unsuspend'],
    () => posted(`/admin/orgs/${ada.orgId}/unsuspend`, staff),
  ],
  [
    'changing a policy',
    ['operator policy.change'],
    () => call('PUT', `/orgs/${ada.orgId}/policy`, staff, { allowedLanes: ['open'] }),
  ],
  [
    'creating a flag',
    ['operator admin.flags.set (platform)'],
    () => call('PUT', '/admin/flags/audited', staff, { defaultEnabled: true }),
  ],
  [
    'overriding a flag for an organisation',
    ['operator orgs.flags.set'],
    () => call('PUT', `/orgs/${ada.orgId}/flags/audited`, staff, { enabled: false }),
  ],
  [
    'changing a setting',
    ['operator settings.set (platform)'],
    () => call('PUT', '/admin/settings/kyc_required', staff, { value: false }),
  ],
  [
    'resetting a setting',
    ['operator settings.reset (platform)'],
    () => call('DELETE', '/admin/settings/kyc_required', staff),
  ],
  [
    'granting staff access',
    ['operator operators.grant (platform)'],
    () => posted('/admin/operators', root, { email: owner.email, role: 'support' }),
  ],
  [
    'changing the tier of staff',
    ['operator operators.changeRole (platform)'],
    () => call('PUT', `/admin/operators/${owner.userId}/role`, root, { role: 'billing' }),
  ],
  [
    'removing staff access',
    ['operator operators.remove (platform)'],
    () => call('DELETE', `/admin/operators/${owner.userId}`, root),
  ],
  [
    'accepting an audit chain',
    ['operator audit.anchors.accept'],
    () => posted('/audit/anchors/accept', root, { orgId: ada.orgId, reason: 'Restored.' }),
  ],
  ['exporting an organisation', ['user org.export'], () => call('GET', `/orgs/${owner.orgId}/export`, owner)],
  [
    'closing an organisation',
    ['user org.close'],
    () => call('DELETE', `/orgs/${owner.orgId}`, owner, { confirm: TEAM }),
  ],
]

test.for(ACTIONS)('%s is recorded', async ([, entries, act]) => {
  // Mails with equal timestamps have no order.
  world.server.clock.advance({ seconds: 1 })
  await newEntries()
  const reply = await act()
  if (reply) expect(reply.status, reply.text).toBeLessThan(300)
  expect(await newEntries()).toEqual(expect.arrayContaining([...entries]))
})

test('all recorded entries verify', async () => {
  const { body } = await world.server.call('GET', '/audit/verify', { as: staff, query: { scope: 'all' } })
  expect(body).toMatchObject({ ok: true, broken: null })
})
