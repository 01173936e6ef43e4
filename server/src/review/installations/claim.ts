// Claims an installation for an organisation. It must exist on GitHub and be unclaimed, and the caller must prove write access
// to one of its repositories. The installation number alone proves nothing, because it can be guessed.
import { record } from '../../audit/audit.ts'
import {
  createInstallationToken,
  fetchInstallation,
  type GithubInstallation,
  GithubRateLimit,
  GithubUnavailable,
  hasPermission,
  isRefusal,
  listRepositories,
} from '../../github/github.ts'
import { ApiError } from '../../kernel/errors.ts'
import { newId, type OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import { type AttemptLimit, countAttempt } from '../../platform/attempts/attempts.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { POLICY_PATH } from '../pull/repo-policy.ts'
import { toInstallationReply } from './installations.ts'
import {
  findClaim,
  findInstallation,
  type InstallationId,
  insertInstallation,
  removeEarlierInstallations,
} from './installations-sql.ts'
import { namesOrganisation } from './repository-proof.ts'

const CLAIMS: AttemptLimit = { name: 'review.claims', most: 30, withinSeconds: 3_600 }
const REPOSITORIES_MAX = 10

export async function claimInstallation(app: App, actor: Actor, externalId: number, ip: string) {
  if (!app.config.github) throw new ApiError('not_configured')
  await countClaim(app, actor.orgId)
  const before = await app.db.tx('platform', (tx) => findClaim(tx, externalId))
  if (before) return showExistingClaim(app, actor, before)
  const found = await requireInstallation(app, externalId)
  if (!(await hasOwnershipProof(app, actor.orgId, found)) && app.config.environment === 'production')
    throw new ApiError('installation_unproven', {
      error: `Ownership of the installation is not proven. Put a file ${POLICY_PATH} with {"org": "${actor.orgId}"} on the default branch of one of its repositories, then claim it again.`,
    })
  const id = newId('inst')
  const isClaimed = await app.db.tx('platform', async (tx) => {
    await removeEarlierInstallations(tx, found.account.id, externalId)
    const {
      permissions,
      events,
      account,
      repository_selection: repositorySelection,
      updated_at: changedAt,
    } = found
    const claim = { id, orgId: actor.orgId, userId: actor.userId, externalId, account, permissions, events }
    if (!(await insertInstallation(tx, { ...claim, repositorySelection, changedAt }))) return false
    const metadata = { installationId: externalId, account: account.login }
    await record(tx, {
      orgId: actor.orgId,
      actor,
      ip,
      action: 'vcs.installations.claim',
      target: id,
      metadata,
    })
    return true
  })
  if (isClaimed) return readInstallation(app, actor.orgId, id)
  const winner = await app.db.tx('platform', (tx) => findClaim(tx, externalId))
  if (!winner) throw new ApiError('busy')
  return showExistingClaim(app, actor, winner)
}

/** A repeated claim of the same organisation succeeds without a change. */
function showExistingClaim(app: App, { orgId }: Actor, claim: { id: InstallationId; orgId: OrgId }) {
  if (claim.orgId !== orgId) throw new ApiError('installation_claimed')
  return readInstallation(app, orgId, claim.id)
}

async function readInstallation(app: App, orgId: OrgId, id: InstallationId) {
  const installation = await app.db.tx(orgId, (tx) => findInstallation(tx, orgId, id))
  if (!installation) throw new ApiError('not_found')
  return toInstallationReply(installation)
}

async function countClaim(app: App, orgId: OrgId): Promise<void> {
  const { allowed, retryAfter } = await countAttempt(app, app.db.direct, CLAIMS, orgId)
  if (!allowed) throw new ApiError('too_many_attempts', { retryAfter })
}

async function requireInstallation(app: App, externalId: number): Promise<GithubInstallation> {
  const found = await nullIfRefused(fetchInstallation(app, externalId))
  if (!found || found.id !== externalId) throw new ApiError('not_found')
  if (found.suspended_at) throw new ApiError('installation_suspended')
  return found
}

/** Looks for a policy file that names the organisation, which only people with write access can add. */
async function hasOwnershipProof(app: App, orgId: OrgId, found: GithubInstallation): Promise<boolean> {
  if (!hasPermission(found.permissions, 'contents', 'read')) return false
  const scope = { permissions: { contents: 'read', metadata: 'read' } } as const
  const token = await nullIfRefused(createInstallationToken(app, found.id, scope))
  if (token === null) return false
  const repositories = (await nullIfRefused(listRepositories(app, token, REPOSITORIES_MAX))) ?? []
  for (const { full_name: fullName, default_branch: branch } of repositories) {
    const isNamed = await nullIfRefused(
      namesOrganisation(app, { orgId, token, repository: fullName, branch }),
    )
    if (isNamed) return true
  }
  return false
}

/** Null when GitHub refuses. An outage or a rate limit does not decide the claim, so it throws. */
async function nullIfRefused<T>(request: Promise<T>): Promise<T | null> {
  try {
    return await request
  } catch (error) {
    if (isRefusal(error)) return null
    if (error instanceof GithubRateLimit || error instanceof GithubUnavailable)
      throw Object.assign(new ApiError('github_unavailable'), { cause: error })
    throw error
  }
}
