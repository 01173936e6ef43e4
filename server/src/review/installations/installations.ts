// Lists the installations of an organisation and changes their settings.
import { record } from '../../audit/audit.ts'
import { findPermissionGaps, listOptionalPermissions, REQUIRED_PERMISSIONS } from '../../github/github.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
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
  threadReplies,
  forge,
  repo,
  createdAt,
  updatedAt,
  removedAt,
}: Installation) => ({
  id,
  forge,
  repository: repo,
  installationId: Number(externalId),
  account: accountLogin,
  accountType,
  status,
  repositorySelection,
  blockingPolicy,
  inlineComments,
  validationEnabled,
  threadReplies,
  createdAt,
  updatedAt,
  removedAt,
})

export async function listInstallations(app: App, { orgId }: Actor) {
  const found = await app.db.tx(orgId, (tx) => listOrgInstallations(tx, orgId))
  return { installations: found.map(toInstallationReply) }
}

/** Omitted settings stay as they are. */
export type SettingsChange = {
  readonly [K in keyof InstallationSettings]?: InstallationSettings[K] | undefined
}

export function changeSettings(app: App, actor: Actor, id: string, change: SettingsChange, ip: string) {
  const { orgId } = actor
  if (change.validationEnabled && !app.config.pullRequestValidation)
    return app.db.tx(orgId, async (tx) => {
      await requireInstallation(tx, orgId, id)
      throw new ApiError('validation_not_enabled')
    })
  return app.db.tx(orgId, async (tx) => {
    const before = await requireInstallation(tx, orgId, id)
    await setInstallationSettings(tx, orgId, id, {
      blockingPolicy: change.blockingPolicy ?? before.blockingPolicy,
      inlineComments: change.inlineComments ?? before.inlineComments,
      validationEnabled: change.validationEnabled ?? before.validationEnabled,
      threadReplies: change.threadReplies ?? before.threadReplies,
    })
    const after = await requireInstallation(tx, orgId, id)
    await record(tx, {
      orgId,
      actor,
      ip,
      action: 'vcs.installations.change',
      target: id,
      metadata: { ...change },
    })
    return toInstallationReply(after)
  })
}

export async function readPermissions(app: App, { orgId }: Actor, id: string) {
  const { permissions, events } = await app.db.tx(orgId, (tx) => requireInstallation(tx, orgId, id))
  return {
    required: REQUIRED_PERMISSIONS.map((each) => ({ ...each })),
    optional: listOptionalPermissions(permissions, events),
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
