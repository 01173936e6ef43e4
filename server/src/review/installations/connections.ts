// Connections: single repositories of GitLab and Bitbucket, with a token of the customer. The token is the proof of access, so it
// is checked first. Tokens and webhook secrets are stored sealed.
import { createHash, randomBytes } from 'node:crypto'
import { record } from '../../audit/audit.ts'
import { fetchBitbucketRepository } from '../../bitbucket/bitbucket.ts'
import { FORGE_NAMES, type ForgeKind, ForgeRefusal, isForgeError } from '../../forge/forge.ts'
import { fetchGitlabProject } from '../../gitlab/gitlab.ts'
import { ApiError } from '../../kernel/errors.ts'
import { newId, type OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import { type AttemptLimit, countAttempt } from '../../platform/attempts/attempts.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { sealedColumn } from '../../platform/sealed-data.ts'
import { supersedeInstallationRuns } from '../runs/runs-sql.ts'
import * as sql from './connections-sql.ts'
import { toInstallationReply } from './installations.ts'
import { findInstallation, type Installation, type InstallationId } from './installations-sql.ts'

export type ConnectionForge = Exclude<ForgeKind, 'github'>
export type ConnectionInput = {
  readonly forge: ConnectionForge
  /** `group/project` or `workspace/repository`. */
  readonly repository: string
  readonly token: string
}

const CONNECTS: AttemptLimit = { name: 'review.connects', most: 30, withinSeconds: 3_600 }
const SECRET_BYTES = 24

/** Connecting a repository again replaces its token and its webhook secret. */
export async function connectRepository(app: App, actor: Actor, input: ConnectionInput, ip: string) {
  const { orgId } = actor
  const { allowed, retryAfter } = await countAttempt(app, app.db.direct, CONNECTS, orgId)
  if (!allowed) throw new ApiError('too_many_attempts', { retryAfter })
  const { hostId, repo } = await checkToken(app, input)
  const secret = randomBytes(SECRET_BYTES).toString('base64url')
  const externalId = hostNumber(input.forge, hostId, orgId)
  const id = await app.db.tx(orgId, async (tx) => {
    await tx.lock(`connection ${orgId} ${externalId}`)
    const known = await sql.findConnectionId(tx, orgId, externalId)
    const installationId = known ?? newId('inst')
    const sealed = {
      tokenSealed: app.secrets.seal(input.token, tokenContext(installationId)),
      webhookSealed: app.secrets.seal(secret, webhookContext(installationId)),
    }
    if (known) await sql.renewConnection(tx, orgId, known, { ...sealed, repo })
    else
      await sql.insertConnection(tx, {
        ...sealed,
        ...{ id: installationId, orgId, userId: actor.userId, externalId },
        ...{ forge: input.forge, hostId, repo },
      })
    const metadata = { forge: input.forge, repository: repo }
    await record(tx, { orgId, actor, ip, action: 'vcs.connections.create', target: installationId, metadata })
    return installationId
  })
  const installation = await app.db.tx(orgId, (tx) => findInstallation(tx, orgId, id))
  if (!installation) throw new ApiError('not_found')
  return {
    installation: toInstallationReply(installation),
    webhook: { url: `${app.config.baseUrl}/webhooks/${input.forge}/${id}`, secret },
  }
}

export function disconnectRepository(app: App, actor: Actor, id: string, ip: string) {
  const { orgId } = actor
  return app.db.tx(orgId, async (tx) => {
    const found = await findInstallation(tx, orgId, id)
    if (!found || found.forge === 'github') throw new ApiError('not_found')
    if (found.status !== 'removed') {
      await sql.removeConnection(tx, orgId, found.id)
      await supersedeInstallationRuns(tx, orgId, found.id, 'installation_removed')
      const metadata = { forge: found.forge, repository: found.repo }
      await record(tx, { orgId, actor, ip, action: 'vcs.connections.remove', target: id, metadata })
    }
    const after = await findInstallation(tx, orgId, id)
    if (!after) throw new ApiError('not_found')
    return toInstallationReply(after)
  })
}

/** The repository as the host names it. */
async function checkToken(app: App, { forge, repository, token }: ConnectionInput) {
  const { gitlab, bitbucket } = app.config.forgeHosts
  const signal = undefined
  try {
    if (forge === 'gitlab') {
      const project = await fetchGitlabProject({ ...gitlab, token, project: repository, signal })
      return { hostId: String(project.id), repo: project.path_with_namespace }
    }
    const found = await fetchBitbucketRepository({ ...bitbucket, token, repository, signal })
    return { hostId: found.uuid, repo: found.full_name }
  } catch (error) {
    if (error instanceof ForgeRefusal)
      throw Object.assign(
        new ApiError('not_found', {
          error: `${FORGE_NAMES[forge]} does not show this repository to the token. Check the path, and that the token is valid.`,
        }),
        { cause: error },
      )
    if (isForgeError(error)) throw Object.assign(new ApiError('forge_unavailable'), { cause: error })
    throw error
  }
}

/** Far above the numbers of GitHub, so that the numbers of hosts never meet. */
export function hostNumber(...parts: readonly [ForgeKind, ...string[]]): number {
  const digest = createHash('sha256').update(parts.join('\n')).digest('hex')
  return 2 ** 48 + Number.parseInt(digest.slice(0, 12), 16)
}

/** The number of a repository in our tables. */
export const repositoryNumber = (forge: ConnectionForge, hostId: string): number => hostNumber(forge, hostId)

const tokenContext = (id: InstallationId): string => `vcs token ${id}`
const webhookContext = (id: string): string => `vcs webhook ${id}`

export const sealedConnections = [
  sealedColumn({
    name: 'vcs_installations.token_sealed',
    list: sql.listTokenTexts,
    replace: sql.replaceTokenTexts,
    contextOf: (id) => tokenContext(id as InstallationId),
  }),
  sealedColumn({
    name: 'vcs_installations.webhook_sealed',
    list: sql.listWebhookTexts,
    replace: sql.replaceWebhookTexts,
    contextOf: webhookContext,
  }),
]

export const openToken = (app: App, { id, tokenSealed }: Installation): string =>
  app.secrets.open(tokenSealed ?? '', tokenContext(id))

export const openWebhookSecret = (app: App, id: string, sealed: string): string =>
  app.secrets.open(sealed, webhookContext(id))

export type ConnectionClaim = { readonly id: InstallationId; readonly orgId: OrgId }
