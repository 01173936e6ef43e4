// A service that works by itself with a scripted model, and sessions on a folder.
import { rmSync } from 'node:fs'
import { createClient } from '@cowrie/sdk'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { scratchFolder } from '@cowrie/testkit/harness/scratch-folder.ts'
import { startTaskWorld, type TaskWorld } from '@cowrie/testkit/tasks/world.ts'
import { openSession } from '../src/session/open-session.ts'
import type { SessionOptions } from '../src/session/session-options.ts'
import { createTransport } from '../src/session/transport.ts'
import type { Session, Toolbox } from '../src/session/types.ts'
import { placeIn, type SessionFolder } from './session-place.ts'

export type SessionWorld = {
  readonly world: TaskWorld
  readonly url: string
  /** Of the service, for another one on the same database. */
  readonly variables: Record<string, string>
  /** An empty folder with its own state. */
  place(): SessionFolder & { readonly home: string }
  open(place: SessionFolder, as: Person, toolbox: Toolbox, more?: Partial<SessionOptions>): Promise<Session>
  close(): Promise<void>
}

export function openIn(
  { root, state }: Pick<SessionFolder, 'root' | 'state'>,
  { url, bearer }: { url: string; bearer: string },
  toolbox: Toolbox,
  more: Partial<SessionOptions> = {},
): Promise<Session> {
  const transport = createTransport()
  return openSession({
    client: createClient({ baseUrl: url, key: bearer, fetch: transport.fetch }),
    toolbox,
    root,
    paths: { state },
    model: null,
    budgetMinor: null,
    workspaceName: 'a laptop',
    isDataSaver: false,
    bytes: transport.bytes,
    ...more,
  })
}

export async function startSessionWorld(): Promise<SessionWorld> {
  const sandbox = { SERVICE_SANDBOX_LOCAL: 'off', SERVICE_SANDBOX_DOCKER: 'off' }
  const world = await startTaskWorld({ background: true, variables: sandbox })
  const variables = {
    ...sandbox,
    SERVICE_UPSTREAM_BASE_URL: world.upstream.url,
    SERVICE_UPSTREAM_OPEN_MODEL: 'small-1',
    SERVICE_UPSTREAM_FRONTIER_MODEL: 'big-1',
  }
  const url = await world.server.listen()
  const homes: string[] = []
  return {
    world,
    url,
    variables,
    place() {
      const home = scratchFolder()
      homes.push(home)
      return { home, ...placeIn(home) }
    },
    open: (place, { bearer }, toolbox, more) => openIn(place, { url, bearer }, toolbox, more),
    async close() {
      await world.close()
      for (const home of homes) rmSync(home, { recursive: true, force: true })
    },
  }
}
