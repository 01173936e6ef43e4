import { createHash } from 'node:crypto'
import type { OrgId } from '../kernel/ids.ts'

/** One repository of one organisation. Paths are unique within it. */
export type RepoKey = { readonly org: OrgId; readonly repo: string }

/** The repository of requests without a repository, and of files that were indexed before repositories had names. */
export const DEFAULT_REPO = 'default'

/**
 * Derived from repository and path, so that a path cannot be stored twice. Ids in `default` keep the format from before
 * repositories had names.
 */
export const fileIdOf = ({ org, repo }: RepoKey, path: string): string =>
  `ixf_${createHash('sha256')
    .update(repo === DEFAULT_REPO ? `${org}\0${path}` : JSON.stringify([org, repo, path]))
    .digest('hex')
    .slice(0, 26)}`
