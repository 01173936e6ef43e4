// What is heard of installations: they are suspended, removed, or allow something else than before. One that nobody has claimed
// is nobody's business yet. A message can be sent again under another name, long after it was true: only one that tells of a
// later change than we know of is believed, and of any other GitHub itself is asked what holds.
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { GithubRateLimit, GithubUnavailable, isRefusal } from '../github/errors.ts'
import { fetchInstallation, type GithubInstallation } from '../github/installation.ts'
import type { InstallationPayload } from '../github/webhook-payloads.ts'
import {
  advanceChangedAt,
  findClaim,
  type Grant,
  type Installation,
  setGrant,
  setInstallationStatus,
} from '../installations/installations-sql.ts'
import { supersedeInstallationRuns } from '../runs/runs-sql.ts'
import { isDeliveryKnown, recordDelivery } from './pulls-sql.ts'
import type { WebhookResult } from './receive.ts'

type Claimant = Pick<Installation, 'id' | 'orgId'> & { readonly externalId: number }
/** What holds from now on; what is left out stays. */
type InstallationUpdate = { readonly status?: Installation['status']; readonly granted?: Grant }

const STATUSES: Readonly<Record<string, Installation['status']>> = {
  deleted: 'removed',
  suspend: 'suspended',
  unsuspend: 'active',
}

export async function handleInstallationEvent(
  app: App,
  delivery: string,
  event: string,
  message: InstallationPayload,
): Promise<WebhookResult> {
  const externalId = message.installation.id
  const found = await app.db.tx('platform', (tx) => findClaim(tx, externalId))
  if (!found) return 'ignored'
  const claimant = { ...found, externalId }
  const heard = await app.db.tx(claimant.orgId, async (tx) => {
    if (await isDeliveryKnown(tx, delivery)) return 'duplicate'
    const { updated_at: changedAt } = message.installation
    if (changedAt !== null && !(await advanceChangedAt(tx, externalId, changedAt))) return null
    return applyUpdate(tx, delivery, claimant, readUpdate(event, message))
  })
  if (heard !== null) return heard
  const told = await fetchUpdate(app, externalId)
  return app.db.tx(claimant.orgId, (tx) => applyUpdate(tx, delivery, claimant, told))
}

async function applyUpdate(
  tx: Tx,
  delivery: string,
  { id, orgId, externalId }: Claimant,
  { status, granted }: InstallationUpdate,
): Promise<WebhookResult> {
  if (!(await recordDelivery(tx, delivery))) return 'duplicate'
  if (status) await setInstallationStatus(tx, externalId, status)
  // Work that is under way ends before its next step.
  if (status && status !== 'active') await supersedeInstallationRuns(tx, orgId, id, `installation_${status}`)
  if (granted) await setGrant(tx, externalId, granted)
  return 'noted'
}

function readUpdate(event: string, { action, installation }: InstallationPayload): InstallationUpdate {
  const status = event === 'installation' ? STATUSES[action] : undefined
  const isTold = Object.keys(installation.permissions).length > 0
  return {
    ...(status && { status }),
    ...(isTold && (!status || status === 'active') && { granted: toGrant(installation) }),
  }
}

/** One that GitHub does not know any more was removed. */
async function fetchUpdate(app: App, externalId: number): Promise<InstallationUpdate> {
  try {
    const installation = await fetchInstallation(app, externalId)
    return { status: installation.suspended_at ? 'suspended' : 'active', granted: toGrant(installation) }
  } catch (error) {
    if (isRefusal(error, 404)) return { status: 'removed' }
    // Nothing was noted, so that the message can be sent again.
    if (error instanceof GithubRateLimit || error instanceof GithubUnavailable)
      throw Object.assign(new ApiError('busy'), { cause: error })
    throw error
  }
}

const toGrant = ({
  permissions,
  events,
  repository_selection: repositorySelection,
}: Pick<GithubInstallation, 'permissions' | 'events' | 'repository_selection'>): Grant => ({
  permissions,
  events,
  repositorySelection,
})
