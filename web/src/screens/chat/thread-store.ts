// The conversations of the user, kept in memory so that the list does not flicker between screens.
import type { Thread } from '@cowrie/sdk'
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api } from '../../data/api.ts'
import { type ApiFailure, asFailure } from '../../data/failure.ts'
import { nameOf, session } from '../../data/session.ts'
import { keep, kept } from '../../data/storage/browser-store.ts'

const PAGE = 50

type Shelf = { threads: readonly Thread[]; nextCursor: string | null }
export type ShelfState =
  | { state: 'loading' }
  | ({ state: 'ready' } & Shelf)
  | { state: 'failed'; failure: ApiFailure }

const shelves = signal<ReadonlyMap<string, ShelfState>>(new Map())
const nameFor = (isArchived: boolean): string => `${nameOf(session.peek())} ${isArchived}`

const keptAs = (isArchived: boolean): string => `chat.shelf ${isArchived}`

export function useShelf(isArchived: boolean): ShelfState {
  const name = `${nameOf(session.value)} ${isArchived}`
  useEffect(() => void loadShelf(isArchived), [name])
  return shelves.value.get(name) ?? { state: 'loading' }
}

export async function loadShelf(isArchived: boolean): Promise<void> {
  const [owner, name] = [nameOf(session.peek()), nameFor(isArchived)]
  try {
    const { threads, nextCursor } = await api.chat.threads.list({ limit: PAGE, archived: isArchived })
    put(name, { state: 'ready', threads, nextCursor })
    await keep(owner, 'read', keptAs(isArchived), { threads, nextCursor } satisfies Shelf)
  } catch (error) {
    const failure = asFailure(error)
    // Offline, the earlier list stays.
    if (failure.status === 0 && shelves.peek().get(name)?.state === 'ready') return
    const last = failure.status === 0 ? await kept<Shelf>(owner, 'read', keptAs(isArchived)) : null
    put(name, last ? { state: 'ready', ...last.value } : { state: 'failed', failure })
  }
}

export async function loadMore(isArchived: boolean): Promise<void> {
  const name = nameFor(isArchived)
  const known = shelves.peek().get(name)
  if (known?.state !== 'ready' || known.nextCursor === null) return
  const page = await api.chat.threads.list({ limit: PAGE, archived: isArchived, cursor: known.nextCursor })
  put(name, { state: 'ready', threads: [...known.threads, ...page.threads], nextCursor: page.nextCursor })
}

/** An empty conversation: an unused one, or a new one. */
export async function emptyThread(): Promise<string> {
  const known = shelves.peek().get(nameFor(false))
  const unused =
    known?.state === 'ready' ? known.threads.find(({ title, busy }) => title === '' && !busy) : undefined
  if (unused) return unused.id
  const { id } = await api.chat.threads.create({})
  return id
}

function put(name: string, shelf: ShelfState): void {
  shelves.value = new Map(shelves.peek()).set(name, shelf)
}
