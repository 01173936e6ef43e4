// Comped plans. A comp permits an organisation to check out and renew one plan free of charge while it lasts. The
// plan is monthly, so that it ends within a month after the comp.
import { runMoney } from '../../approvals/approvals.ts'
import { record } from '../../audit/audit.ts'
import { assert } from '../../kernel/assert.ts'
import { toMs } from '../../kernel/clock.ts'
import { ApiError, invalidFields } from '../../kernel/errors.ts'
import { newId, type OrgId, type UserId } from '../../kernel/ids.ts'
import { orgExists, shareOrg } from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import type { ApprovalHandler, MoneyCall } from '../../platform/approval-handler.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { requireOutsider } from '../../teams/teams.ts'
import { seatsOnPlan } from '../subscriptions/subscription-plan.ts'
import { type BilledOrg, lockOrg } from '../subscriptions/subscriptions.ts'
import { isPlanCode, type PlanCode, planOf, planRateCard, priceWithSeats } from './plans.ts'

/** The active comp. It covers one plan only: compare the plan code before using it. */
export async function findActiveComp(
  tx: Tx,
  orgId: OrgId,
  now: Date,
): Promise<{ planCode: PlanCode; until: Date | null } | null> {
  const comp = await findComp(tx, orgId)
  if (!comp || !isInForce(comp, now)) return null
  return { planCode: comp.planCode, until: comp.until }
}

const MONTHS_WITHOUT_END = 12n

export type CompInput = { planCode: PlanCode; until?: Date | undefined; reason: string }

/** Comps a plan and replaces an earlier comp. */
export const grantComp = (app: App, actor: Actor, orgId: OrgId, input: CompInput, ip: string) =>
  runMoney(app, actor, newId('idem'), ip, (call) =>
    app.db.tx('platform', (tx) => giveComp(app, tx, call, orgId, input)),
  )

export const compApprovals: Readonly<Record<string, ApprovalHandler<App>>> = {
  'admin.comps.grant': (app, tx, call, { orgId, reason, input: { planCode = null, until = null } }) => {
    assert(planCode !== null && isPlanCode(planCode), 'a requested comp has a plan')
    return giveComp(app, tx, call, orgId, {
      planCode,
      reason,
      ...(until !== null && { until: new Date(until) }),
    })
  },
}

async function giveComp(app: App, tx: Tx, call: MoneyCall, orgId: OrgId, input: CompInput) {
  const { planCode, until = null, reason } = input
  const { staff, approvedBy, ip } = call
  const { occupied } = await lockOtherOrg(tx, staff, orgId)
  if (until && until <= tx.now) throw invalidFields({ path: 'until', message: 'must be in the future' })
  const { currency } = await shareOrg(tx, orgId)
  const plan = planOf(planRateCard(app), planCode, 'month', currency)
  // A comped plan has a seat for every member.
  const monthMinor = priceWithSeats(plan, seatsOnPlan(plan, occupied))
  await call.consent(tx, {
    kind: 'admin.comps.grant',
    ...{ orgId, currency, reason, reference: null },
    amountMinor: monthMinor * monthsUntil(tx.now, until),
    input: { planCode, until: until?.toISOString() ?? null },
  })
  const before = await findComp(tx, orgId)
  await putComp(tx, { orgId, planCode, until, reason, grantedBy: staff.userId })
  const metadata = {
    ...{ planCode, until, reason, replaced: before?.planCode ?? null },
    ...(approvedBy !== null && { approvedBy }),
  }
  await record(tx, {
    orgId,
    actor: { kind: 'user', ...staff },
    as: 'operator',
    ip,
    action: 'admin.comps.grant',
    target: orgId,
    metadata,
  })
  return readCompView(tx, orgId)
}

/** The months that a comp may start. One without an end counts as a year. */
function monthsUntil(now: Date, until: Date | null): bigint {
  if (until === null) return MONTHS_WITHOUT_END
  return BigInt(Math.ceil((until.getTime() - now.getTime()) / toMs({ days: 28 })))
}

/** Revokes the comp. The current month runs to its end. */
export function revokeComp(app: App, actor: Actor, orgId: OrgId, ip: string) {
  return app.db.tx('platform', async (tx) => {
    await lockOtherOrg(tx, actor, orgId)
    const before = await findComp(tx, orgId)
    if (!before) throw new ApiError('not_found', { error: 'This organisation has no comp.' })
    await deleteComp(tx, orgId)
    const metadata = { planCode: before.planCode, until: before.until }
    await record(tx, {
      orgId,
      actor,
      as: 'operator',
      ip,
      action: 'admin.comps.revoke',
      target: orgId,
      metadata,
    })
    return { ok: true as const }
  })
}

export function readComp(app: App, orgId: OrgId) {
  return app.db.tx('platform', async (tx) => {
    if (!(await orgExists(tx, orgId))) throw new ApiError('not_found')
    return readCompView(tx, orgId)
  })
}

const isInForce = ({ until }: Pick<Comp, 'until'>, now: Date): boolean => until === null || until > now

async function readCompView(tx: Tx, orgId: OrgId) {
  const comp = await findComp(tx, orgId)
  return { comp: comp ? { ...comp, inForce: isInForce(comp, tx.now) } : null }
}

/** Locks the organisation. Staff may not comp an organisation they belong to, except super admins. */
async function lockOtherOrg(tx: Tx, actor: MoneyCall['staff'], orgId: OrgId): Promise<BilledOrg> {
  const org = await lockOrg(tx, orgId)
  if (!org || org.closed) throw new ApiError('not_found')
  await requireOutsider(tx, actor, orgId)
  return org
}

export type Comp = {
  orgId: OrgId
  planCode: PlanCode
  /** Null: until revoked. */
  until: Date | null
  reason: string
  grantedBy: UserId
  createdAt: Date
}

export function findComp(tx: Tx, org: OrgId) {
  return tx.maybe<Comp>`
    select org_id as "orgId", plan_code as "planCode", until, reason, granted_by as "grantedBy",
           created_at as "createdAt"
    from comps where org_id = ${org}`
}

export async function putComp(
  tx: Tx,
  { orgId, planCode, until, reason, grantedBy }: Omit<Comp, 'createdAt'>,
): Promise<void> {
  await tx.rows`
    insert into comps (org_id, plan_code, until, reason, granted_by, created_at)
    values (${orgId}, ${planCode}, ${until}, ${reason}, ${grantedBy}, ${tx.now})
    on conflict (org_id) do update set plan_code = excluded.plan_code, until = excluded.until,
      reason = excluded.reason, granted_by = excluded.granted_by, created_at = excluded.created_at`
}

export async function deleteComp(tx: Tx, org: OrgId): Promise<void> {
  await tx.rows`delete from comps where org_id = ${org}`
}
