// What this browser keeps for the reader: drafts, paid results, and the last answers for reading without a network. Never a
// key or a token. Everything belongs to one person in one organisation, and signing out wipes all of it.

const NAME = 'cowrie'
const STORE = 'kept'

type Row = { id: string; at: number; value: unknown }

/** Who is signed in: what arrives for somebody who has left meanwhile is not written down after them. */
let reader: string | null = null

export function keepOnlyFor(userId: string | null): void {
  reader = userId
}

/** A browser that keeps nothing is served all the same: what was kept is then simply not there. */
export async function keep(owner: string, kind: string, id: string, value: unknown): Promise<void> {
  if (reader === null || (owner !== '' && owner.split(' ')[0] !== reader)) return
  await use('readwrite', (store) => store.put({ id: nameOf(owner, kind, id), at: Date.now(), value }))
}

export async function kept<T>(
  owner: string,
  kind: string,
  id: string,
): Promise<{ at: number; value: T } | null> {
  const row = await use<Row | undefined>('readonly', (store) => store.get(nameOf(owner, kind, id)))
  return row ? { at: row.at, value: row.value as T } : null
}

/** All of a kind, newest first. */
export async function allKept<T>(
  owner: string,
  kind: string,
): Promise<{ id: string; at: number; value: T }[]> {
  const prefix = nameOf(owner, kind, '')
  const range = () => IDBKeyRange.bound(prefix, `${prefix}\uffff`)
  const rows = (await use<Row[]>('readonly', (store) => store.getAll(range()))) ?? []
  return rows
    .map(({ id, at, value }) => ({ id: id.slice(prefix.length), at, value: value as T }))
    .sort((a, b) => b.at - a.at)
}

export async function drop(owner: string, kind: string, id: string): Promise<void> {
  await use('readwrite', (store) => store.delete(nameOf(owner, kind, id)))
}

/** Whoever uses this browser next finds nothing. */
export async function wipe(): Promise<void> {
  await use('readwrite', (store) => store.clear())
}

const nameOf = (owner: string, kind: string, id: string): string => `${owner}\n${kind}\n${id}`

let opening: Promise<IDBDatabase | null> | null = null

function open(): Promise<IDBDatabase | null> {
  opening ??= new Promise((resolve) => {
    if (typeof indexedDB === 'undefined') return resolve(null)
    const request = indexedDB.open(NAME, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'id' })
    request.onsuccess = () => {
      // Signing out clears all that the site keeps, this included; the next who is here begins anew.
      request.result.onclose = () => {
        opening = null
      }
      resolve(request.result)
    }
    request.onerror = () => resolve(null)
    request.onblocked = () => resolve(null)
  })
  return opening
}

async function use<T>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest,
): Promise<T | null> {
  const db = await open()
  if (!db) return null
  return new Promise((resolve) => {
    try {
      const request = act(db.transaction(STORE, mode).objectStore(STORE))
      request.onsuccess = () => resolve(request.result as T)
      // Full, or gone: the reader goes on without.
      request.onerror = () => resolve(null)
    } catch (error) {
      if (error instanceof DOMException) return resolve(null)
      throw error
    }
  })
}
