// All followers of a process share one listener and one poll, so that ten thousand idle followers cost as much as one.
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { Db, TenantScope } from '../db/tx.ts'
import { readHeads } from './sql.ts'

export type Follower = {
  /** Call before reading the table, so that a wake-up during the read is not missed. */
  forgetWakeUps(): void
  /** Resolves when there may be new events or the signal has aborted. Rejects when polling fails. */
  wokenUp(): Promise<void>
  leave(): void
}

export type FollowedStream = { readonly org: OrgId; readonly id: string; readonly seq: () => number }
type Member = FollowedStream & { wake(): void; fail(error: unknown): void }
type Group = { join(member: Member): void; leave(member: Member): void }

const POLL_MS = 2_000
const HEADS_AT_ONCE_MAX = 1_000

/** Whether an error is a temporary outage. Any other error is a bug and is passed to the followers. */
export const isTemporary = (error: unknown): boolean => error instanceof ApiError && error.status === 503

const groups = new WeakMap<Db, Group>()

export function joinFollowers(db: Db, followed: FollowedStream, signal: AbortSignal): Follower {
  let isAwake = false
  let wait: PromiseWithResolvers<void> | undefined
  const member: Member = {
    ...followed,
    wake() {
      isAwake = true
      wait?.resolve()
    },
    fail: (error) => wait?.reject(error),
  }
  const group = groups.get(db) ?? createGroup(db)
  groups.set(db, group)
  group.join(member)
  signal.addEventListener('abort', member.wake)

  return {
    forgetWakeUps() {
      isAwake = signal.aborted
    },
    async wokenUp() {
      if (isAwake) return
      wait = Promise.withResolvers<void>()
      await wait.promise
    },
    leave() {
      signal.removeEventListener('abort', member.wake)
      group.leave(member)
    },
  }
}

function createGroup(db: Db): Group {
  const members = new Map<string, Set<Member>>()
  let unlisten = () => {}
  let timer: NodeJS.Timeout | undefined
  let isPolling = false

  function onNotification(id: string | null): void {
    if (id === null) void poll()
    else for (const member of members.get(id) ?? []) member.wake()
  }

  /** Wakes followers that are behind. During an outage of a database its followers wait for the next poll. */
  async function poll(): Promise<void> {
    if (isPolling) return
    isPolling = true
    clearTimeout(timer)
    // In parallel, so that a slow placement does not delay the others.
    await Promise.all([...idsByScope()].map(([scope, ids]) => pollPlacement(scope, ids)))
    isPolling = false
    if (members.size > 0) timer = setTimeout(poll, POLL_MS).unref()
  }

  /** Streams in the shared tables are polled together. */
  function idsByScope(): Map<TenantScope, string[]> {
    return Map.groupBy(members.keys(), (id) => {
      const [first] = members.get(id) ?? []
      return first ? db.batchScope(first.org) : 'platform'
    })
  }

  async function pollPlacement(scope: TenantScope, ids: readonly string[]): Promise<void> {
    for (let at = 0; at < ids.length; at += HEADS_AT_ONCE_MAX) {
      const some = ids.slice(at, at + HEADS_AT_ONCE_MAX)
      try {
        await wakeBehind(scope, some)
      } catch (error) {
        if (isTemporary(error)) return
        for (const id of some) for (const member of members.get(id) ?? []) member.fail(error)
      }
    }
  }

  /** Reads only the last number of each stream, no events. This is the only query here across organisations. */
  async function wakeBehind(scope: TenantScope, ids: readonly string[]): Promise<void> {
    const heads = new Map((await db.tx(scope, (tx) => readHeads(tx, ids))).map((head) => [head.id, head]))
    for (const id of ids) {
      const head = heads.get(id)
      for (const member of members.get(id) ?? []) {
        // A missing stream wakes its followers too. They read again, and end or find that it has moved.
        if (!head || head.isClosed || head.lastSeq > member.seq()) member.wake()
      }
    }
  }

  return {
    join(member) {
      if (members.size === 0) {
        unlisten = db.listen('stream', onNotification)
        timer = setTimeout(poll, POLL_MS).unref()
      }
      members.set(member.id, (members.get(member.id) ?? new Set()).add(member))
    },
    leave(member) {
      const same = members.get(member.id)
      same?.delete(member)
      if (same?.size === 0) members.delete(member.id)
      if (members.size > 0) return
      unlisten()
      clearTimeout(timer)
    },
  }
}
