// The conversations of the user, kept in memory so that the list does not flicker between screens.
import type { Thread } from '@cowrie/sdk'
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api } from '../../data/api.ts'
import { type ApiFailure, asFailure } from '../../data/failure.ts'
import { ownerOf, session } from '../../data/session.ts'
import { loadRow, saveRow } from '../../data/storage/browser-store.ts'
import { isInUse } from './conversation/conversation.ts'

const PAGE = 50

type ThreadPage = { threads: readonly Thread[]; nextCursor: string | null }
export type ThreadListState =
  | { state: 'loading' }
  | ({ state: 'ready' } & ThreadPage)
  | { state: 'failed'; failure: ApiFailure }

const lists = signal<ReadonlyMap<string, ThreadListState>>(new Map())
const listKey = (isArchived: boolean): string => `${ownerOf(session.peek())} ${isArchived}`

const storedKey = (isArchived: boolean): string => `chat.shelf ${isArchived}`

export function useThreadList(isArchived: boolean): ThreadListState {
  const name = `${ownerOf(session.value)} ${isArchived}`
  useEffect(() => void loadThreads(isArchived), [name])
  return lists.value.get(name) ?? { state: 'loading' }
}

export async function loadThreads(isArchived: boolean): Promise<void> {
  const [owner, name] = [ownerOf(session.peek()), listKey(isArchived)]
  try {
    const { threads, nextCursor } = await api.chat.threads.list({ limit: PAGE, archived: isArchived })
    put(name, { state: 'ready', threads, nextCursor })
    await saveRow(owner, 'read', storedKey(isArchived), { threads, nextCursor } satisfies ThreadPage)
  } catch (error) {
    const failure = asFailure(error)
    // Offline, the earlier list stays.
    if (failure.status === 0 && lists.peek().get(name)?.state === 'ready') return
    const last = failure.status === 0 ? await loadRow<ThreadPage>(owner, 'read', storedKey(isArchived)) : null
    put(name, last ? { state: 'ready', ...last.value } : { state: 'failed', failure })
  }
}

export async function loadMoreThreads(isArchived: boolean): Promise<void> {
  const name = listKey(isArchived)
  const known = lists.peek().get(name)
  if (known?.state !== 'ready' || known.nextCursor === null) return
  const page = await api.chat.threads.list({ limit: PAGE, archived: isArchived, cursor: known.nextCursor })
  put(name, { state: 'ready', threads: [...known.threads, ...page.threads], nextCursor: page.nextCursor })
}

/** An empty conversation: an unused one, or a new one. */
export async function emptyThread(): Promise<string> {
  const known = lists.peek().get(listKey(false))
  const owner = ownerOf(session.peek())
  const threads = known?.state === 'ready' ? known.threads : []
  const unused = threads.find(({ id, title, busy }) => title === '' && !busy && !isInUse(owner, id))
  if (unused) return unused.id
  const { id } = await api.chat.threads.create({})
  return id
}

function put(name: string, shelf: ThreadListState): void {
  lists.value = new Map(lists.peek()).set(name, shelf)
}
