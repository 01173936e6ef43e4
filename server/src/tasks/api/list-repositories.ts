// The repositories and branches that a task can start from.
import {
  createInstallationToken,
  type InstalledRepository,
  listBranches,
  listRepositories,
} from '../../github/github.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { findInstallation, type Installation, mayOpenRepository } from '../../review/review.ts'
import { confirmAccess, openContents, toReadingError } from '../repository/access.ts'

const REPOSITORIES_MAX = 100
const BRANCHES_MAX = 100
/** Each repository without a common proof needs a separate request. */
const PROOFS_MAX = 30

/** Names of repositories that the organisation may not open are not shown. */
export async function listOpenRepositories(app: App, actor: Actor, id: string, signal: AbortSignal) {
  const installation = await requireActiveInstallation(app, actor, id)
  try {
    const scope = { permissions: { metadata: 'read' } } as const
    const token = await createInstallationToken(app, Number(installation.externalId), scope, signal)
    const found = await listRepositories(app, token, REPOSITORIES_MAX)
    const open = await keepOpen(app, actor, installation, found, signal)
    return {
      repositories: open.map(({ full_name: repository, default_branch: defaultBranch }) => ({
        repository,
        defaultBranch,
      })),
      isWhole: found.length < REPOSITORIES_MAX,
    }
  } catch (error) {
    throw toReadingError(error)
  }
}

async function keepOpen(
  app: App,
  { orgId }: Actor,
  { externalId }: Installation,
  found: readonly InstalledRepository[],
  signal: AbortSignal,
): Promise<readonly InstalledRepository[]> {
  const mayOpen = (repository: string) =>
    mayOpenRepository(app, { orgId, externalId: Number(externalId), repository, signal })
  const owner = found[0]?.full_name.split('/')[0]
  // The repository .github of an owner speaks for all of its repositories.
  if (owner === undefined || (await mayOpen(`${owner}/.github`))) return found
  const open: InstalledRepository[] = []
  for (const each of found.slice(0, PROOFS_MAX)) if (await mayOpen(each.full_name)) open.push(each)
  return open
}

export async function listRepositoryBranches(
  app: App,
  actor: Actor,
  { id, repository }: { readonly id: string; readonly repository: string },
  signal: AbortSignal,
) {
  const installation = await requireActiveInstallation(app, actor, id)
  try {
    const externalId = Number(installation.externalId)
    if (!(await mayOpenRepository(app, { orgId: actor.orgId, externalId, repository, signal })))
      throw new ApiError('repository_not_found')
    const info = await confirmAccess(app, { installation, repository, signal })
    const names = await listBranches(await openContents(app, installation, info, signal), BRANCHES_MAX)
    const others = names.filter((name) => name !== info.defaultBranch)
    return {
      defaultBranch: info.defaultBranch,
      branches: [info.defaultBranch, ...others],
      isWhole: names.length < BRANCHES_MAX,
    }
  } catch (error) {
    throw toReadingError(error)
  }
}

async function requireActiveInstallation(app: App, { orgId }: Actor, id: string): Promise<Installation> {
  const installation = await app.db.tx(orgId, (tx) => findInstallation(tx, orgId, id))
  if (!installation) throw new ApiError('not_found')
  if (installation.forge !== 'github') throw new ApiError('installation_unavailable')
  if (!app.config.github) throw new ApiError('not_configured')
  if (installation.status !== 'active') throw new ApiError('installation_unavailable')
  return installation
}
