// Platform staff: who they are, and how one becomes, changes and stops being one.

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

// Staff and invitations together. The listing has no pages, so their number has a bound instead.
const STAFF_MAX = 1_000

export async function listStaff(app: App) {
  const staff = await allStaff(app.db.direct, app.config.rootAdminEmail)
  const waiting = await invites.listOpenInvites(app.db.direct, app.clock.now())
  return { operators: staff.map(describe), invites: waiting }
}

/** Gives staff access to an account that has none. It moves nobody from one tier to another. */
export function grantStaff(app: App, actor: Actor, email: string, role: StaffTier, ip: string) {
  return changeStaff(app, actor, async (tx, staff) => {
    const user = await userByEmail(tx, normaliseEmail(email))
    if (!user) throw new ApiError('not_found', { error: 'Nobody has an account with this address.' })
    const held = staff.find(({ userId }) => userId === user.id)
    if (held && held.role !== role) throw new ApiError('already_staff')
    if (held) return { ok: true as const, changed: false, operator: describe(held) }
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

/** Assigns a tier outright, from the target's next request on. */
export function changeRole(app: App, actor: Actor, userId: string, wanted: string, ip: string) {
  const role = parseTier(wanted)
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

/** Takes staff access away, from the target's next request on. The account stays a customer's. */
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
 * One change of the staff at a time, by who is a super admin when its turn has come: two that demote each other
 * at the same moment do not both succeed.
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

/** Refuses what is no tier. */
export function parseTier(wanted: string): StaffTier {
  const role = STAFF_TIERS.find((tier) => tier === wanted)
  if (!role) throw new ApiError('unknown_role')
  return role
}

export const lockStaff = (tx: Tx): Promise<void> => tx.lock('staff')

export async function requireCapacity(tx: Tx, staff: readonly StaffMember[]): Promise<void> {
  const waiting = await invites.listOpenInvites(tx, tx.now)
  if (staff.length + waiting.length >= STAFF_MAX) throw new ApiError('limit_reached')
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
  // The configuration names the root administrator by address, also while nobody has confirmed that address.
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
