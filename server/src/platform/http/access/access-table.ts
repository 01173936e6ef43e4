// The expected result of every route for every kind of caller, published as docs/reference/access.md. It is independent of the code
// that decides (access.ts, guard.ts): a test calls every route as every kind of caller and compares.
import { ERRORS, type ErrorCode } from '../../../kernel/errors.ts'
import { type OrgRole, STAFF_TIERS, type StaffTier } from '../actor.ts'
import { accessText } from '../openapi/security.ts'
import type { Access, Route } from '../route.ts'

export type CallerKind = {
  kind: 'nobody' | 'person' | 'key'
  /** Their role in the organisation of the path; null for the owner of another organisation. */
  role: OrgRole | null
  scopes: readonly string[]
  staff: StaffTier | null
  /** Their organisation is suspended. */
  suspended?: boolean
  /** Their organisation requires single sign-on, and they signed in another way. */
  needsSso?: boolean
}
export type Verdict = 'admitted' | 'refused' | ErrorCode

export const ANONYMOUS: CallerKind = { kind: 'nobody', role: null, scopes: [], staff: null }

export function expectedVerdict(
  { access, paid }: Pick<Route, 'access' | 'paid'>,
  caller: CallerKind,
): Verdict {
  const verdict = expectedAccess(access, caller)
  return verdict === 'admitted' && paid && caller.suspended ? 'org_suspended' : verdict
}

function expectedAccess(access: Access, { kind, role, scopes, staff, needsSso }: CallerKind): Verdict {
  if (access === 'none') return 'admitted'
  if (typeof access === 'object' && 'rail' in access) return 'refused'
  if (typeof access === 'object' && 'machine' in access) return expectedForMachine(access.machine, staff)
  // No caller of the table has a SCIM token, and nothing else is accepted.
  if (kind === 'nobody' || (typeof access === 'object' && 'token' in access)) return 'unauthenticated'
  if (access === 'session') return kind === 'person' ? 'admitted' : 'session_required'
  if (access === 'known') return 'admitted'
  if (needsSso) return 'sso_required'
  if (access === 'any') return 'admitted'
  if ('scope' in access || 'scopeOrStaff' in access) {
    const scope = 'scope' in access ? access.scope : access.scopeOrStaff
    return kind === 'person' || scopes.includes(scope) ? 'admitted' : 'insufficient_scope'
  }
  if (kind === 'key') return 'session_required'
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

/** Without a metrics token, staff may read the metrics. No caller of the table sends the internal secret. */
const expectedForMachine = (machine: 'internal' | 'metrics', staff: StaffTier | null): Verdict =>
  machine === 'internal' ? 'wrong_secret' : staff ? 'admitted' : 'staff_only'

const person = (role: OrgRole | null, more: Partial<CallerKind> = {}): CallerKind => ({
  ...ANONYMOUS,
  kind: 'person',
  role,
  ...more,
})

type Column = { title: string; caller: (route: Route) => CallerKind }

const COLUMNS: readonly Column[] = [
  { title: 'anonymous', caller: () => ANONYMOUS },
  { title: 'key without scope', caller: () => ({ ...ANONYMOUS, kind: 'key' }) },
  {
    title: 'key with scope',
    caller: (route) => ({ ...ANONYMOUS, kind: 'key', scopes: scopeOf(route.access) }),
  },
  { title: 'member', caller: () => person('member') },
  { title: 'admin', caller: () => person('admin') },
  { title: 'owner', caller: () => person('owner') },
  { title: 'owner of another org', caller: () => person(null) },
  { title: 'owner, org suspended', caller: () => person('owner', { suspended: true }) },
  { title: 'owner, SSO missing', caller: () => person('owner', { needsSso: true }) },
  ...STAFF_TIERS.map((tier) => ({ title: tier, caller: () => person(null, { staff: tier }) })),
]

const INTRODUCTION = `# Access to endpoints

Printed from the descriptions of the routes; do not edit. A tick means that the call is let in; a number is the status
of the refusal. A test calls every route as each of these and compares. Staff tiers stand here for staff who are no
member of the organisation that the address names. Routes signed by a payment rail or another service (refused below
for everyone) are opened by that service's proof alone, machine routes by their secret.

\`step-up\`: where \`SERVICE_STAFF_SECOND_FACTOR\` is on, staff must have shown a second factor within the last ten minutes, at the
sign-in or with \`POST /auth/step-up\`; otherwise the reply is 403 \`step_up_required\`.`

/** docs/reference/access.md. */
export function printAccess(modules: readonly { name: string; routes?: readonly Route[] }[]): string {
  const head = `| Call | Access | Bucket | ${COLUMNS.map(({ title }) => title).join(' | ')} |\n|${'---|'.repeat(COLUMNS.length + 3)}`
  const sections = modules.flatMap(({ name, routes = [] }) => {
    const rows = routes.filter(({ hidden }) => !hidden).map(rowOf)
    return rows.length === 0 ? [] : [`## ${name}\n\n${head}\n${rows.join('\n')}`]
  })
  return `${[INTRODUCTION, ...sections].join('\n\n')}\n`
}

function rowOf(route: Route): string {
  const cells = COLUMNS.map(({ caller }) => cellOf(expectedVerdict(route, caller(route))))
  const access = `${accessText(route.access)}${route.paid ? ', paid' : ''}${route.stepUp ? ', step-up' : ''}`
  return `| ${route.method} ${route.path} | ${access} | ${route.rate ?? 'exempt'} | ${cells.join(' | ')} |`
}

const cellOf = (verdict: Verdict): string =>
  verdict === 'admitted' ? '✓' : verdict === 'refused' ? '✗' : String(ERRORS[verdict].status)

function scopeOf(access: Access): string[] {
  if (typeof access !== 'object') return []
  return 'scope' in access ? [access.scope] : 'scopeOrStaff' in access ? [access.scopeOrStaff] : []
}
