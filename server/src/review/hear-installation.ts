// What is heard of installations: they are suspended, removed, or allow something else than before. One that nobody has claimed
// is nobody's business yet.
import type { App } from '../platform/app.ts'
import type { InstallationMessage } from './github/messages.ts'
import { takeDelivery } from './heard-sql.ts'
import { supersedeOf } from './sql.ts'
import { claimantOf, type Installation, setGranted, setStatus } from './vcs-sql.ts'
import type { Heard } from './webhook.ts'

const STATUSES: Readonly<Record<string, Installation['status']>> = {
  deleted: 'removed',
  suspend: 'suspended',
  unsuspend: 'active',
}

export async function hearInstallation(
  app: App,
  delivery: string,
  event: string,
  { action, installation }: InstallationMessage,
): Promise<Heard> {
  const claimant = await app.db.tx('platform', (tx) => claimantOf(tx, installation.id))
  if (!claimant) return 'ignored'
  const status = event === 'installation' ? STATUSES[action] : undefined
  return app.db.tx(claimant.orgId, async (tx) => {
    if (!(await takeDelivery(tx, delivery))) return 'duplicate'
    if (status) await setStatus(tx, installation.id, status)
    // Work that is under way ends before its next step.
    if (status && status !== 'active')
      await supersedeOf(tx, claimant.orgId, claimant.id, `installation_${status}`)
    const isTold = Object.keys(installation.permissions).length > 0
    if (isTold && (!status || status === 'active'))
      await setGranted(tx, installation.id, {
        permissions: installation.permissions,
        events: installation.events,
        repositorySelection: installation.repository_selection,
      })
    return 'noted'
  })
}
