// Requests of programs that somebody has let into an organisation, at its end.
import type { OrgId } from '../kernel/ids.ts'
import type { Tx } from '../platform/db/tx.ts'

export async function deleteDeviceLogins(tx: Tx, org: OrgId): Promise<void> {
  await tx.rows`delete from device_logins where org_id = ${org}`
}
