// The overview of one organisation or of all: balance, usage, subscriptions and counts.

import { countUsers } from '../../identity/identity.ts'
import { present } from '../../kernel/assert.ts'
import type { OrgId } from '../../kernel/ids.ts'
import { activeDuring, currentRateCard, lastUseOf, usageByLane } from '../../metering/metering.ts'
import { countMembers, countOrgs, findOrg } from '../../orgs/orgs.ts'
import { countInReview } from '../../payments/payments.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { clampToInt64 } from '../clamp.ts'
import { type Facts, gatherFacts, LANES, NO_FACTS, sumInKobo } from '../facts.ts'
import { createFleetCache } from '../fleet-cache.ts'
import { readFigures, resolveSubject, type Subject, type SubjectQuery } from '../subject.ts'
import { daysBefore, intervalStart, type TimeRange } from '../time-range.ts'
import { type Converter, createConverter, sumUsage } from '../usage-sums.ts'

const DAYS = 30

export async function readOverview(app: App, actor: Actor, query: SubjectQuery) {
  const subject = await resolveSubject(app, actor, query)
  const read = () => computeOverview(app, subject)
  return subject.scope === 'all' ? cached(app, 'overview', read) : read()
}

type Overview = Awaited<ReturnType<typeof computeOverview>>
const cached = createFleetCache<Overview>()

function computeOverview(app: App, subject: Subject) {
  const at = app.clock.now()
  const { scope, orgId, currency } = subject
  const month = daysBefore(at, DAYS)
  const version = currentRateCard(app)
  const convert = createConverter(version, subject)
  return readFigures(app, subject.orgId, async (tx) => {
    const { facts, comped } = await gatherFacts(tx, orgId, month)
    const total = orgId === null ? sumInKobo(version, facts) : (facts[0] ?? NO_FACTS)
    const { balanceMinor, heldMinor, includedMinor, monthlyMinor } = total.amounts
    return clampToInt64({
      ...{ scope, orgId, currency, at },
      wallet: { balanceMinor, heldMinor, includedMinor },
      usage: {
        today: await readUsageIn(tx, orgId, { from: intervalStart('day', at), to: at }, convert),
        last30Days: sumUsage(facts.flatMap(lanesOf), convert),
      },
      last30Days: flowsOf(total),
      subscriptions: { active: total.counts.active, pastDue: total.counts.pastDue, comped, monthlyMinor },
      ...(await readScopeDetails(tx, orgId, month, total)),
    })
  })
}

function flowsOf({ amounts }: Facts) {
  const { usageMinor, allowanceMinor, creditedMinor, grantedMinor, subscriptionMinor } = amounts
  return { usageMinor, allowanceMinor, creditedMinor, grantedMinor, subscriptionMinor }
}

const lanesOf = ({ currency, lanes }: Facts) => LANES.map((lane) => ({ currency, ...lanes[lane] }))

const readUsageIn = async (tx: Tx, org: OrgId | null, range: TimeRange, convert: Converter) =>
  sumUsage(await usageByLane(tx, org, range), convert)

async function readScopeDetails(tx: Tx, orgId: OrgId | null, month: TimeRange, { counts }: Facts) {
  const active = await activeDuring(tx, orgId, month)
  if (orgId === null) {
    const fleet = {
      ...(await countOrgs(tx)),
      users: await countUsers(tx),
      ...{ activeOrgs: active.orgs, activeUsers: active.users, payingOrgs: counts.payingOrgs },
      paymentsInReview: await countInReview(tx),
    }
    return { org: null, fleet }
  }
  const [last] = await lastUseOf(tx, [orgId])
  const org = present(await findOrg(tx, orgId), 'the organisation exists')
  const { name, tier, plan, subscriptionStatus, suspended, kycStatus, createdAt } = org
  const profile = { name, tier, plan, subscriptionStatus, suspended, kycStatus, createdAt }
  const people = { members: await countMembers(tx, orgId), activeUsers: active.users }
  return { org: { ...profile, ...people, lastActiveAt: last?.lastActiveAt ?? null }, fleet: null }
}
