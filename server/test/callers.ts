// One caller of each kind there is, and what a description promises about each: written apart from the code that decides.
import type { ErrorCode } from '../src/kernel/errors.ts'
import type { OrgId } from '../src/kernel/ids.ts'
import { type OrgRole, SCOPES, STAFF_TIERS, type StaffTier } from '../src/platform/http/actor.ts'
import type { Access } from '../src/platform/http/route.ts'
import type { Person, TestServer } from './harness.ts'

export type Caller = {
  kind: 'nobody' | 'nonsense' | 'person' | 'key'
  bearer?: string
  /** In the organisation that addresses name; without one they own another. */
  role: OrgRole | null
  scopes: readonly string[]
  staff: StaffTier | null
}
export type Callers = { org: OrgId; all: ReadonlyMap<string, Caller> }
export type Verdict = 'admitted' | 'refused' | ErrorCode

const NOBODY: Caller = { kind: 'nobody', role: null, scopes: [], staff: null }
const FORGED_KEY = 'csk_00000000_00000000000000000000000000000000000000'

export async function everyone(server: TestServer): Promise<Callers> {
  const owner = await server.person({ type: 'team' })
  const person = ({ bearer }: Person, role: OrgRole | null, staff: StaffTier | null = null): Caller => ({
    ...NOBODY,
    kind: 'person',
    bearer,
    role,
    staff,
  })
  const key = async (holder: Person, scopes: typeof SCOPES | (typeof SCOPES)[number][]): Promise<Caller> => ({
    ...NOBODY,
    kind: 'key',
    bearer: (await server.key(holder, scopes)).bearer,
    scopes,
  })

  const all = new Map<string, Caller>([
    ['nobody', NOBODY],
    ['a forged key', { ...NOBODY, kind: 'nonsense', bearer: FORGED_KEY }],
    ['owner', person(owner, 'owner')],
    ['admin', person(await server.member(owner.orgId, 'admin'), 'admin')],
    ['member', person(await server.member(owner.orgId, 'member'), 'member')],
    ['stranger', person(await server.person(), null)],
    ['key without scopes', await key(owner, [])],
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
  return { org: owner.orgId, all }
}

export function promised(access: Access, caller: Caller): Verdict {
  const { kind, role, scopes, staff } = caller
  if (access === 'none') return 'admitted'
  if (typeof access === 'object' && 'rail' in access) return 'refused'
  if (typeof access === 'object' && 'machine' in access) return promisedToMachines(access.machine, staff)
  if (kind === 'nobody' || kind === 'nonsense') return 'unauthenticated'
  if (access === 'any') return 'admitted'
  if (typeof access === 'object' && ('scope' in access || 'scopeOrStaff' in access)) {
    const scope = 'scope' in access ? access.scope : access.scopeOrStaff
    return kind === 'person' || scopes.includes(scope) ? 'admitted' : 'insufficient_scope'
  }
  if (kind === 'key') return 'session_required'
  if (access === 'session') return 'admitted'
  if ('staff' in access) {
    const among = staff !== null && (access.staff === 'any' || access.staff.includes(staff))
    return among ? 'admitted' : 'staff_only'
  }
  if ('roleOrStaff' in access) return staff || isAtLeast(role, access.roleOrStaff) ? 'admitted' : 'forbidden'
  if (access.orgParam && role === null) return 'not_found'
  return isAtLeast(role, access.role) ? 'admitted' : 'forbidden'
}

const RANKS: Record<OrgRole, number> = { member: 1, admin: 2, owner: 3 }
const isAtLeast = (held: OrgRole | null, needed: OrgRole): boolean => RANKS[held ?? 'owner'] >= RANKS[needed]

/** Without a metrics token that page is for staff; nobody here shows the internal secret. */
const promisedToMachines = (machine: 'internal' | 'metrics', staff: StaffTier | null): Verdict =>
  machine === 'internal' ? 'wrong_secret' : staff ? 'admitted' : 'staff_only'
