import type { App } from '../platform/app.ts'
import type { TenantData } from '../platform/data-export.ts'
import { deleteDeviceLogins } from './device/sql.ts'

export const signInData: TenantData<App> = {
  withheld: { device_logins: 'device logins expire after minutes, and their keys are exported as API keys' },
  // An uncollected approval would otherwise become a key of the closed organisation.
  close: (_app, tx, { orgId }) => deleteDeviceLogins(tx, orgId),
}
