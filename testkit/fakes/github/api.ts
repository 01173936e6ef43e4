// Replies of the fake GitHub API, with checks of tokens and permissions.
import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { packFiles } from '@cowrie/server/src/sandbox/sandbox.ts'
import { replyToContents } from './contents.ts'
import { replyToGitData } from './git-data.ts'
import {
  APP_ID,
  commentableLines,
  DEFAULT_BRANCH,
  type FakeGithubState,
  type FakePull,
  type FakeRepo,
  type Files,
  listChangedFiles,
  type PostedComment,
} from './state.ts'
import type { FakeReply, FakeRequest } from './wire.ts'

const ok = (body: object | string, status = 200): FakeReply => ({ status, body })
const refused = (status: number, message: string): FakeReply => ({ status, body: { message } })
const NOT_FOUND = refused(404, 'Not Found')
const NOT_ALLOWED = refused(403, 'Resource not accessible by integration')

export function replyTo(state: FakeGithubState, request: FakeRequest): FakeReply {
  const { path, query } = request
  const app = /^\/app\/installations\/(\d+)(\/access_tokens)?$/.exec(path)
  if (app) return replyToApp(state, request, Number(app[1]), app[2] !== undefined)
  const token = state.tokens.get(request.bearer)
  if (!token) return refused(401, 'Bad credentials')
  const installedRepos = [...state.repos].filter(
    ([, { installation }]) => installation === token.installation,
  )
  if (path === '/installation/repositories') {
    const shown = installedRepos.map(([name, { id }]) => ({
      id,
      full_name: name,
      default_branch: DEFAULT_BRANCH,
    }))
    return ok({ repositories: shown.slice(0, Number(query.get('per_page') ?? 30)) })
  }
  const [, name = '', rest = ''] = /^\/repos\/([^/]+\/[^/]+)(\/.*)?$/.exec(path) ?? []
  const repo = installedRepos.find(([known]) => known === name)?.[1]
  if (!repo || (token.repositories && !token.repositories.includes(repo.id))) return NOT_FOUND
  const isAllowed = (permission: string, access: 'read' | 'write') =>
    token.permissions[permission] === 'write' || token.permissions[permission] === access
  const written = replyToGitData(request, name, repo, rest, isAllowed)
  if (written) return written
  const contents =
    rest === '' || isAllowed('contents', 'read') ? replyToContents(request, name, repo, rest) : null
  return contents ?? replyInRepo(state, request, repo, rest, isAllowed)
}

function replyToApp(state: FakeGithubState, request: FakeRequest, id: number, isToken: boolean): FakeReply {
  const installation = state.installations.get(id)
  if (!request.isApp) return refused(401, 'A JSON web token could not be decoded')
  if (!installation) return NOT_FOUND
  const { account, permissions, events, suspended } = installation
  const shown = { id, account, permissions, events, repository_selection: 'selected' }
  if (!isToken) return ok({ ...shown, suspended_at: suspended ? '2026-01-01T00:00:00Z' : null })
  if (suspended) return refused(403, 'This installation has been suspended')
  const requested = (request.body.permissions ?? {}) as Record<string, string>
  const isGranted = ([permission, access]: [string, string]) =>
    permissions[permission] === 'write' || permissions[permission] === access
  if (!Object.entries(requested).every(isGranted))
    return refused(422, 'The permissions requested are not granted to this installation.')
  const selected = [...state.repos.values()].filter(({ installation: owner }) => owner === id)
  const isSelected = (repository: number) => selected.some((repo) => repo.id === repository)
  if (!((request.body.repository_ids as number[] | undefined) ?? []).every(isSelected))
    return refused(422, 'There is at least one repository that is not accessible to the parent installation.')
  const token = `ghs_${randomBytes(18).toString('hex')}`
  const repositories = (request.body.repository_ids as number[] | undefined) ?? null
  state.tokens.set(token, { installation: id, repositories, permissions: requested })
  return ok({ token, permissions: requested, expires_at: '2026-11-15T10:00:00Z' }, 201)
}

