// What is heard of installations: they are suspended, removed, or allow something else than before. One that nobody has claimed
// is nobody's business yet. A message can be sent again under another name, long after it was true: only one that tells of a
// later change than we know of is believed, and of any other GitHub itself is asked what holds.
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { GithubLimited, GithubUnavailable, isRefusal } from '../github/errors.ts'
import { type GithubInstallation, installationOf } from '../github/installation.ts'
import type { InstallationMessage } from '../github/webhook-payloads.ts'
import {
  claimantOf,
  type GrantedNow,
  type Installation,
  keepChange,
  setGranted,
  setStatus,
} from '../installations/installations-sql.ts'
import { supersedeOf } from '../runs/runs-sql.ts'
import { isTaken, takeDelivery } from './pulls-sql.ts'
import type { Heard } from './receive.ts'

type Claimant = Pick<Installation, 'id' | 'orgId'> & { readonly externalId: number }
/** What holds from now on; what is left out stays. */
type Told = { readonly status?: Installation['status']; readonly granted?: GrantedNow }

const STATUSES: Readonly<Record<string, Installation['status']>> = {
  deleted: 'removed',
  suspend: 'suspended',
  unsuspend: 'active',
}

export async function hearInstallation(
  app: App,
  delivery: string,
  event: string,
  message: InstallationMessage,
): Promise<Heard> {
  const externalId = message.installation.id
  const found = await app.db.tx('platform', (tx) => claimantOf(tx, externalId))
  if (!found) return 'ignored'
  const claimant = { ...found, externalId }
  const heard = await app.db.tx(claimant.orgId, async (tx) => {
    if (await isTaken(tx, delivery)) return 'duplicate'
    const { updated_at: changedAt } = message.installation
    if (changedAt !== null && !(await keepChange(tx, externalId, changedAt))) return null
    return note(tx, delivery, claimant, toldBy(event, message))
  })
  if (heard !== null) return heard
  const told = await askedOf(app, externalId)
  return app.db.tx(claimant.orgId, (tx) => note(tx, delivery, claimant, told))
}

async function note(
  tx: Tx,
  delivery: string,
  { id, orgId, externalId }: Claimant,
  { status, granted }: Told,
): Promise<Heard> {
  if (!(await takeDelivery(tx, delivery))) return 'duplicate'
  if (status) await setStatus(tx, externalId, status)
  // Work that is under way ends before its next step.
  if (status && status !== 'active') await supersedeOf(tx, orgId, id, `installation_${status}`)
  if (granted) await setGranted(tx, externalId, granted)
  return 'noted'
}

function toldBy(event: string, { action, installation }: InstallationMessage): Told {
  const status = event === 'installation' ? STATUSES[action] : undefined
  const isTold = Object.keys(installation.permissions).length > 0
  return {
    ...(status && { status }),
    ...(isTold && (!status || status === 'active') && { granted: grantedOf(installation) }),
  }
}

/** One that GitHub does not know any more was removed. */
async function askedOf(app: App, externalId: number): Promise<Told> {
  try {
    const installation = await installationOf(app, externalId)
    return { status: installation.suspended_at ? 'suspended' : 'active', granted: grantedOf(installation) }
  } catch (error) {
    if (isRefusal(error, 404)) return { status: 'removed' }
    // Nothing was noted, so that the message can be sent again.
    if (error instanceof GithubLimited || error instanceof GithubUnavailable)
      throw Object.assign(new ApiError('busy'), { cause: error })
    throw error
  }
}

const grantedOf = ({
  permissions,
  events,
  repository_selection: repositorySelection,
}: Pick<GithubInstallation, 'permissions' | 'events' | 'repository_selection'>): GrantedNow => ({
  permissions,
  events,
  repositorySelection,
})
