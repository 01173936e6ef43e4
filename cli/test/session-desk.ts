// One service with a scripted model for a file of tests, and for each test an empty home folder and a repository with a fault.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { scratchFolder } from '@cowrie/testkit/harness/scratch-folder.ts'
import { startTaskWorld, type TaskWorld } from '@cowrie/testkit/tasks/world.ts'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { makeRepository, type TestRepository } from './repository.ts'

/** `src/add.js` of the repository, what it should be, and the call that repairs it. */
export const BROKEN = 'export function add(a, b) {\n  return a - b\n}\n'
export const FIXED = 'export function add(a, b) {\n  return a + b\n}\n'
export const FIX = ['edit', { path: 'src/add.js', edits: [{ find: 'a - b', replace: 'a + b' }] }] as const

export type SessionDesk = {
  readonly world: TaskWorld
  readonly url: string
  readonly ada: Person
  readonly home: string
  readonly repo: TestRepository
  /** The variables of a command that Ada runs. */
  env(more?: Readonly<Record<string, string>>): Record<string, string>
  /** A file of the repository. */
  text(path: string): string
}

export function useSessionDesk(): SessionDesk {
  let shared: Pick<SessionDesk, 'world' | 'url' | 'ada'>
  let own: Pick<SessionDesk, 'home' | 'repo'>
  beforeAll(async () => {
    const world = await startTaskWorld({ background: true })
    shared = { world, url: await world.server.listen(), ada: await world.customer() }
  })
  afterAll(() => shared.world.close())
  beforeEach(() => {
    const repo = makeRepository({ 'src/add.js': BROKEN, 'package.json': '{"type":"module"}\n' })
    own = { home: scratchFolder(), repo }
  })
  afterEach(() => {
    shared.world.upstream.reset()
    own.repo.remove()
    rmSync(own.home, { recursive: true, force: true })
  })
  return {
    get world() {
      return shared.world
    },
    get url() {
      return shared.url
    },
    get ada() {
      return shared.ada
    },
    get home() {
      return own.home
    },
    get repo() {
      return own.repo
    },
    env: (more = {}) => ({
      COWRIE_URL: shared.url,
      COWRIE_API_KEY: shared.ada.bearer,
      HOME: own.home,
      PATH: process.env.PATH ?? '',
      ...more,
    }),
    text: (path) => readFileSync(join(own.repo.root, path), 'utf8'),
  }
}
