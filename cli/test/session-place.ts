// A folder for a session, and the options of its turns. Without the service, so that a child process starts fast.
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Decide, NewTurn, SessionEvent } from '../src/session/types.ts'

export type SessionFolder = {
  readonly root: string
  readonly state: string
  read(path: string): string | null
  /** The lines of a file. */
  lines(path: string): string[]
}

export const placeIn = (home: string): SessionFolder => {
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
