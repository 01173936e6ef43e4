// Webhook payloads from GitHub's published examples, filled with the state of the fake.
import { createRequire } from 'node:module'
import { type FakeGithubState, requireRepo } from './state.ts'

type Json = Record<string, unknown>
export type PullChange = {
  readonly headSha?: string
  readonly draft?: boolean
  readonly merged?: boolean
  readonly title?: string
  readonly at?: Date
  readonly isFork?: boolean
  readonly author?: 'User' | 'Bot'
  readonly delivery?: string
}
type Published = { readonly name: string; readonly examples: Json[] }[]

const load = createRequire(import.meta.url)
const published = load('@octokit/webhooks-examples') as Published
const NOON = new Date('2026-11-15T12:00:00Z')

export function pullRequestPayload(
  state: FakeGithubState,
  action: string,
  name: string,
  number: number,
  change: PullChange,
): Json {
  const example = publishedExample('pull_request', action)
  const repo = requireRepo(state, name)
  const pull = repo.pulls.get(number)
  if (!pull) throw new Error(`unknown pull request ${number}`)
  const {
    headSha = pull.headSha,
    draft = false,
    merged = false,
    title = 'A change',
    at = NOON,
    isFork = false,
    author = 'User',
  } = change
  const before = example.pull_request as Json
  const user = { ...(before.user as Json), type: author }
  return {
    ...example,
    action,
    number,
    installation: { id: repo.installation },
    repository: { ...(example.repository as Json), id: repo.id, full_name: name },
    sender: { ...(example.sender as Json), type: author },
    pull_request: {
      ...before,
      number,
      draft,
      merged,
      title,
      user,
      state: action === 'closed' ? 'closed' : 'open',
      updated_at: at.toISOString().replace('.000Z', 'Z'),
      head: { ...(before.head as Json), sha: headSha, repo: { id: isFork ? 1 : repo.id } },
      base: { ...(before.base as Json), sha: pull.baseSha },
    },
  }
}

export type CommentChange = {
  readonly action?: string
  readonly author?: string
  readonly type?: 'User' | 'Bot'
  readonly association?: string
  /** On a line of the change. */
  readonly place?: { readonly path: string; readonly line: number; readonly hunk: string }
  /** The first comment of the thread, for a reply. */
  readonly thread?: number
  /** On an issue. */
  readonly isIssue?: boolean
}

/** A comment on a pull request: its event and payload. */
export function commentPayload(
  state: FakeGithubState,
  name: string,
  number: number,
  text: string,
  change: CommentChange = {},
): { readonly event: string; readonly body: Json } {
  const { action = 'created', author = 'ada', type = 'User', association = 'MEMBER', place } = change
  const isOnLine = place !== undefined || change.thread !== undefined
  const event = isOnLine ? 'pull_request_review_comment' : 'issue_comment'
  const example = publishedExample(event, 'created')
  const repo = requireRepo(state, name)
  const user = { ...(example.sender as Json), login: author, type }
  const where = {
    ...(place && { path: place.path, line: place.line, diff_hunk: place.hunk }),
    ...(change.thread !== undefined && { in_reply_to_id: change.thread }),
  }
  const comment = {
    ...(example.comment as Json),
    body: text,
    user,
    author_association: association,
    ...where,
  }
  const issue = { ...(example.issue as Json), number, ...(!change.isIssue && { pull_request: { url: 'x' } }) }
  return {
    event,
    body: {
      ...example,
      action,
      installation: { id: repo.installation },
      repository: { ...(example.repository as Json), id: repo.id, full_name: name },
      sender: user,
      comment,
      ...(isOnLine ? { pull_request: { ...(example.pull_request as Json), number } } : { issue }),
    },
  }
}

export function installationPayload(state: FakeGithubState, action: string, id: number): Json {
  const example = publishedExample('installation', action)
  const known = state.installations.get(id)
  const { permissions, events, account } = known ?? { permissions: {}, events: [], account: {} }
  return {
    ...example,
    action,
    installation: { ...(example.installation as Json), id, account, permissions, events },
  }
}

function publishedExample(name: string, action: string): Json {
  const examples = published.find((each) => each.name === name)?.examples ?? []
  const found = examples.find((each) => each.action === action) ?? examples[0]
  if (!found) throw new Error(`there is no published example of ${name}`)
  return structuredClone(found)
}
