// The types of publishing a task as a pull request.
import type { GrantedPermissions } from '../../github/github.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { FileChange, TaskId } from '../types.ts'

/** The fields of an installation that publishing needs. */
export type PublishingInstallation = {
  readonly externalId: bigint
  readonly status: 'active' | 'suspended' | 'removed'
  readonly permissions: GrantedPermissions
}

/** The pull request as it was last published. */
export type ExistingPullRequest = {
  readonly number: number
  readonly branch: string
  readonly headSha: string
}

export type PublishInput = {
  readonly orgId: OrgId
  readonly task: { readonly id: TaskId; readonly title: string }
  readonly installation: PublishingInstallation
  /** `owner/name`. */
  readonly repository: string
  readonly repositoryId: number
  readonly baseCommit: string
  readonly baseBranch: string
  /** The net difference to the base commit: whole new texts, or null. */
  readonly changes: readonly FileChange[]
  readonly message: string
  /** Null: the branch of the existing pull request, or a name made from the title of the task. */
  readonly branch: string | null
  readonly title: string
  readonly body: string
  readonly draft: boolean
  /** Another `branch` than that of the existing pull request opens a new one. */
  readonly existing: ExistingPullRequest | null
  readonly signal: AbortSignal | undefined
}

export type PublishedPullRequest = {
  readonly url: string
  readonly number: number
  readonly branch: string
  readonly headSha: string
  readonly isDraft: boolean
  readonly isUpdate: boolean
}
