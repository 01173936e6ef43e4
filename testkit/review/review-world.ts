// A test server, a fake GitHub, and organisations with claimed installations.

import { createGithubForge } from '@cowrie/server/src/github/github.ts'
import { present } from '@cowrie/server/src/kernel/assert.ts'
import { newId } from '@cowrie/server/src/kernel/ids.ts'
import { findInstallation } from '@cowrie/server/src/review/installations/installations-sql.ts'
import type { ReviewContext } from '@cowrie/server/src/review/runs/review-context.ts'
import { type FakeGithub, startGithub, type WebhookMessage } from '../fakes/github/github.ts'
import { type Person, startTestServer, type TestServer } from '../harness/harness.ts'

export type ReviewWorld = {
  readonly server: TestServer
  readonly github: FakeGithub
  post(message: WebhookMessage): Promise<{ status: number; body: Record<string, unknown> }>
  /** Creates an organisation with an installation and a repository. */
  tenant(main?: Record<string, string>): Promise<Tenant>
  /** Posts a webhook and runs all jobs that it starts. */
  deliver(message: WebhookMessage): Promise<Record<string, unknown>>
  close(): Promise<void>
}
export type Tenant = {
  readonly owner: Person
  readonly external: number
  readonly id: string
  readonly repo: string
  runs(): Promise<Record<string, unknown>[]>
  findings(): Promise<Record<string, unknown>[]>
}

let count = 0

export async function startReviewWorld(variables: Record<string, string> = {}): Promise<ReviewWorld> {
  const github = await startGithub()
  const server = await startTestServer({
    schedules: ['review.', 'wallet.', 'metering.'],
    variables: { ...github.variables, ...variables },
  })
  const post: ReviewWorld['post'] = async ({ headers, raw }) => {
    const { status, body } = await server.call('POST', '/webhooks/github', { headers, raw })
    return { status, body }
  }
  return {
    server,
    github,
    post,
    async deliver(message) {
      const { body } = await post(message)
      await server.app.jobs.drain()
      return body
    },
    async tenant(main = { 'app.js': 'const a = 1\n' }) {
      const external = 100 + ++count
      const repo = `acme-${external}/pay`
      github.install(external)
      github.addRepo(repo, external, main)
      const owner = await server.person({ type: 'team' })
      const claim = await server.call('POST', '/vcs/installations/claim', {
        as: owner,
        body: { installationId: external },
      })
      if (claim.status !== 200) throw new Error(`the claim failed: ${claim.text}`)
      const list = async (name: 'runs' | 'findings') =>
        (
          await server.call<Record<string, Record<string, unknown>[]>>('GET', `/review/${name}`, {
            as: owner,
          })
        ).body[name] ?? []
      return {
        owner,
        external,
        id: String(claim.body.id),
        repo,
        runs: () => list('runs'),
        findings: () => list('findings'),
      }
    },
    async close() {
      await server.close()
      await github.close()
    },
  }
}

/** A review context for tests of single steps. It is not stored. */
export async function createReviewContext(
  { server }: ReviewWorld,
  { owner: { orgId }, id, repo }: Tenant,
  change: Partial<ReviewContext> = {},
): Promise<ReviewContext> {
  const { app } = server
  const found = await app.db.tx(orgId, (tx) => findInstallation(tx, orgId, id))
  const installation = present(found, 'the tenant has an installation')
  const { signal } = new AbortController()
  const run = {
    ...{
      id: newId('rvw'),
      orgId,
      installationId: installation.id,
      repo,
      repoId: 1n,
      pr: 1,
      title: 'A change',
    },
    ...{
      headSha: 'a'.repeat(40),
      baseSha: 'b'.repeat(40),
      isFork: false,
      isBot: false,
      author: 'ada',
      checkRunId: null,
    },
    ...{ costMinor: 0n, walletMinor: 0n, turns: 0, usedMicroKobo: 0n },
  }
  const forge = createGithubForge({ app, token: 'none', name: repo, signal })
  const deadlineMs = performance.now() + 60_000
  return {
    app,
    run,
    installation,
    forge,
    signal,
    deadlineMs,
    throwIfSuperseded: async () => {},
    ...change,
  }
}
