// The rules of a scan besides the catalogue: those of the organisation and the advisories of the operator.
import type { OrgId } from '../kernel/ids.ts'
import type { App } from '../platform/app.ts'
import { loadAdvisories } from './advisories/advisories.ts'
import { loadCustomRules } from './custom/load-rules.ts'

export async function loadScanRules(app: Pick<App, 'db' | 'config' | 'log'>, orgId: OrgId) {
  const [customRules, advisories] = await Promise.all([loadCustomRules(app, orgId), loadAdvisories(app)])
  return { customRules, advisories }
}
