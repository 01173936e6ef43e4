// A fake Bitbucket with one repository. It checks the token and the places of comments, and records everything that is published.
// Endpoints and webhook payloads follow Bitbucket's documentation; pull requests name their commits by twelve characters.
import { createHmac, randomUUID } from 'node:crypto'
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

type Pull = { state: string; headSha: string; baseSha: string; home: Repository }
type Repository = { readonly uuid: string; readonly full_name: string }
type Comment = {
  readonly id: number
  readonly pr: number
  readonly content: { readonly raw: string }
  readonly inline?: { readonly path: string; readonly to: number }
  readonly parent?: { readonly id: number }
}

export type FakeBitbucket = Omit<ForgeServer, 'url'> & {
  readonly variables: Record<string, string>
  readonly token: string
  readonly comments: Comment[]
  readonly statuses: Record<string, unknown>[]
  readonly reports: { readonly sha: string; report: Record<string, unknown>; annotations: unknown[] }[]
  /** Permissions by the id of the user. */
  readonly members: Map<string, string>
  setMain(files: Files): void
  open(id: number, head: Files, options?: { isFork?: boolean }): Pull
  push(id: number, head: Files): string
  pull(id: number, change?: object): object
  comment(id: number, text: string, options?: { user?: string; parent?: number }): object
  sign(secret: string, event: string, body: object): { raw: Buffer; headers: Record<string, string> }
}

/** Hosts may send fewer items than asked for. */
const PAGE_SIZE = 2
const FORK: Repository = { uuid: '{f0000000-0000-4000-8000-000000000002}', full_name: 'stranger/pay' }
const REPOSITORY: Repository = { uuid: '{b1a7c3d2-0000-4000-8000-000000000001}', full_name: 'acme/pay' }
const USER = { uuid: '{ada}', type: 'user', nickname: 'ada' }
const MAIN = 'trunk'
const SHORT = 12