type PermissionCheck = (permission: string, access: 'read' | 'write') => boolean

function replyInRepo(
  state: FakeGithubState,
  request: FakeRequest,
  repo: FakeRepo,
  rest: string,
  isAllowed: PermissionCheck,
): FakeReply {
  const { method, query } = request
  if (/^\/(tarball|git)\//.test(rest) && !isAllowed('contents', 'read')) return NOT_ALLOWED
  if (rest === '/branches') {
    if (!isAllowed('contents', 'read')) return NOT_ALLOWED
    const names = [...repo.commits.keys()].filter((each) => !/^[0-9a-f]{7,40}$/.test(each))
    return ok(names.map((each) => ({ name: each })))
  }
  if (rest.startsWith('/contents/')) {
    if (!isAllowed('contents', 'read')) return NOT_ALLOWED
    if (rest === '/contents/') return ok(listRoot(repo.commits.get(query.get('ref') ?? DEFAULT_BRANCH) ?? {}))
    const content = repo.commits.get(query.get('ref') ?? DEFAULT_BRANCH)?.[rest.slice('/contents/'.length)]
    if (content === undefined) return NOT_FOUND
    const wrapped = { content: Buffer.from(content).toString('base64'), encoding: 'base64' }
    return ok(request.isRaw ? content : wrapped)
  }
  const commit = /^\/commits\/(\w+)\/check-runs$/.exec(rest)?.[1]
  if (commit) return isAllowed('checks', 'read') ? listChecks(state, commit) : NOT_ALLOWED
  if (rest.startsWith('/check-runs'))
    return isAllowed('checks', 'write') ? saveCheck(state, request, rest) : NOT_ALLOWED
  const compared = /^\/compare\/(\w+)\.\.\.(\w+)$/.exec(rest)
  if (compared) {
    const pull = [...repo.pulls.values()].find(({ headSha }) => headSha === compared[2])
    return isAllowed('contents', 'read')
      ? pull
        ? ok({ files: listChangedFiles(repo, pull) })
        : NOT_FOUND
      : NOT_ALLOWED
  }
  const [, kind = '', number = '', part = '', root = ''] =
    /^\/(pulls|issues)\/(\d+)(\/\w+)?(?:\/(\d+)\/replies)?$/.exec(rest) ?? []
  const pull = repo.pulls.get(Number(number))
  if (!pull) return NOT_FOUND
  if (
    method === 'GET' &&
    !isAllowed('pull_requests', 'read') &&
    !(kind === 'issues' && isAllowed('issues', 'read'))
  )
    return NOT_ALLOWED
  if (
    method === 'POST' &&
    !isAllowed('pull_requests', 'write') &&
    !(kind === 'issues' && isAllowed('issues', 'write'))
  )
    return NOT_ALLOWED
  const endpoint = `${method} ${kind}${part}${root === '' ? '' : '/replies'}`
  return replyToPull(state, request, { repo, pull, number: Number(number), root: Number(root) }, endpoint)
}

const listRoot = (files: Files): object[] =>
  Object.keys(files)
    .filter((path) => !path.includes('/'))
    .map((name) => ({ name, type: 'file' }))

/** An archive in GitHub's format, with a top folder that is named after the commit. */
export function createTarball(files: Files, top = 'acme-pay-c0ffee'): Buffer {
  const packed = packFiles(new Map(Object.entries(files).map(([path, text]) => [`${top}/${path}`, text])))
  if ('refused' in packed) throw new Error(packed.refused)
  return gzipSync(packed.archive)
}

type PullLocation = {
  readonly repo: FakeRepo
  readonly pull: FakePull
  readonly number: number
  /** The first comment of the thread that gets a reply. */
  readonly root: number
}

function replyToPull(
  state: FakeGithubState,
  request: FakeRequest,
  { repo, pull, number, root }: PullLocation,
  endpoint: string,
): FakeReply {
  const page = (list: readonly object[]) => {
    const size = Number(request.query.get('per_page') ?? 30)
    const from = (Number(request.query.get('page') ?? 1) - 1) * size
    return ok(list.slice(from, from + size))
  }
  switch (endpoint) {
    case 'GET pulls': {
      const base = { sha: pull.baseSha, repo: { default_branch: DEFAULT_BRANCH } }
      return ok({ number, state: pull.state, head: { sha: pull.headSha }, base })
    }
    case 'GET pulls/files':
      return page(listChangedFiles(repo, pull))
    case 'GET pulls/comments':
      return page([
        ...state.reviews.filter(({ pr }) => pr === number).flatMap(({ comments }) => comments),
        ...state.replies.filter(({ pr }) => pr === number),
      ])
    case 'POST pulls/comments/replies': {
      const known = state.reviews.flatMap(({ comments }) => comments).some(({ id }) => id === root)
      if (!known) return NOT_FOUND
      const reply = { pr: number, id: nextId(), in_reply_to_id: root, body: String(request.body.body) }
      state.replies.push(reply)
      return ok(reply, 201)
    }
    case 'POST pulls/reviews':
      return saveReview(state, request, { repo, pull, number, root })
    case 'GET issues/comments':
      return page(state.comments.filter(({ pr }) => pr === number))
    case 'POST issues/comments':
      state.comments.push({ pr: number, body: String(request.body.body) })
      return ok({ id: state.comments.length }, 201)
    default:
      return NOT_FOUND
  }
}

let lastId = 70_000
const nextId = (): number => ++lastId

function saveReview(
  state: FakeGithubState,
  { body }: FakeRequest,
  { repo, pull, number }: PullLocation,
): FakeReply {
  const comments = body.comments as (PostedComment & { side: string })[]
  const changed = listChangedFiles(repo, pull)
  const isOnDiff = ({ path, line, start_line: from = line, side }: PostedComment & { side: string }) => {
    const lines = commentableLines(changed.find(({ filename }) => filename === path)?.patch ?? '')
    return side === 'RIGHT' && from <= line && lines.has(line) && lines.has(from)
  }
  if (!comments.every(isOnDiff)) return refused(422, 'line must be part of the diff')
  const { commit_id: commit, event, body: text } = body
  state.reviews.push({
    pr: number,
    commit: String(commit),
    event: String(event),
    body: String(text),
    comments: comments.map((comment) => ({ ...comment, id: nextId() })),
  })
  return ok({ id: state.reviews.length })
}

function listChecks(state: FakeGithubState, commit: string): FakeReply {
  const checks = state.checks.filter(({ head_sha: sha }) => sha === commit)
  const shown = checks.map(({ id, name, output }) => {
    const { annotations } = output as { annotations?: object[] }
    return { id, name, app: { id: APP_ID }, output: { annotations_count: annotations?.length ?? 0 } }
  })
  return ok({ total_count: shown.length, check_runs: shown.toReversed() })
}

const ANNOTATIONS_AT_ONCE = 50

function saveCheck(state: FakeGithubState, { method, body }: FakeRequest, rest: string): FakeReply {
  const output = (body.output ?? {}) as { annotations?: object[] }
  if ((output.annotations?.length ?? 0) > ANNOTATIONS_AT_ONCE) return refused(422, 'too many annotations')
  if (method === 'POST') {
    state.checks.push({ id: 900 + state.checks.length, ...body })
    return ok({ id: 899 + state.checks.length }, 201)
  }
  const known = state.checks.find(({ id }) => id === Number(rest.split('/')[2]))
  if (!known) return NOT_FOUND
  const before = known.output as { annotations?: object[] }
  Object.assign(known, body, {
    output: { ...output, annotations: [...(before.annotations ?? []), ...(output.annotations ?? [])] },
  })
  return ok({ id: known.id as number })
}
