// The parts that all changes of providers and models share.
import { record } from '../../audit/audit.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { getStore } from '../catalogue/store.ts'
import * as sql from '../sql.ts'

/** The staff member who makes a change, and their IP address. */
export type ChangeAuthor = { readonly actor: Actor; readonly ip: string }

/** Applies a change. It is effective in this process on return, and on every replica within seconds. */
export async function change<T>(app: App, work: (tx: Tx) => Promise<T>): Promise<T> {
  const result = await app.db.tx('platform', async (tx) => {
    await sql.lockForChange(tx)
    tx.notify('models', 'changed')
    return work(tx)
  })
  await getStore(app).refresh()
  return result
}

export const recordChange = (
  tx: Tx,
  { actor, ip }: ChangeAuthor,
  action: string,
  target: string,
  metadata: object,
): Promise<void> => record(tx, { orgId: null, actor, as: 'operator', ip, action, target, metadata })

/** Addresses, keys and prices are as sensitive as the settings of the same kind, which only a super admin may change. */
export function requireSuperAdmin({ actor }: ChangeAuthor, subject: string): void {
  if (actor.staffRole !== 'super_admin')
    throw new ApiError('staff_only', { error: `Only a super admin may change ${subject}.` })
}