export async function startFakeBitbucket(): Promise<FakeBitbucket> {
  const token = `ATCTT${randomUUID()}`
  const commits = new Map<string, Files>([[MAIN, {}]])
  const pulls = new Map<number, Pull>()
  let lastId = 0
  const server = await startForgeServer((request) => respond(request))
  const fake: FakeBitbucket = Object.assign(server, {
    variables: {
      SERVICE_BITBUCKET_API_URL: `${server.url}/2.0`,
      SERVICE_BITBUCKET_WEB_URL: `${server.url}/pages`,
    },
    token,
    comments: [] as Comment[],
    statuses: [] as FakeBitbucket['statuses'],
    reports: [] as FakeBitbucket['reports'],
    members: new Map([[USER.uuid, 'write']]),
    setMain: (files: Files) => void commits.set(MAIN, files),
    open(id: number, head: Files, { isFork = false } = {}) {
      const home = isFork ? FORK : REPOSITORY
      const pull = { state: 'OPEN', headSha: nextHash(), baseSha: nextHash(), home }
      commits.set(pull.baseSha, commits.get(MAIN) ?? {})
      commits.set(pull.headSha, head)
      pulls.set(id, pull)
      return pull
    },
    push(id: number, head: Files) {
      const pull = requirePull(id)
      pull.headSha = nextHash()
      commits.set(pull.headSha, head)
      return pull.headSha
    },
    pull: (id: number, change: object = {}) => ({
      actor: USER,
      repository: REPOSITORY,
      pullrequest: { ...shown(id), author: USER, updated_on: '2026-11-15T12:00:00.000000+00:00', ...change },
    }),
    comment: (
      id: number,
      text: string,
      { user = USER.uuid, parent }: { user?: string; parent?: number } = {},
    ) => ({
      actor: { ...USER, uuid: user },
      repository: REPOSITORY,
      pullrequest: { ...shown(id), author: USER },
      comment: {
        id: ++lastId,
        content: { raw: text },
        user: { ...USER, uuid: user },
        ...(parent !== undefined && { parent: { id: parent } }),
      },
    }),
    sign(secret: string, event: string, body: object) {
      const raw = Buffer.from(JSON.stringify(body))
      const signature = `sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`
      const headers = {
        'content-type': 'application/json',
        'x-event-key': event,
        'x-request-uuid': randomUUID(),
        'x-hub-signature': signature,
      }
      return { raw, headers }
    },
  })
  /** Differs in its first characters. */
  function nextHash(): string {
    return [...nextSha()].reverse().join('')
  }
  function requirePull(id: number): Pull {
    const pull = pulls.get(id)
    if (!pull) throw new Error(`unknown pull request ${id}`)
    return pull
  }
  function shown(id: number) {
    const { state, headSha, baseSha, home } = requirePull(id)
    return {
      id,
      title: 'A change',
      state,
      draft: false,
      source: { commit: { hash: headSha.slice(0, SHORT) }, repository: home },
      destination: { commit: { hash: baseSha.slice(0, SHORT) }, repository: { uuid: REPOSITORY.uuid } },
    }
  }
  const missing = reply({ type: 'error', error: { message: 'Not found' } }, 404)
  const fullSha = (ref: string) => [...commits.keys()].find((each) => each.startsWith(ref))

  function respond(request: HostRequest): HostReply {
    const { parts, headers, query } = request
    if (headers.authorization !== `Bearer ${token}`)
      return reply({ type: 'error', error: { message: 'Token is invalid' } }, 401)
    const [version, kind, workspace, name, ...rest] = parts
    if (version === 'pages') {
      const files = commits.get((parts[4] ?? '').replace('.tar.gz', ''))
      return files && parts[3] === 'get' ? reply(archiveOf(files)) : missing
    }
    if (kind === 'workspaces') {
      const permission = fake.members.get(/"(.+)"/.exec(query.get('q') ?? '')?.[1] ?? '')
      return reply({ values: permission ? [{ permission }] : [] })
    }
    const repository = `${workspace}/${name}`
    const [area, id = ''] = rest
    const owner = [...pulls.values()].find((pull) => pull.headSha.startsWith(id))?.home ?? REPOSITORY
    // The commits of a fork are only there.
    if (kind === 'repositories' && area === 'src' && repository === owner.full_name)
      return respondToSource(request, id, rest.slice(2).join('/'))
    if (kind !== 'repositories' || repository !== REPOSITORY.full_name) return missing
    if (rest.length === 0) return reply({ ...REPOSITORY, mainbranch: { name: MAIN } })
    if (area === 'pullrequests') return respondToPull(request, Number(id), rest.slice(2))
    if (area === 'commit') return respondToCommit(request, id, rest.slice(2))
    if (area === 'diff') return reply(diffOf(...(id.split('..') as [string, string])))
    return missing
  }

  function paged(values: readonly object[], { parts, query }: HostRequest): HostReply {
    const from = Number(query.get('page') ?? 0)
    const more = from + PAGE_SIZE < values.length
    const next = `${server.url}/${parts.map(encodeURIComponent).join('/')}?page=${from + PAGE_SIZE}`
    return reply({ values: values.slice(from, from + PAGE_SIZE), ...(more && { next }) })
  }

  function respondToSource(request: HostRequest, ref: string, path: string): HostReply {
    const files = commits.get(fullSha(ref) ?? '')
    if (!files) return missing
    if (path === '') {
      const names = Object.keys(files).filter((each) => !each.includes('/'))
      return paged(
        names.map((each) => ({ path: each, type: 'commit_file' })),
        request,
      )
    }
    return files[path] === undefined ? missing : reply(files[path])
  }

  function respondToCommit({ method, body }: HostRequest, ref: string, rest: string[]): HostReply {
    const sha = fullSha(ref)
    if (sha === undefined) return missing
    const [area, key, part] = rest
    if (area === undefined) return reply({ hash: sha })
    if (area === 'statuses' && method === 'POST') {
      fake.statuses.push({ sha, ...body })
      return reply(body, 201)
    }
    if (area !== 'reports' || key === undefined) return missing
    const known = fake.reports.find((each) => each.sha === sha)
    if (method === 'DELETE') {
      if (known) fake.reports.splice(fake.reports.indexOf(known), 1)
      return known ? { status: 204, body: '' } : missing
    }
    if (method === 'PUT') {
      if (known) known.report = body
      else fake.reports.push({ sha, report: body, annotations: [] })
      return reply(body)
    }
    if (part !== 'annotations' || !known || !Array.isArray(body)) return missing
    known.annotations.push(...body)
    return reply({})
  }

  function diffOf(head: string, base: string): string {
    const [after, before] = [commits.get(fullSha(head) ?? '') ?? {}, commits.get(fullSha(base) ?? '') ?? {}]
    return gitDiff(before, after)
  }

  function respondToPull(request: HostRequest, id: number, rest: string[]): HostReply {
    const { method, body } = request
    const pull = pulls.get(id)
    if (!pull) return missing
    const [area] = rest
    const changed = () => changesBetween(commits.get(pull.baseSha) ?? {}, commits.get(pull.headSha) ?? {})
    if (area === 'diffstat')
      return paged(
        changed().map(({ path, older }) => ({
          status: older === undefined ? 'added' : 'modified',
          old: older === undefined ? null : { path },
          new: { path },
        })),
        request,
      )
    if (area === undefined) return reply(shown(id))
    // Bitbucket redirects to the diff of the commits.
    if (area === 'diff') {
      const location = `${server.url}/2.0/repositories/${REPOSITORY.full_name}/diff/${pull.headSha}..${pull.baseSha}`
      return { status: 302, body: '', headers: { location } }
    }
    if (area !== 'comments') return missing
    if (method === 'GET')
      return paged(
        fake.comments.filter(({ pr }) => pr === id),
        request,
      )
    const { content, inline, parent } = body as Omit<Comment, 'id' | 'pr'>
    const patch = changed().find(({ path }) => path === inline?.path)?.patch ?? ''
    if (inline && !linesOf(patch).has(inline.to))
      return reply({ type: 'error', error: { message: 'Bad line' } }, 400)
    const comment = { id: ++lastId, pr: id, content, ...(inline && { inline }), ...(parent && { parent }) }
    fake.comments.push(comment)
    return reply(comment, 201)
  }
  return fake
}
