// A service that works by itself with a scripted model, and sessions on a folder.
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@cowrie/sdk'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { scratchFolder } from '@cowrie/testkit/harness/scratch-folder.ts'
import { startTaskWorld, type TaskWorld } from '@cowrie/testkit/tasks/world.ts'
import { openSession, type SessionOptions } from '../src/session/open-session.ts'
import { createTransport } from '../src/session/transport.ts'
import type { Decide, NewTurn, Session, SessionEvent, Toolbox } from '../src/session/types.ts'

export type SessionWorld = {
  readonly world: TaskWorld
  readonly url: string
  /** An empty folder with its own state. */
  place(): Place
  open(place: Place, as: Person, toolbox: Toolbox, more?: Partial<SessionOptions>): Promise<Session>
  close(): Promise<void>
}

export type Place = {
  readonly root: string
  readonly state: string
  read(path: string): string | null
  /** The lines of a file. */
  lines(path: string): string[]
}

export const placeIn = (home: string): Place => {
  const root = join(home, 'work')
  mkdirSync(root, { recursive: true })
  const read = (path: string) => {
    try {
      return readFileSync(join(root, path), 'utf8')
    } catch {
      return null
    }
  }
  return {
    root,
    state: join(home, 'state'),
    read,
    lines: (path) => (read(path) ?? '').split('\n').filter((line) => line !== ''),
  }
}

export function openIn(
  { root, state }: Pick<Place, 'root' | 'state'>,
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
  const world = await startTaskWorld({
    background: true,
    variables: { SERVICE_SANDBOX_LOCAL: 'off', SERVICE_SANDBOX_DOCKER: 'off' },
  })
  const url = await world.server.listen()
  const homes: string[] = []
  return {
    world,
    url,
    place() {
      const home = scratchFolder()
      homes.push(home)
      return placeIn(home)
    },
    open: (place, { bearer }, toolbox, more) => openIn(place, { url, bearer }, toolbox, more),
    async close() {
      await world.close()
      for (const home of homes) rmSync(home, { recursive: true, force: true })
    },
  }
}

export const turn = (prompt: string, more: Partial<NewTurn> = {}): NewTurn => ({
  prompt,
  attachments: [],
  mode: 'work',
  model: null,
  verify: null,
  compact: false,
  maxMinor: 50_000n,
  ...more,
})

export type Run = {
  readonly events: SessionEvent[]
  readonly signal: AbortSignal
  readonly onEvent: (event: SessionEvent) => void
  readonly decide: Decide
}

/** The options of a turn that allows everything and collects its events. */
export function collect(more: Partial<Run> = {}): Run {
  const events: SessionEvent[] = []
  return {
    events,
    signal: new AbortController().signal,
    onEvent: (event) => void events.push(event),
    decide: async () => ({ allow: true }),
    ...more,
  }
}

export const ofKind = <K extends SessionEvent['kind']>(
  { events }: Pick<Run, 'events'>,
  kind: K,
): Extract<SessionEvent, { kind: K }>[] =>
  events.filter((event): event is Extract<SessionEvent, { kind: K }> => event.kind === kind)

export const notesOf = (run: Pick<Run, 'events'>): string[] => ofKind(run, 'note').map(({ note }) => note)
