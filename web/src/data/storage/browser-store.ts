// IndexedDB store for drafts, paid results and the last responses for offline reading. It never holds a key or a token.
// Every row belongs to one user in one organisation. Signing out deletes all rows.

const NAME = 'cowrie'
const STORE = 'kept'

type Row = { id: string; at: number; value: unknown }

/** The signed-in user: responses that arrive after the sign-out are not stored. */
let currentUser: string | null = null

export function setStoreUser(userId: string | null): void {
  currentUser = userId
}

/** Where the browser stores nothing, reads find nothing and the app still works. */
export async function saveRow(owner: string, kind: string, id: string, value: unknown): Promise<void> {
  if (currentUser === null || (owner !== '' && owner.split(' ')[0] !== currentUser)) return
  await use('readwrite', (store) => store.put({ id: rowId(owner, kind, id), at: Date.now(), value }))
}

export async function loadRow<T>(
  owner: string,
  kind: string,
  id: string,
): Promise<{ at: number; value: T } | null> {
  const row = await use<Row | undefined>('readonly', (store) => store.get(rowId(owner, kind, id)))
  return row ? { at: row.at, value: row.value as T } : null
}

/** All rows of a kind, newest first. */
export async function listRows<T>(
  owner: string,
  kind: string,
): Promise<{ id: string; at: number; value: T }[]> {
  const prefix = rowId(owner, kind, '')
  const range = () => IDBKeyRange.bound(prefix, `${prefix}\uffff`)
  const rows = (await use<Row[]>('readonly', (store) => store.getAll(range()))) ?? []
  return rows
    .map(({ id, at, value }) => ({ id: id.slice(prefix.length), at, value: value as T }))
    .sort((a, b) => b.at - a.at)
}

export async function deleteRow(owner: string, kind: string, id: string): Promise<void> {
  await use('readwrite', (store) => store.delete(rowId(owner, kind, id)))
}

/** Deletes everything, for the next user of this browser. */
export async function clearStore(): Promise<void> {
  await use('readwrite', (store) => store.clear())
}

const rowId = (owner: string, kind: string, id: string): string => `${owner}\n${kind}\n${id}`

let opening: Promise<IDBDatabase | null> | null = null

function open(): Promise<IDBDatabase | null> {
  opening ??= new Promise((resolve) => {
    if (typeof indexedDB === 'undefined') return resolve(null)
    const request = indexedDB.open(NAME, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'id' })
    request.onsuccess = () => {
      // Signing out clears all site data, this database included. The next access opens it again.
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
      const transaction = db.transaction(STORE, mode)
      const request = act(transaction.objectStore(STORE))
      // Without an explicit commit, a page that closes now would lose the change.
      transaction.commit?.()
      request.onsuccess = () => resolve(request.result as T)
      // The storage is full or gone. Continue without it.
      request.onerror = () => resolve(null)
    } catch (error) {
      if (error instanceof DOMException) return resolve(null)
      throw error
    }
  })
}
