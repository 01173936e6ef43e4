// A fake GitLab with one project. It checks the token, the positions of discussions and the transitions of statuses, and records
// everything that is published. Endpoints and webhook payloads follow GitLab's documentation.
import { randomUUID } from 'node:crypto'
import {
  archiveOf,
  changesBetween,
  type Files,
  type ForgeServer,
  gitDiff,
  type HostReply,
  type HostRequest,
  linesOf,
  nextSha,
  reply,
  startForgeServer,
} from './forge-server.ts'

type MergeRequest = { state: string; headSha: string; baseSha: string }
type Note = {
  readonly id: number
  readonly body: string
  readonly type: string | null
  readonly system: boolean
}
type Discussion = {
  readonly id: string
  readonly iid: number
  readonly notes: Note[]
  readonly position: unknown
}

export type FakeGitlab = Omit<ForgeServer, 'url'> & {
  readonly variables: Record<string, string>
  readonly project: { readonly id: number; readonly path: string }
  readonly token: string
  readonly discussions: Discussion[]
  readonly notes: { readonly iid: number; readonly note: Note }[]
  readonly statuses: {
    readonly sha: string
    readonly state: string
    readonly description: string
    readonly target_url: string
  }[]
  /** Access levels by the number of the user. */
  readonly members: Map<number, number>
  /** Paths whose diffs are left out of the list. */
  readonly collapsed: Set<string>
  setMain(files: Files): void
  open(iid: number, head: Files): MergeRequest
  push(iid: number, head: Files): string
  mergeRequest(action: string, iid: number, change?: object): object
  note(iid: number, text: string, options?: { userId?: number; discussion?: string }): object
}

const USER = { id: 7, username: 'ada', name: 'Ada' }
const MAIN = 'trunk'

