// The service in this process with a fake GitHub, a fake npm registry and one repository of 5,000 files.
import { startGithub } from '@cowrie/testkit/fakes/github/github.ts'
import type { FakeRepo, Files } from '@cowrie/testkit/fakes/github/state.ts'
import { type FakeNpmRegistry, startFakeNpmRegistry } from '@cowrie/testkit/fakes/npm-registry.ts'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { giveCredit } from '@cowrie/testkit/wallet/money.ts'
import { present } from '../../src/kernel/assert.ts'
import { findTask, type Task } from '../../src/tasks/tasks-sql.ts'
import { manyFiles, manyPackages } from './many-files.ts'

export type WorkspaceBench = {
  readonly server: TestServer
  readonly registry: FakeNpmRegistry
  readonly repo: FakeRepo
  readonly files: Files
  readonly owner: Person
  /** A task on the current commit of the repository. */
  createTask(): Promise<Task>
}

const EXTERNAL = 4_711
const NAME = 'acme/shop'
const BALANCE_MINOR = 1_000_000_000n

export async function withWorkspaces<T>(
  url: string,
  work: (bench: WorkspaceBench) => Promise<T>,
): Promise<T> {
  const registry = await startFakeNpmRegistry(manyPackages())
  const github = await startGithub()
  const server = await startTestServer({
    url,
    variables: {
      ...github.variables,
      SERVICE_SANDBOX_LOCAL: 'on',
      SERVICE_SANDBOX_DOCKER: 'off',
      SERVICE_SANDBOX_REGISTRIES: `npm=${registry.url}`,
    },
  })
  try {
    const files = { ...manyFiles(), ...Object.fromEntries(registry.projectFiles()) }
    github.install(EXTERNAL)
    const repo = github.addRepo(NAME, EXTERNAL, files)
    const owner = await server.person({ type: 'team' })
    await giveCredit(server, owner.orgId, BALANCE_MINOR)
    const post = async (path: string, body: object) => {
      const reply = await server.call<{ id: string }>('POST', path, { as: owner, body })
      if (reply.status >= 300) throw new Error(`POST ${path} returned ${reply.status}: ${reply.text}`)
      return reply.body.id
    }
    const installationId = await post('/vcs/installations/claim', { installationId: EXTERNAL })
    const createTask = async () => {
      const id = await post('/tasks', { workspace: { kind: 'repository', installationId, repository: NAME } })
      const { orgId } = owner
      return present(await server.app.db.tx(orgId, (tx) => findTask(tx, orgId, id)), 'the task was created')
    }
    return await work({ server, registry, repo, files, owner, createTask })
  } finally {
    await server.close()
    await Promise.all([github.close(), registry.close()])
  }
}
