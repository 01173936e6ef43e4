// Statements for the rules of organisations.
import type { OrgId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db/tx.ts'

export type StoredRule = {
  ruleId: string
  yaml: string
  isEnabled: boolean
  createdAt: Date
  updatedAt: Date
}

export const listRules = (tx: Tx, org: OrgId) =>
  tx.rows<StoredRule>`
    select rule_id as "ruleId", yaml, is_enabled as "isEnabled", created_at as "createdAt", updated_at as "updatedAt"
    from scan_rules where org_id = ${org} order by rule_id`

export async function countOtherRules(tx: Tx, org: OrgId, ruleId: string): Promise<number> {
  const { count } = await tx.one<{ count: number }>`
    select count(*)::int as count from scan_rules where org_id = ${org} and rule_id <> ${ruleId}`
  return count
}

export const storeRule = (
  tx: Tx,
  org: OrgId,
  { ruleId, yaml, isEnabled, by }: Pick<StoredRule, 'ruleId' | 'yaml' | 'isEnabled'> & { by: string },
) =>
  tx.one<StoredRule>`
    insert into scan_rules (org_id, rule_id, yaml, is_enabled, updated_by, created_at, updated_at)
    values (${org}, ${ruleId}, ${yaml}, ${isEnabled}, ${by}, ${tx.now}, ${tx.now})
    on conflict (org_id, rule_id) do update
      set yaml = excluded.yaml, is_enabled = excluded.is_enabled, updated_by = excluded.updated_by, updated_at = excluded.updated_at
    returning rule_id as "ruleId", yaml, is_enabled as "isEnabled", created_at as "createdAt", updated_at as "updatedAt"`

/** Whether there was one. */
export async function deleteRule(tx: Tx, org: OrgId, ruleId: string): Promise<boolean> {
  const rows =
    await tx.rows`delete from scan_rules where org_id = ${org} and rule_id = ${ruleId} returning rule_id`
  return rows.length > 0
}
