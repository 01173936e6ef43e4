// The false positive rate of findings by rule. Findings without a verdict do not count.
import { before } from '../../kernel/clock.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import { filterOrgsPlacedHere } from '../../platform/db/placement/each-placement.ts'
import type { TenantScope, Tx } from '../../platform/db/tx.ts'
import { type Actor, staffRefusal } from '../../platform/http/actor.ts'

const NOISIEST_MAX = 20

export type PrecisionQuery = {
  readonly scope: 'org' | 'all'
  readonly days: number
  readonly minSample: number
}

export async function readPrecision(app: App, actor: Actor, { scope, days, minSample }: PrecisionQuery) {
  if (scope === 'all' && actor.staffRole === null) throw staffRefusal(actor)
  const since = before(app.clock.now(), { days })
  const { orgId } = actor
  const counts =
    scope === 'org'
      ? await app.db.tx(orgId, (tx) => countVerdicts(tx, orgId, since))
      : (await app.db.forEachPlacement((tx, reach) => countHere(tx, reach, since))).flat()
  const rules = byRule(counts)
  const sum = (field: 'confirmed' | 'refuted' | 'unproven' | 'unadjudicated') =>
    rules.reduce((total, rule) => total + rule[field], 0)
  const [confirmed, refuted, unproven, unadjudicated] = [
    sum('confirmed'),
    sum('refuted'),
    sum('unproven'),
    sum('unadjudicated'),
  ]
  return {
    scope,
    days,
    findings: confirmed + refuted + unproven + unadjudicated,
    confirmed,
    refuted,
    unadjudicated,
    unproven,
    falsePositiveRate: rateOf(confirmed, refuted),
    noisiestRules: noisiest(rules, minSample),
  }
}

/** Leftover rows of an organisation that moved are counted only in its new placement. */
async function countHere(tx: Tx, reach: TenantScope, since: Date): Promise<RuleVerdictCounts[]> {
  const counts = await countVerdicts(tx, reach === 'platform' ? null : reach, since)
  const here = await filterOrgsPlacedHere(tx, reach, [...new Set(counts.map(({ orgId }) => orgId))])
  return counts.filter(({ orgId }) => here.has(orgId))
}

type Rule = Omit<RuleVerdictCounts, 'orgId'>

function byRule(counts: readonly RuleVerdictCounts[]): Rule[] {
  const rules = new Map<string, Rule>()
  for (const { ruleId, confirmed, refuted, unproven, unadjudicated } of counts) {
    const sum = rules.get(ruleId) ?? { ruleId, confirmed: 0, refuted: 0, unproven: 0, unadjudicated: 0 }
    rules.set(ruleId, {
      ruleId,
      confirmed: sum.confirmed + confirmed,
      refuted: sum.refuted + refuted,
      unproven: sum.unproven + unproven,
      unadjudicated: sum.unadjudicated + unadjudicated,
    })
  }
  return [...rules.values()]
}

/** The highest false positive rate first; ties by the number of verdicts. */
function noisiest(rules: readonly Rule[], minSample: number) {
  return rules
    .filter(({ confirmed, refuted }) => confirmed + refuted >= Math.max(1, minSample))
    .map(({ ruleId, confirmed, refuted }) => ({
      ruleId,
      confirmed,
      refuted,
      falsePositiveRate: refuted / (confirmed + refuted),
    }))
    .toSorted(
      (a, b) =>
        b.falsePositiveRate - a.falsePositiveRate ||
        b.confirmed + b.refuted - (a.confirmed + a.refuted) ||
        (a.ruleId < b.ruleId ? -1 : 1),
    )
    .slice(0, NOISIEST_MAX)
}

const rateOf = (confirmed: number, refuted: number): number | null =>
  confirmed + refuted === 0 ? null : refuted / (confirmed + refuted)

type RuleVerdictCounts = {
  orgId: OrgId
  ruleId: string
  confirmed: number
  refuted: number
  unproven: number
  unadjudicated: number
}

/** Counts by organisation and rule, for one organisation or for all in this placement. Verdicts from history count as none. */
function countVerdicts(tx: Tx, org: OrgId | null, since: Date): Promise<RuleVerdictCounts[]> {
  return tx.content.rows<RuleVerdictCounts>`
    select org_id as "orgId", rule_id as "ruleId",
           (count(*) filter (where status = 'confirmed' and adjudicated_by <> 'history'))::int as confirmed,
           (count(*) filter (where status = 'refuted' and adjudicated_by <> 'history'))::int as refuted,
           (count(*) filter (where status = 'unproven' and adjudicated_by <> 'history'))::int as unproven,
           (count(*) filter (where status = 'unadjudicated' or adjudicated_by = 'history'))::int as unadjudicated
    from review_findings
    where created_at >= ${since} and (${org}::text is null or org_id = ${org})
    group by org_id, rule_id`
}
