// How often people and models have agreed with each rule.
import type { OrgId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db/tx.ts'

export type RuleVerdictCounts = {
  orgId: OrgId
  ruleId: string
  confirmed: number
  refuted: number
  unproven: number
  unadjudicated: number
}

/** By organisation and rule, for one organisation or for all whose content is here. History repeats verdicts, and gives none. */
export function countVerdicts(tx: Tx, org: OrgId | null, since: Date): Promise<RuleVerdictCounts[]> {
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
