// Reads pull requests and comments from the events of GitLab and Bitbucket.
import type { BitbucketPullEvent } from '../../bitbucket/bitbucket.ts'
import type { CommentAuthor } from '../../forge/forge.ts'
import type { GitlabMergeRequestEvent, GitlabNoteEvent } from '../../gitlab/gitlab.ts'
import type { PullChange } from './pull-events.ts'

export type HostComment = {
  /** The number of the comment at its host. */
  readonly id: number
  readonly repo: string
  readonly number: number
  readonly author: CommentAuthor
  readonly text: string
  readonly thread: string | null
}
type HostPull = Omit<PullChange, 'repoId' | 'newState'>

const TEXT_MAX = 16_000
/** Tokens of projects and groups act as users with such names. */
const BOT = /(?:^|[-_])bot(?:[-_]|$)/i

/** Null for events that change neither the head nor the state. */
export function readGitlabPull({
  user,
  project,
  object_attributes: merge,
  changes,
}: GitlabMergeRequestEvent): HostPull | null {
  const isDraft = merge.draft ?? merge.work_in_progress ?? false
  const isReady = changes.draft?.current === false
  const isPush = merge.action === 'update' && (typeof merge.oldrev === 'string' || isReady)
  const isStart = !isDraft && (merge.action === 'open' || merge.action === 'reopen' || isPush)
  const isClose = merge.action === 'close' || merge.action === 'merge'
  if (!isStart && !isClose) return null
  return {
    kind: isStart ? 'start' : 'close',
    repo: project.path_with_namespace,
    number: merge.iid,
    headSha: merge.last_commit.id,
    // GitLab names it only in its API.
    baseSha: '',
    title: merge.title,
    isFork: merge.source_project_id !== merge.target_project_id,
    isBot: BOT.test(user.username),
    author: merge.author_id ? String(merge.author_id) : '',
    at: merge.updated_at,
  }
}

/** Null for comments that ask for nothing: edits, system notes and bots. */
export function readGitlabComment({
  user,
  project,
  object_attributes: note,
  merge_request: merge,
}: GitlabNoteEvent): HostComment | null {
  if (note.system || (note.action && note.action !== 'create') || BOT.test(user.username)) return null
  const isThread = note.type === 'DiffNote' || note.type === 'DiscussionNote'
  return {
    id: note.id,
    repo: project.path_with_namespace,
    number: merge.iid,
    author: { name: user.username, id: String(user.id) },
    text: note.note.slice(0, TEXT_MAX),
    thread: isThread ? (note.discussion_id ?? null) : null,
  }
}

const SHORT_SHA = 12

export function readBitbucketPull(
  event: string,
  { actor, repository, pullrequest: pull }: BitbucketPullEvent,
): HostPull | null {
  const isStart = (event === 'pullrequest:created' || event === 'pullrequest:updated') && !pull.draft
  const isClose = event === 'pullrequest:fulfilled' || event === 'pullrequest:rejected'
  const headSha = pull.source.commit?.hash.slice(0, SHORT_SHA)
  if ((!isStart && !isClose) || headSha === undefined) return null
  return {
    kind: isStart ? 'start' : 'close',
    repo: repository.full_name,
    number: pull.id,
    headSha,
    baseSha: pull.destination.commit?.hash ?? '',
    title: pull.title,
    isFork: pull.source.repository?.uuid !== repository.uuid,
    isBot: [actor, pull.author].some((user) => user && user.type !== 'user'),
    author: pull.author?.uuid ?? '',
    at: pull.updated_on ?? null,
  }
}

export function readBitbucketComment({
  actor,
  repository,
  pullrequest: pull,
  comment,
}: BitbucketPullEvent): HostComment | null {
  const user = comment?.user ?? actor
  if (!comment || user?.type !== 'user') return null
  return {
    id: comment.id,
    repo: repository.full_name,
    number: pull.id,
    author: { name: user.nickname ?? user.display_name ?? 'A person', id: user.uuid },
    text: comment.content.raw.slice(0, TEXT_MAX),
    thread: comment.parent ? String(comment.parent.id) : null,
  }
}
