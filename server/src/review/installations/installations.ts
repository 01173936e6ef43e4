// Installations as those see and change them who have claimed them.
import { record } from '../../audit/audit.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { findPermissionGaps, REQUIRED_PERMISSIONS } from '../github/permissions.ts'
import {
  findInstallation,
  type Installation,
  type InstallationSettings,
  listOrgInstallations,
  setInstallationSettings,
} from './installations-sql.ts'

export const toInstallationReply = ({
  id,
  externalId,
  accountLogin,
  accountType,
  status,
  repositorySelection,
  blockingPolicy,
  inlineComments,
  validationEnabled,
  createdAt,
  updatedAt,
  removedAt,
}: Installation) => ({
  id,
  installationId: Number(externalId),
  account: accountLogin,
  accountType,
  status,
  repositorySelection,
  blockingPolicy,
  inlineComments,
  validationEnabled,
  createdAt,
  updatedAt,
  removedAt,
})

export async function listInstallations(app: App, { orgId }: Actor) {
  const found = await app.db.tx(orgId, (tx) => listOrgInstallations(tx, orgId))
  return { installations: found.map(toInstallationReply) }
}

/** What is left out stays as it is. */
export type SettingsChange = {
  readonly [K in keyof InstallationSettings]?: InstallationSettings[K] | undefined
}

export function changeSettings(app: App, actor: Actor, id: string, wanted: SettingsChange, ip: string) {
  const { orgId } = actor
  if (wanted.validationEnabled && !app.config.pullRequestValidation)
    return app.db.tx(orgId, async (tx) => {
      await requireInstallation(tx, orgId, id)
      throw new ApiError('validation_not_enabled')
    })
  return app.db.tx(orgId, async (tx) => {
    const before = await requireInstallation(tx, orgId, id)
    await setInstallationSettings(tx, orgId, id, {
      blockingPolicy: wanted.blockingPolicy ?? before.blockingPolicy,
      inlineComments: wanted.inlineComments ?? before.inlineComments,
      validationEnabled: wanted.validationEnabled ?? before.validationEnabled,
    })
    const after = await requireInstallation(tx, orgId, id)
    await record(tx, {
      orgId,
      actor,
      ip,
      action: 'vcs.installations.change',
      target: id,
      metadata: { ...wanted },
    })
    return toInstallationReply(after)
  })
}

export async function readPermissions(app: App, { orgId }: Actor, id: string) {
  const { permissions, events } = await app.db.tx(orgId, (tx) => requireInstallation(tx, orgId, id))
  return {
    required: REQUIRED_PERMISSIONS.map((each) => ({ ...each })),
    granted: { ...permissions },
    events: [...events],
    gaps: findPermissionGaps(permissions, events).map((gap) => ({ ...gap })),
  }
}

async function requireInstallation(tx: Tx, orgId: OrgId, id: string): Promise<Installation> {
  const found = await findInstallation(tx, orgId, id)
  if (!found) throw new ApiError('not_found')
  return found
}
