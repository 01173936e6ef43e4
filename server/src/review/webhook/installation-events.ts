// Handles installation events: suspended, removed, or changed permissions. Events of unclaimed installations are ignored.
// GitHub can redeliver an outdated event under a new id. Only an event newer than the last known change is trusted; otherwise
// the current state is fetched from GitHub.

import {
  fetchInstallation,
  type GithubInstallation,
  GithubRateLimit,
  GithubUnavailable,
  type InstallationPayload,
  isRefusal,
} from '../../github/github.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import {
  advanceChangedAt,
  findClaim,
  type Grant,
  type Installation,
  setGrant,
  setInstallationStatus,
} from '../installations/installations-sql.ts'
import type { WebhookResult } from '../installations/schema.ts'
import { supersedeInstallationRuns } from '../runs/runs-sql.ts'
import { isDeliveryKnown, recordDelivery } from './pulls-sql.ts'

type InstallationClaim = Pick<Installation, 'id' | 'orgId'> & { readonly externalId: number }
/** The new state. Omitted fields stay as they are. */
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
  payload: InstallationPayload,
): Promise<WebhookResult> {
  const externalId = payload.installation.id
  const found = await app.db.tx('platform', (tx) => findClaim(tx, externalId))
  if (!found) return 'ignored'
  const claim = { ...found, externalId }
  const result = await app.db.tx(claim.orgId, async (tx) => {
    if (await isDeliveryKnown(tx, delivery)) return 'duplicate'
    const { updated_at: changedAt } = payload.installation
    if (changedAt !== null && !(await advanceChangedAt(tx, externalId, changedAt))) return null
    return applyUpdate(tx, delivery, claim, readUpdate(event, payload))
  })
  if (result !== null) return result
  const update = await fetchUpdate(app, externalId)
  return app.db.tx(claim.orgId, (tx) => applyUpdate(tx, delivery, claim, update))
}

async function applyUpdate(
  tx: Tx,
  delivery: string,
  { id, orgId, externalId }: InstallationClaim,
  { status, granted }: InstallationUpdate,
): Promise<WebhookResult> {
  if (!(await recordDelivery(tx, delivery))) return 'duplicate'
  if (status) await setInstallationStatus(tx, externalId, status)
  // A running review stops before its next step.
  if (status && status !== 'active') await supersedeInstallationRuns(tx, orgId, id, `installation_${status}`)
  if (granted) await setGrant(tx, externalId, granted)
  return 'noted'
}

function readUpdate(event: string, { action, installation }: InstallationPayload): InstallationUpdate {
  const status = event === 'installation' ? STATUSES[action] : undefined
  const hasPermissions = Object.keys(installation.permissions).length > 0
  return {
    ...(status && { status }),
    ...(hasPermissions && (!status || status === 'active') && { granted: toGrant(installation) }),
  }
}

/** An installation that GitHub no longer knows was removed. */
async function fetchUpdate(app: App, externalId: number): Promise<InstallationUpdate> {
  try {
    const installation = await fetchInstallation(app, externalId)
    return { status: installation.suspended_at ? 'suspended' : 'active', granted: toGrant(installation) }
  } catch (error) {
    if (isRefusal(error, 404)) return { status: 'removed' }
    // The delivery is not recorded, so GitHub can send it again.
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
