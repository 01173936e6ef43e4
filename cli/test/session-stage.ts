// The world of the journeys of a session: the service with a scripted model, the packed command, and a repository for each journey.
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { FakeReply } from '@cowrie/testkit/fakes/models/fake-reply.ts'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { scratchFolder } from '@cowrie/testkit/harness/scratch-folder.ts'
import { byStep, startTaskWorld, type TaskWorld } from '@cowrie/testkit/tasks/world.ts'
import { type PackedCli, packCli } from './packed-cli.ts'
import { KOBO_PER_TOKEN, priced } from './paid-model.ts'
import type { TerminalOptions } from './pty.ts'
import { makeRepository, type TestRepository } from './repository.ts'

export type SessionStage = {
  readonly world: TaskWorld
  readonly url: string
  readonly cli: PackedCli
  /** The answers of the model in the next conversation, in order. */
  answers(...replies: readonly FakeReply[]): void
  /** A person with money, an empty home folder and a repository with these files. */
  enter(files: Readonly<Record<string, string>>): Promise<Desk>
  close(): Promise<void>
}

export type Desk = {
  readonly ada: Person
  readonly home: string
  readonly repo: TestRepository
  /** The options of a terminal in the repository. */
  at(more?: Record<string, string>): TerminalOptions
  text(path: string): string | null
}

export async function startSessionStage(): Promise<SessionStage> {
  const [world, cli] = await Promise.all([
    startTaskWorld({ background: true, variables: { ...KOBO_PER_TOKEN, SERVICE_SANDBOX_LOCAL: 'off' } }),
    packCli(),
  ])
  const url = await world.server.listen()
  const left: (() => void)[] = []
  return {
    world,
    url,
    cli,
    answers: (...replies) => world.upstream.fallback(priced(byStep(...replies))),
    async enter(files) {
      const ada = await world.customer()
      const home = scratchFolder()
      const repo = makeRepository(files)
      left.push(repo.remove, () => rmSync(home, { recursive: true, force: true }))
      mkdirSync(join(home, '.config'), { recursive: true })
      return {
        ada,
        home,
        repo,
        at: (more = {}) => ({
          cwd: repo.root,
          program: cli.program,
          env: {
            PATH: `${dirname(process.execPath)}:${process.env.PATH ?? ''}`,
            HOME: home,
            COWRIE_URL: url,
            COWRIE_API_KEY: ada.bearer,
            ...more,
          },
        }),
        text(path) {
          try {
            return readFileSync(join(repo.root, path), 'utf8')
          } catch {
            return null
          }
        },
      }
    },
    async close() {
      await world.close()
      for (const remove of left) remove()
      cli.remove()
    },
  }
}
