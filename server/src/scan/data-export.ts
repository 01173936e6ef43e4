// The rules of an organisation in its data export, and their deletion.
import type { OrgId } from '../kernel/ids.ts'
import type { App } from '../platform/app.ts'
import type { TenantData } from '../platform/data-export.ts'
import { byTime } from '../platform/data-export-readers.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { TimeCursor } from '../platform/http/page.ts'

type ExportRow = { id: string; createdAt: Date }

const rulesAfter = (tx: Tx, org: OrgId, after: TimeCursor, limit: number) =>
  tx.rows<ExportRow>`
    select rule_id as id, yaml, is_enabled as enabled, created_at as "createdAt", updated_at as "updatedAt"
    from scan_rules where org_id = ${org} and (created_at, rule_id) > (${after.at}, ${after.id})
    order by created_at, rule_id limit ${limit}`

const deleteOrgRules = async (tx: Tx, org: OrgId): Promise<void> => {
  await tx.rows`delete from scan_rules where org_id = ${org}`
}

export const scanTenantData: TenantData<App> = {
  exports: { customRules: byTime(rulesAfter, ({ createdAt, id }: ExportRow) => [createdAt, id]) },
  tables: ['scan_rules'],
  withheld: {},
  close: (_app, tx, { orgId }) => deleteOrgRules(tx, orgId),
  erase: (app, orgId) => app.db.tx(orgId, (tx) => deleteOrgRules(tx, orgId)),
}
