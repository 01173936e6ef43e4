// A fake GitHub with repositories, and the parts of the service that read them.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ManualClock } from '@cowrie/server/src/kernel/clock.ts'
import type { OrgId } from '@cowrie/server/src/kernel/ids.ts'
import type { App } from '@cowrie/server/src/platform/app.ts'
import { readConfig } from '@cowrie/server/src/platform/config.ts'
import { createLog } from '@cowrie/server/src/platform/log/log.ts'
import {
  openRepository,
  type RepositorySnapshot,
  type ResolvedRef,
  resolveRef,
} from '@cowrie/server/src/tasks/repository/repository.ts'
import { type FakeGithub, startGithub } from '../fakes/github/github.ts'
import { DEFAULT_BRANCH, type FakeRepo, type Files } from '../fakes/github/state.ts'

export type RepositoryWorld = {
  readonly github: FakeGithub
  readonly app: App
  readonly clock: ManualClock
  readonly dataDir: string
  /** The lines of the log. */
  readonly logged: string[]
  /** Another process on the same disk. */
  openReplica(): App
  addRepo(files: Files): TestRepo
  /** Deletes all snapshots. Other state of the process stays. */
  emptyCache(): Promise<void>
  close(): Promise<void>
}
export type TestRepo = {
  readonly name: string
  readonly orgId: OrgId
  readonly external: number
  readonly repo: FakeRepo
  readonly installation: { externalId: bigint; status: 'active' | 'suspended' | 'removed' }
  /** Replaces the files of a branch. */
  push(files: Files, branch?: string): void
  resolve(ref?: string | null): Promise<ResolvedRef>
  open(input?: { app?: App; commit?: string; signal?: AbortSignal }): Promise<RepositorySnapshot>
}

let count = 0

/** Memory where there is a file system for it: other tests keep the disk busy. */
const SCRATCH = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

export async function startRepositoryWorld(parent = SCRATCH): Promise<RepositoryWorld> {
  const github = await startGithub()
  const dataDir = mkdtempSync(join(parent, 'cowrie-repositories-'))
  const clock = new ManualClock()
  const logged: string[] = []
  const variables = { SERVICE_ENV: 'test', SERVICE_DATA_DIR: dataDir, ...github.variables }
  const config = readConfig(variables, '0.4.0')
  const log = createLog({
    level: 'info',
    destination: { write: (line: string) => void logged.push(line) },
    clock,
  })
  const openReplica = () => ({ config, clock, log }) as unknown as App
  const app = openReplica()
  const { signal } = new AbortController()
  const addRepo = (files: Files): TestRepo => {
    const external = 70_000 + ++count
    const name = `acme-${external}/pay`
    github.install(external)
    const repo = github.addRepo(name, external, files)
    const orgId = `org_${external}` as OrgId
    const installation: TestRepo['installation'] = { externalId: BigInt(external), status: 'active' }
    const resolve: TestRepo['resolve'] = (ref) =>
      resolveRef(app, { installation, repository: name, ref, signal })
    return {
      name,
      orgId,
      external,
      repo,
      installation,
      resolve,
      push: (changed, branch = DEFAULT_BRANCH) => void repo.commits.set(branch, changed),
      async open(input = {}) {
        const commit = input.commit ?? (await resolve()).commit
        const request = { orgId, installation, repository: name, commit, signal: input.signal ?? signal }
        return openRepository(input.app ?? app, request)
      },
    }
  }
  return {
    github,
    app,
    clock,
    dataDir,
    logged,
    openReplica,
    addRepo,
    emptyCache: () => rm(join(dataDir, 'repositories'), { recursive: true, force: true }),
    async close() {
      await github.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** A repository of many small files in folders. */
export const manyFiles = (most: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: most }, (_, i) => [
      `packages/p${i % 40}/src/module-${i}.ts`,
      `export const value${i} = ${i}\n${`// ${'line '.repeat(12)}\n`.repeat(12)}`,
    ]),
  )
