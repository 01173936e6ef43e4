// Publishes the changes of a task as a pull request, or updates the existing one. Each step finds what an interrupted attempt
// left: a commit with the same parent and the same files, and a pull request from the same branch.
import {
  advanceBranch,
  createBranch,
  createCommit,
  createPull,
  fetchBranchHead,
  fetchGitCommit,
  fetchPublishedPull,
  findOpenPull,
  type GitCommit,
  isRefusal,
  type PublishedPull,
  type Repository,
  toOneLine,
  updatePullBody,
} from '../../github/github.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import { defaultBranchName, requireBranchName } from './branch-name.ts'
import { createDesiredTree } from './desired-tree.ts'
import { openForPublishing, pushRefused, toPublishingError } from './publishing-access.ts'
import { replaceSection, wrapSection } from './pull-request-text.ts'
import type { ExistingPullRequest, PublishedPullRequest, PublishInput } from './types.ts'

export type {
  ExistingPullRequest,
  PublishedPullRequest,
  PublishInput,
  PublishingInstallation,
} from './types.ts'

/** GitHub's limit. */
const TITLE_MAX = 256

/** Can be repeated after a crash or a lost reply: commits and pull requests that exist already are found again. */
export async function publishPullRequest(app: App, input: PublishInput): Promise<PublishedPullRequest> {
  const branch = requireBranchName(input.branch ?? input.existing?.branch ?? defaultBranchName(input.task))
  const existing = input.existing?.branch === branch ? input.existing : null
  if (existing === null && input.changes.length === 0) throw new ApiError('no_changes')
  try {
    const repository = await openForPublishing(app, input)
    return existing
      ? await updateExisting(repository, input, existing)
      : await openNew(repository, input, branch)
  } catch (error) {
    throw toPublishingError(error, input)
  }
}

async function openNew(
  repository: Repository,
  input: PublishInput,
  branch: string,
): Promise<PublishedPullRequest> {
  const headSha = await pushNewBranch(repository, input, branch)
  const pull = (await findOpenPull(repository, branch)) ?? (await openPull(repository, input, branch))
  return {
    url: pull.html_url,
    number: pull.number,
    branch,
    headSha,
    isDraft: pull.draft === true,
    isUpdate: false,
  }
}

async function pushNewBranch(repository: Repository, input: PublishInput, branch: string): Promise<string> {
  const { baseCommit, changes, message } = input
  const head = await fetchBranchHead(repository, branch)
  const base = await fetchGitCommit(repository, baseCommit)
  const tree = await createDesiredTree(repository, base.tree.sha, changes)
  if (tree === base.tree.sha) throw new ApiError('no_changes')
  const isOurs = (commit: GitCommit) => hasParent(commit, baseCommit) && commit.tree.sha === tree
  if (head !== null) return adoptHead(repository, head, isOurs, 'branch_exists')
  const commit = await createCommit(repository, { message, tree, parent: baseCommit })
  try {
    await createBranch(repository, branch, commit)
    return commit
  } catch (error) {
    if (!isRefusal(error, 422)) throw error
    const other = await fetchBranchHead(repository, branch)
    if (other === null) throw pushRefused(error)
    return adoptHead(repository, other, isOurs, 'branch_exists')
  }
}

/** The head if it is the commit that an interrupted attempt pushed. */
async function adoptHead(
  repository: Repository,
  head: string,
  isOurs: (commit: GitCommit) => boolean,
  code: 'branch_exists' | 'branch_moved',
): Promise<string> {
  if (!isOurs(await fetchGitCommit(repository, head))) throw new ApiError(code)
  return head
}

const hasParent = ({ parents }: GitCommit, parent: string): boolean =>
  parents.length === 1 && parents[0]?.sha === parent

async function openPull(
  repository: Repository,
  { title, body, baseBranch, draft }: PublishInput,
  branch: string,
): Promise<PublishedPull> {
  const pull = {
    title: toOneLine(title).slice(0, TITLE_MAX),
    body: wrapSection(body),
    branch,
    base: baseBranch,
  }
  try {
    return await createPull(repository, { ...pull, draft })
  } catch (error) {
    if (!isRefusal(error, 422)) throw error
    // Some plans have no drafts for private repositories.
    if (draft && /draft/i.test(error.reason)) return createPull(repository, { ...pull, draft: false })
    if (/no commits between/i.test(error.reason)) throw new ApiError('no_changes')
    const other = await findOpenPull(repository, branch)
    if (other === null) throw error
    return other
  }
}

/** Adds one commit to the branch. A branch that others moved is left alone. */
async function updateExisting(
  repository: Repository,
  input: PublishInput,
  existing: ExistingPullRequest,
): Promise<PublishedPullRequest> {
  const { number, branch } = existing
  const pull = await fetchPublishedPull(repository, number)
  const head = pull.state === 'open' ? await fetchBranchHead(repository, branch) : null
  if (head === null) throw new ApiError('pull_request_closed')
  const headSha = await pushOnTop(repository, input, existing, head)
  await refreshBody(repository, pull, input.body)
  return { url: pull.html_url, number, branch, headSha, isDraft: pull.draft === true, isUpdate: true }
}

async function pushOnTop(
  repository: Repository,
  { baseCommit, changes, message }: PublishInput,
  { branch, headSha: parent }: ExistingPullRequest,
  head: string,
): Promise<string> {
  const base = await fetchGitCommit(repository, baseCommit)
  const tree = await createDesiredTree(repository, base.tree.sha, changes)
  const isOurs = (commit: GitCommit) => hasParent(commit, parent) && commit.tree.sha === tree
  if (head !== parent) return adoptHead(repository, head, isOurs, 'branch_moved')
  const current = await fetchGitCommit(repository, head)
  if (current.tree.sha === tree) throw new ApiError('no_changes')
  const commit = await createCommit(repository, { message, tree, parent })
  try {
    await advanceBranch(repository, branch, commit)
    return commit
  } catch (error) {
    if (!isRefusal(error, 409, 422)) throw error
    const other = await fetchBranchHead(repository, branch)
    if (other === null) throw new ApiError('pull_request_closed')
    if (other === parent) throw pushRefused(error)
    return adoptHead(repository, other, isOurs, 'branch_moved')
  }
}

/** Replaces our section and leaves the text of others. The commits are published, so a refusal here fails nothing. */
async function refreshBody(repository: Repository, pull: PublishedPull, body: string): Promise<void> {
  const current = pull.body ?? ''
  const refreshed = replaceSection(current, body)
  if (refreshed === current) return
  try {
    await updatePullBody(repository, pull.number, refreshed)
  } catch (error) {
    if (!isRefusal(error)) throw error
    repository.app.log.warn({ err: error, number: pull.number }, 'tasks.pull_request.body_refused')
  }
}
