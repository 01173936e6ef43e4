// Installations as those see and change them who have claimed them.
import { record } from '../../audit/audit.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { gapsOf, REQUIRED } from '../github/permissions.ts'
import {
  findInstallation,
  type Installation,
  installationsOf,
  type Settings,
  setSettings,
} from './installations-sql.ts'

export const shownInstallation = ({
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
  const found = await app.db.tx(orgId, (tx) => installationsOf(tx, orgId))
  return { installations: found.map(shownInstallation) }
}

/** What is left out stays as it is. */
export type WantedSettings = { readonly [K in keyof Settings]?: Settings[K] | undefined }

export function changeSettings(app: App, actor: Actor, id: string, wanted: WantedSettings, ip: string) {
  const { orgId } = actor
  if (wanted.validationEnabled && !app.config.pullRequestValidation)
    return app.db.tx(orgId, async (tx) => {
      await requireInstallation(tx, orgId, id)
      throw new ApiError('validation_not_enabled')
    })
  return app.db.tx(orgId, async (tx) => {
    const before = await requireInstallation(tx, orgId, id)
    await setSettings(tx, orgId, id, {
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
    return shownInstallation(after)
  })
}

export async function showPermissions(app: App, { orgId }: Actor, id: string) {
  const { permissions, events } = await app.db.tx(orgId, (tx) => requireInstallation(tx, orgId, id))
  return {
    required: REQUIRED.map((each) => ({ ...each })),
    granted: { ...permissions },
    events: [...events],
    gaps: gapsOf(permissions, events).map((gap) => ({ ...gap })),
  }
}

async function requireInstallation(tx: Tx, orgId: OrgId, id: string): Promise<Installation> {
  const found = await findInstallation(tx, orgId, id)
  if (!found) throw new ApiError('not_found')
  return found
}
