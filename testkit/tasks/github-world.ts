// A service with a scripted model and a fake GitHub, and organisations with repositories that its app may change.
import { type FakeGithub, startGithub } from '../fakes/github/github.ts'
import type { FakeRepo, Files } from '../fakes/github/state.ts'
import type { Person } from '../harness/harness.ts'
import { giveCredit } from '../wallet/money.ts'
import { startTaskWorld, type TaskWorld } from './world.ts'

/** Everything that pull requests need. */
export const WRITE_PERMISSIONS = {
  metadata: 'read',
  contents: 'write',
  pull_requests: 'write',
  checks: 'write',
}

export type GithubTenant = {
  readonly owner: Person
  /** The id of the installation at GitHub. */
  readonly external: number
  readonly name: string
  readonly repo: FakeRepo
  readonly workspace: { kind: 'repository'; installationId: string; repository: string }
}
export type GithubTaskWorld = TaskWorld & {
  readonly github: FakeGithub
  tenant(files: Files, permissions?: Record<string, string>): Promise<GithubTenant>
}

const NO_SANDBOX = { SERVICE_SANDBOX_LOCAL: 'off', SERVICE_SANDBOX_DOCKER: 'off' }
const BALANCE_MINOR = 10_000_000n

export async function startGithubTaskWorld(): Promise<GithubTaskWorld> {
  const github = await startGithub()
  const world = await startTaskWorld({ variables: { ...NO_SANDBOX, ...github.variables } })
  let count = 0
  return {
    ...world,
    github,
    async tenant(files, permissions = WRITE_PERMISSIONS) {
      const external = 900 + ++count
      const name = `acme-${external}/shop`
      github.install(external).permissions = { ...permissions }
      const repo = github.addRepo(name, external, files)
      const owner = await world.server.person({ type: 'team' })
      await giveCredit(world.server, owner.orgId, BALANCE_MINOR)
      const claim = await world.server.call<{ id: string }>('POST', '/vcs/installations/claim', {
        as: owner,
        body: { installationId: external },
      })
      if (claim.status !== 200) throw new Error(`the claim failed: ${claim.text}`)
      const workspace = { kind: 'repository', installationId: claim.body.id, repository: name } as const
      return { owner, external, name, repo, workspace }
    },
    async close() {
      await world.close()
      await github.close()
    },
  }
}
