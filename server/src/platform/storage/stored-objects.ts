// The objects that rows of a module name. After a restore, the rows and the objects are compared.
import { ApiError } from '../../kernel/errors.ts'
import { ByteCounter } from './object.ts'
import type { ListedObject, ObjectDigest, Storage, StoredObject } from './storage.ts'

/** `changed`: the content is not the one that the row names. `unreadable`: damaged, or refused by the storage server. */
export type DifferenceKind = 'missing' | 'changed' | 'unreadable' | 'orphaned'

/** A row that names an object. */
export type ObjectReference = {
  readonly key: string
  readonly row: string
  /** Whether the content is the one that the row names. Reads the stream to its end or cancels it. */
  matches(object: StoredObject): Promise<boolean>
}

export type StoredObjects<App> = {
  /** All keys of the module start with one of them. */
  readonly prefixes: readonly string[]
  readonly remedies: Readonly<Record<DifferenceKind, string>>
  /** Fails if any placement cannot be read, because its objects would seem orphaned. */
  references(app: App): AsyncIterable<ObjectReference>
}

export type ObjectDifference = {
  readonly kind: DifferenceKind
  readonly key: string
  /** The row that names the object; for an orphan the time when it was stored. */
  readonly detail: string
  readonly remedy: string
}
export type ObjectReport = { readonly named: number; readonly stored: number; readonly differences: number }

const READERS = 8
const UNKNOWN_REMEDY =
  'No part of the service stores objects with this key. Find out who shares the bucket before you delete it.'

type Parts = { readonly storage: Storage }

/**
 * Compares every row that names an object with the storage, and reports each difference. Holds all keys in memory, some 200
 * bytes each.
 */
export async function compareObjects<App extends Parts>(
  app: App,
  sources: readonly StoredObjects<App>[],
  onDifference: (difference: ObjectDifference) => void,
): Promise<ObjectReport> {
  let [named, stored, differences] = [0, 0, 0]
  const report = (difference: ObjectDifference) => {
    differences++
    onDifference(difference)
  }
  // Listed first, so that the row of an object that is stored meanwhile is read afterwards.
  const unnamed = new Map<string, ListedObject>()
  for await (const object of app.storage.list()) {
    stored++
    unnamed.set(object.key, object)
  }
  for (const { references, remedies } of sources) {
    const queue = references(app)
    const work = async () => {
      for await (const reference of queue) {
        const { key, row } = reference
        named++
        unnamed.delete(key)
        const kind = await differenceOf(app.storage, reference)
        if (kind) report({ kind, key, detail: row, remedy: remedies[kind] })
      }
    }
    await Promise.all(Array.from({ length: READERS }, work))
  }
  for (const { key, storedAt } of unnamed.values()) {
    const owner = sources.find(({ prefixes }) => prefixes.some((prefix) => key.startsWith(prefix)))
    const remedy = owner?.remedies.orphaned ?? UNKNOWN_REMEDY
    report({ kind: 'orphaned', key, detail: `stored ${storedAt.toISOString()}`, remedy })
  }
  return { named, stored, differences }
}

async function differenceOf(
  storage: Storage,
  { key, matches }: ObjectReference,
): Promise<DifferenceKind | null> {
  try {
    const found = await storage.get(key)
    if (!found) return 'missing'
    return (await matches(found)) ? null : 'changed'
  } catch (error) {
    // An outage is no difference.
    if (error instanceof ApiError) throw error
    return 'unreadable'
  }
}

/** Whether the content has this length and hash. */
export const hasDigest =
  ({ bytes, sha256 }: ObjectDigest): ObjectReference['matches'] =>
  async (object) => {
    if (object.bytes !== bytes) {
      await object.stream.cancel()
      return false
    }
    const counter = new ByteCounter(bytes)
    for await (const chunk of object.stream) counter.add(chunk)
    return counter.result().sha256 === sha256
  }
