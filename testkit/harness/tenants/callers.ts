// One caller of each kind, for the test that calls every route with all of them.
import type { OrgId } from '@cowrie/server/src/kernel/ids.ts'
import { ANONYMOUS, type CallerKind } from '@cowrie/server/src/platform/http/access/access-table.ts'
import { type OrgRole, SCOPES, STAFF_TIERS, type StaffTier } from '@cowrie/server/src/platform/http/actor.ts'
import type { Person, TestServer } from '../harness.ts'

export type Caller = CallerKind & {
  bearer?: string
  /** Opens a session and returns its cookie. A new one per call, because some routes end the session. */
  signIn?: () => Promise<string>
  /** The organisation in the paths of their requests. */
  org: OrgId
}
export type Callers = { org: OrgId; all: ReadonlyMap<string, Caller> }

const FORGED_KEY = 'csk_00000000_00000000000000000000000000000000000000'

export async function createCallers(server: TestServer): Promise<Callers> {
  const owner = await server.person({ type: 'team' })
  const org = owner.orgId
  const person = ({ bearer }: Person, role: OrgRole | null, staff: StaffTier | null = null): Caller => ({
    ...ANONYMOUS,
    kind: 'person',
    bearer,
    role,
    staff,
    org,
  })
  const key = async (holder: Person, scopes: typeof SCOPES | (typeof SCOPES)[number][]): Promise<Caller> => ({
    ...ANONYMOUS,
    kind: 'key',
    bearer: (await server.key(holder, scopes)).bearer,
    scopes,
    org,
  })

  const all = new Map<string, Caller>([
    ['nobody', { ...ANONYMOUS, org }],
    ['a forged key', { ...ANONYMOUS, bearer: FORGED_KEY, org }],
    ['owner', person(owner, 'owner')],
    ['admin', person(await server.member(org, 'admin'), 'admin')],
    ['member', person(await server.member(org, 'member'), 'member')],
    ['stranger', person(await server.person(), null)],
    ['key without scopes', await key(owner, [])],
    ['owner of a suspended organisation', await suspendedOwner(server)],
    ['key of a suspended organisation', await suspendedKey(server)],
    ['owner without the required single sign-on', await ownerWithoutSso(server)],
  ])
  for (const scope of SCOPES) {
    all.set(`key with ${scope}`, await key(owner, [scope]))
    all.set(
      `key with all but ${scope}`,
      await key(
        owner,
        SCOPES.filter((other) => other !== scope),
      ),
    )
  }
  for (const tier of STAFF_TIERS) {
    const staff = await server.person({ staff: tier })
    all.set(tier, person(staff, null, tier))
    all.set(`key of ${tier}`, await key(staff, SCOPES))
  }
  return { org, all }
}

async function suspendedOwner(server: TestServer): Promise<Caller> {
  const { bearer, orgId } = await suspended(server)
  return { ...ANONYMOUS, kind: 'person', bearer, role: 'owner', suspended: true, org: orgId }
}

async function suspendedKey(server: TestServer): Promise<Caller> {
  const holder = await suspended(server)
  const { bearer } = await server.key(holder, SCOPES)
  return { ...ANONYMOUS, kind: 'key', bearer, scopes: SCOPES, suspended: true, org: holder.orgId }
}

async function suspended(server: TestServer): Promise<Person> {
  const owner = await server.person({ type: 'team' })
  await server.sql.rows`update orgs set suspended_at = ${server.clock.now()} where id = ${owner.orgId}`
  return owner
}

/** The development bearer token ignores the SSO requirement; a session does not. */
async function ownerWithoutSso(server: TestServer): Promise<Caller> {
  const { orgId, email } = await server.person()
  await server.sql.rows`update orgs set sso_required = true where id = ${orgId}`
  const signIn = async () => {
    const visitor = server.visitor()
    await visitor.call('POST', '/auth/dev-login', { body: { email } })
    return `service_session=${visitor.cookies.get('service_session')}`
  }
  return { ...ANONYMOUS, kind: 'person', signIn, role: 'owner', needsSso: true, org: orgId }
}
