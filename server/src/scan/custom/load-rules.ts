// The rules of an organisation for its scans.
import type { CustomRule } from '@cowrie/analysis/custom/custom-rule.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import { parseStoredRule } from './rule-form.ts'
import { listRules } from './rules-sql.ts'

/** The enabled rules that this version understands. */
export async function loadCustomRules(app: Pick<App, 'db'>, orgId: OrgId): Promise<CustomRule[]> {
  const stored = await app.db.tx(orgId, (tx) => listRules(tx, orgId))
  return stored.flatMap(({ yaml, isEnabled }) => (isEnabled ? (parseStoredRule(yaml) ?? []) : []))
}