export async function startFakeGitlab(path = 'acme/pay'): Promise<FakeGitlab> {
  const project = { id: 4_321, path }
  const token = `glpat-${randomUUID()}`
  const commits = new Map<string, Files>([[MAIN, {}]])
  const merges = new Map<number, MergeRequest>()
  let lastId = 0
  const server = await startForgeServer((request) => respond(request))
  const fake: FakeGitlab = Object.assign(server, {
    variables: { SERVICE_GITLAB_API_URL: `${server.url}/api/v4` },
    project,
    token,
    discussions: [] as Discussion[],
    notes: [] as FakeGitlab['notes'],
    statuses: [] as FakeGitlab['statuses'],
    members: new Map([[USER.id, 30]]),
    collapsed: new Set<string>(),
    setMain: (files: Files) => void commits.set(MAIN, files),
    open(iid: number, head: Files) {
      const merge = { state: 'opened', headSha: nextSha(), baseSha: nextSha() }
      commits.set(merge.baseSha, commits.get(MAIN) ?? {})
      commits.set(merge.headSha, head)
      merges.set(iid, merge)
      return merge
    },
    push(iid: number, head: Files) {
      const merge = requireMerge(iid)
      merge.headSha = nextSha()
      commits.set(merge.headSha, head)
      return merge.headSha
    },
    mergeRequest: (action: string, iid: number, change: object = {}) => ({
      object_kind: 'merge_request',
      event_type: 'merge_request',
      user: { ...USER, email: '[REDACTED]' },
      project: { id: project.id, path_with_namespace: project.path, default_branch: MAIN },
      object_attributes: {
        iid,
        title: 'A change',
        action,
        state: requireMerge(iid).state,
        draft: false,
        author_id: USER.id,
        source_project_id: project.id,
        target_project_id: project.id,
        updated_at: '2026-11-15 12:00:00 UTC',
        last_commit: { id: requireMerge(iid).headSha },
        ...change,
      },
      changes: {},
    }),
    note: (
      iid: number,
      text: string,
      { userId = USER.id, discussion }: { userId?: number; discussion?: string } = {},
    ) => ({
      object_kind: 'note',
      event_type: 'note',
      user: { ...USER, id: userId },
      project: { id: project.id, path_with_namespace: project.path },
      object_attributes: {
        id: ++lastId,
        note: text,
        noteable_type: 'MergeRequest',
        action: 'create',
        system: false,
        type: discussion ? 'DiffNote' : null,
        discussion_id: discussion ?? randomUUID().replaceAll('-', ''),
      },
      merge_request: { iid, state: 'opened' },
    }),
  })
  function requireMerge(iid: number): MergeRequest {
    const merge = merges.get(iid)
    if (!merge) throw new Error(`unknown merge request ${iid}`)
    return merge
  }

  function respond(request: HostRequest): HostReply {
    const { parts, headers } = request
    const [api, version, kind, id, ...rest] = parts
    if (headers['private-token'] !== token) return reply({ message: '401 Unauthorized' }, 401)
    if (api !== 'api' || version !== 'v4' || kind !== 'projects')
      return reply({ error: '404 Not Found' }, 404)
    if (id !== project.path && id !== String(project.id))
      return reply({ message: '404 Project Not Found' }, 404)
    if (rest.length === 0)
      return reply({ id: project.id, path_with_namespace: project.path, default_branch: MAIN })
    if (rest[0] === 'merge_requests') return respondToMerge(request, Number(rest[1]), rest.slice(2))
    return respondToRepository(request, rest)
  }

  function respondToRepository({ method, query, body }: HostRequest, rest: string[]): HostReply {
    const at = (ref: string | null) => commits.get(ref === null || ref === 'HEAD' ? MAIN : ref)
    const [first, second, third, last] = rest
    if (first === 'repository' && second === 'files' && last === 'raw') {
      const content = at(query.get('ref'))?.[third ?? '']
      return content === undefined ? reply({ message: '404 File Not Found' }, 404) : reply(content)
    }
    if (first === 'repository' && second === 'tree') {
      const names = Object.keys(at(query.get('ref')) ?? {}).map((path) => path.split('/'))
      return reply(names.map(([name, more]) => ({ name, type: more === undefined ? 'blob' : 'tree' })))
    }
    if (first === 'repository' && second === 'archive.tar.gz') {
      const files = at(query.get('sha'))
      return files ? reply(archiveOf(files)) : reply({ message: '404 Commit Not Found' }, 404)
    }
    if (first === 'members') {
      const level = fake.members.get(Number(third))
      return level === undefined ? reply({ message: '404 Not found' }, 404) : reply({ access_level: level })
    }
    if (first === 'statuses' && method === 'POST') return saveStatus(second ?? '', body)
    return reply({ error: '404 Not Found' }, 404)
  }

  function saveStatus(sha: string, body: Record<string, unknown>): HostReply {
    if (!commits.has(sha)) return reply({ message: '404 Commit Not Found' }, 404)
    const state = String(body.state)
    if (!['pending', 'running', 'success', 'failed', 'canceled', 'skipped'].includes(state))
      return reply({ error: 'state does not have a valid value' }, 400)
    const before = fake.statuses.findLast((each) => each.sha === sha)
    if (before?.state === state)
      return reply({ message: `Cannot transition status via :drop from :${state}` }, 400)
    const { description, target_url: url } = body
    fake.statuses.push({ sha, state, description: String(description), target_url: String(url) })
    return reply({ id: fake.statuses.length, status: state }, 201)
  }

  function respondToMerge(request: HostRequest, iid: number, rest: string[]): HostReply {
    const { method, body, query } = request
    const merge = merges.get(iid)
    if (!merge) return reply({ message: '404 Not found' }, 404)
    const [kind, id, part] = rest
    const refs = { base_sha: merge.baseSha, start_sha: merge.baseSha, head_sha: merge.headSha }
    if (kind === undefined) return reply({ iid, state: merge.state, sha: merge.headSha, diff_refs: refs })
    const [before, after] = [commits.get(merge.baseSha) ?? {}, commits.get(merge.headSha) ?? {}]
    const changes = changesBetween(before, after)
    if (kind === 'raw_diffs') return reply(gitDiff(before, after))
    const paged = <T>(list: readonly T[]) => {
      const size = Number(query.get('per_page') ?? 20)
      const from = (Number(query.get('page') ?? 1) - 1) * size
      return reply(list.slice(from, from + size))
    }
    if (kind === 'diffs')
      return paged(
        changes.map(({ path, older, newer, patch }) => ({
          old_path: path,
          new_path: path,
          new_file: older === undefined,
          deleted_file: newer === undefined,
          renamed_file: false,
          collapsed: fake.collapsed.has(path),
          diff: fake.collapsed.has(path) ? '' : patch,
        })),
      )
    if (kind === 'notes' && method === 'GET')
      return paged([
        ...fake.notes.filter((each) => each.iid === iid).map(({ note }) => note),
        ...fake.discussions.filter((each) => each.iid === iid).flatMap(({ notes }) => notes),
      ])
    if (kind === 'notes') {
      const note = { id: ++lastId, body: String(body.body), type: null, system: false }
      fake.notes.push({ iid, note })
      return reply(note, 201)
    }
    if (kind !== 'discussions') return reply({ error: '404 Not Found' }, 404)
    const known = fake.discussions.find((each) => each.id === id)
    const note = { id: ++lastId, body: String(body.body), type: 'DiffNote', system: false }
    if (id !== undefined && !known) return reply({ message: '404 Discussion Not Found' }, 404)
    if (known && method === 'GET') return reply(known)
    if (known && part === 'notes') {
      known.notes.push(note)
      return reply(note, 201)
    }
    if (!isOnDiff(body.position as Position))
      return reply({ message: '400 Bad request - Note {:line_code=>["can\'t be blank"]}' }, 400)
    const discussion = { id: randomUUID().replaceAll('-', ''), iid, notes: [note], position: body.position }
    fake.discussions.push(discussion)
    return reply(discussion, 201)

    type Position = typeof refs & {
      new_path: string
      new_line: number
      old_line?: number
      position_type: string
    }
    function isOnDiff(position: Position | undefined): boolean {
      if (position?.position_type !== 'text') return false
      const isCurrent = (['base_sha', 'start_sha', 'head_sha'] as const).every(
        (name) => position[name] === refs[name],
      )
      const line = linesOf(changes.find(({ path }) => path === position.new_path)?.patch ?? '').get(
        position.new_line,
      )
      // An added line has no old number, and an unchanged line needs it.
      return (
        isCurrent &&
        (line === '+' ? position.old_line === undefined : line !== undefined && line === position.old_line)
      )
    }
  }
  return fake
}
