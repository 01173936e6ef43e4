// Platform staff: listing, granting, changing and removing.

import { record } from '../../audit/audit.ts'
import {
  allStaff,
  deleteStaff,
  insertStaff,
  type StaffMember,
  setStaffRole,
  userByEmail,
} from '../../identity/identity.ts'
import { normaliseEmail } from '../../kernel/email.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { type Actor, STAFF_TIERS, type StaffTier } from '../../platform/http/actor.ts'
import * as invites from './invites-sql.ts'

// Staff plus invitations. The list has no pages, so its size is limited.
const STAFF_MAX = 1_000

export async function listStaff(app: App) {
  const staff = await allStaff(app.db.direct, app.config.rootAdminEmail)
  const open = await invites.listOpenInvites(app.db.direct, app.clock.now())
  return { operators: staff.map(describe), invites: open }
}

/** Grants staff access to an account without it. It never changes an existing tier. */
export function grantStaff(app: App, actor: Actor, email: string, role: StaffTier, ip: string) {
  return changeStaff(app, actor, async (tx, staff) => {
    const user = await userByEmail(tx, normaliseEmail(email))
    if (!user) throw new ApiError('not_found', { error: 'No account has this email address.' })
    const existing = staff.find(({ userId }) => userId === user.id)
    if (existing && existing.role !== role) throw new ApiError('already_staff')
    if (existing) return { ok: true as const, changed: false, operator: describe(existing) }
    if (!user.verified) throw new ApiError('unverified_account')
    await requireCapacity(tx, staff)
    await insertStaff(tx, user.id, role)
    await invites.revokeInvitesTo(tx, user.email)
    await recordStaffChange(tx, actor, ip, 'operators.grant', user.id, { email: user.email, role })
    const isRoot = user.email === app.config.rootAdminEmail
    return {
      ok: true as const,
      changed: true,
      operator: describe({ userId: user.id, email: user.email, role, isRoot }),
    }
  })
}

/** Assigns a tier, effective from the next request of the target. */
export function changeRole(app: App, actor: Actor, userId: string, tier: string, ip: string) {
  const role = parseTier(tier)
  return changeStaff(app, actor, async (tx, staff) => {
    const target = await findTarget(tx, app, staff, userId)
    const previousRole = target.role
    const changed = role !== previousRole
    if (changed) {
      requireSuperAdmin(staff.map((each) => (each === target ? { ...each, role } : each)))
      await setStaffRole(tx, target.userId, role)
      await recordStaffChange(tx, actor, ip, 'operators.changeRole', target.userId, {
        email: target.email,
        from: previousRole,
        to: role,
      })
    }
    return { ok: true as const, changed, userId: target.userId, role, previousRole }
  })
}

/** Removes staff access, effective from the next request. The customer account stays. */
export function removeStaff(app: App, actor: Actor, userId: string, ip: string): Promise<void> {
  return changeStaff(app, actor, async (tx, staff) => {
    const target = await findTarget(tx, app, staff, userId)
    const rest = staff.filter((each) => each !== target)
    if (rest.length === 0) throw new ApiError('last_operator')
    requireSuperAdmin(rest)
    await deleteStaff(tx, target.userId)
    await invites.revokeInvitesTo(tx, target.email)
    const { email, role } = target
    await recordStaffChange(tx, actor, ip, 'operators.remove', target.userId, { email, role })
  })
}

/**
 * Serialises staff changes and checks under the lock that the caller is a super admin, so that two super admins cannot
 * demote each other concurrently.
 */
export function changeStaff<T>(
  app: App,
  actor: Actor,
  work: (tx: Tx, staff: readonly StaffMember[]) => Promise<T>,
): Promise<T> {
  return app.db.tx('platform', async (tx) => {
    await lockStaff(tx)
    const staff = await allStaff(tx, app.config.rootAdminEmail)
    const self = staff.find(({ userId }) => userId === actor.userId)
    if (self?.role !== 'super_admin') throw new ApiError('staff_only')
    return work(tx, staff)
  })
}

/** Throws `unknown_role` for an unknown tier. */
export function parseTier(value: string): StaffTier {
  const role = STAFF_TIERS.find((tier) => tier === value)
  if (!role) throw new ApiError('unknown_role')
  return role
}

export const lockStaff = (tx: Tx): Promise<void> => tx.lock('staff')

export async function requireCapacity(tx: Tx, staff: readonly StaffMember[]): Promise<void> {
  const open = await invites.listOpenInvites(tx, tx.now)
  if (staff.length + open.length >= STAFF_MAX) throw new ApiError('limit_reached')
}

export const recordStaffChange = (
  tx: Tx,
  actor: Actor,
  ip: string,
  action: string,
  target: string,
  metadata: object,
): Promise<void> => record(tx, { orgId: null, actor, as: 'operator', ip, action, target, metadata })

async function findTarget(
  tx: Tx,
  app: App,
  staff: readonly StaffMember[],
  userId: string,
): Promise<StaffMember> {
  const target = staff.find((each) => each.userId === userId)
  if (target && !target.isRoot) return target
  // The configuration names the root administrator by address, even before the account is verified.
  const { rootAdminEmail } = app.config
  const root = rootAdminEmail === null ? undefined : await userByEmail(tx, rootAdminEmail)
  throw new ApiError(root?.id === userId ? 'root_admin' : 'not_found')
}

function requireSuperAdmin(staff: readonly StaffMember[]): void {
  if (!staff.some(({ role }) => role === 'super_admin')) throw new ApiError('last_super_admin')
}

const describe = ({ userId, email, role, isRoot }: StaffMember) => ({
  userId,
  email,
  role,
  isSuperAdmin: role === 'super_admin',
  isRoot,
})
