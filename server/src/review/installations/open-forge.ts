// Opens the repository of a review at its code host.
import { createBitbucketForge } from '../../bitbucket/bitbucket.ts'
import type { Forge } from '../../forge/forge.ts'
import {
  createGithubForge,
  createInstallationToken,
  fetchInstallation,
  isRefusal,
  tokenPermissions,
} from '../../github/github.ts'
import { createGitlabForge } from '../../gitlab/gitlab.ts'
import { present } from '../../kernel/assert.ts'
import type { App } from '../../platform/app.ts'
import type { ReviewRun } from '../runs/runs-sql.ts'
import { openToken } from './connections.ts'
import { type Installation, setGrant } from './installations-sql.ts'

export type ForgeTarget = Pick<ReviewRun, 'orgId' | 'repo' | 'repoId'>
/** The installation with its current permissions. */
export type OpenedForge = { readonly forge: Forge; readonly installation: Installation }

export async function openForge(
  app: App,
  installation: Installation,
  target: ForgeTarget,
  signal: AbortSignal,
): Promise<OpenedForge> {
  const { gitlab, bitbucket } = app.config.forgeHosts
  const { forge, hostId } = installation
  if (forge !== 'github') {
    const token = openToken(app, installation)
    const project = present(hostId, 'a connection names its repository')
    const opened =
      forge === 'gitlab'
        ? createGitlabForge({ ...gitlab, token, project, signal })
        : createBitbucketForge({ ...bitbucket, token, repository: target.repo, signal })
    return { forge: opened, installation }
  }
  const { token, installation: current } = await createReviewToken(app, target, installation, signal)
  return {
    forge: createGithubForge({ app, token, name: target.repo, signal }),
    installation: current,
  }
}

/** A token for this repository only. GitHub answers 422 if permissions were revoked; then they are fetched again. */
async function createReviewToken(
  app: App,
  run: ForgeTarget,
  installation: Installation,
  signal: AbortSignal,
) {
  const externalId = Number(installation.externalId)
  const mint = (granted: Installation['permissions']) =>
    createInstallationToken(
      app,
      externalId,
      { repositoryIds: [Number(run.repoId)], permissions: tokenPermissions(granted) },
      signal,
    )
  try {
    return { token: await mint(installation.permissions), installation }
  } catch (error) {
    if (!isRefusal(error, 422)) throw error
    const {
      permissions,
      events,
      repository_selection: repositorySelection,
    } = await fetchInstallation(app, externalId, signal)
    await app.db.tx(run.orgId, (tx) => setGrant(tx, externalId, { permissions, events, repositorySelection }))
    return { token: await mint(permissions), installation: { ...installation, permissions, events } }
  }
}
