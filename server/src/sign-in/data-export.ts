import type { Owned } from '../platform/owned.ts'
import { deleteDeviceLogins } from './device/sql.ts'

export const signInData: Owned = {
  withheld: { device_logins: 'they live for minutes, and their key is listed once it is made' },
  // What was approved and not collected yet would become a key of an organisation that is gone.
  close: (_app, tx, { orgId }) => deleteDeviceLogins(tx, orgId),
}
