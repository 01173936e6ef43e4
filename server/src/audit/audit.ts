// The record of who did what. Entries are added in the transaction of the fact and can never be changed.
import { assert } from '../kernel/assert.ts'
import { newId, type OrgId, type UserId } from '../kernel/ids.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Actor } from '../platform/http/actor.ts'
import * as sql from './entries-sql.ts'
import { cleanMetadata } from './metadata.ts'

export { listStaffActions } from './entries-sql.ts'

export type ActorKind = 'user' | 'key' | 'operator' | 'system'

/** The caller of a request, a person who is known although nobody is signed in yet, or the service itself. */
export type AuditActor = Actor | { kind: 'user'; userId: UserId; email: string } | { kind: 'system' }

export type AuditEvent = {
  /** Whose chain it belongs to; null for what concerns the platform itself. */
  orgId: OrgId | null
  actor: AuditActor
  /** Set where staff act as staff, so that the organisation sees who came in. */
  as?: 'operator'
  ip?: string | null
  /** The name of the operation, such as `wallet.refund`. */
  action: string
  /** The id or name of what was acted upon. */
  target?: string | null
  /** What else is worth knowing. Fields named like secrets are masked; beyond 8 KiB only the names are kept. */
  metadata?: object
}

const TARGET_CHARACTERS_MAX = 300

/**
 * Appends one entry, in one round trip. When it cannot be written the transaction fails, and the fact with it. It holds
 * the end of its chain until the commit: record last, after the work.
 */
export async function record(
  tx: Tx,
  { orgId, actor, as, ip = null, action, target = null, metadata = {} }: AuditEvent,
): Promise<void> {
  assert(
    /^[a-z][A-Za-z0-9]*(\.[a-z][A-Za-z0-9_]*)+$/.test(action) && action.length <= 100,
    `${action} is dotted words`,
  )
  const who = describe(actor)
  const { keyId } = who
  await sql.append(tx, {
    id: newId('aud', tx.now.getTime()),
    orgId,
    actorKind: as ?? who.kind,
    actorUserId: who.userId,
    actorEmail: who.email,
    action,
    target: target === null ? null : oneLine(target).slice(0, TARGET_CHARACTERS_MAX),
    metadata: cleanMetadata(keyId ? { ...metadata, keyId } : metadata),
    ip,
  })
}

type ActorFields = { kind: ActorKind; userId: UserId | null; email: string | null; keyId?: string | null }

function describe(actor: AuditActor): ActorFields {
  if (!('kind' in actor)) {
    const { userId, email, keyId, via } = actor
    return { kind: via === 'key' ? 'key' : 'user', userId, email, keyId }
  }
  return actor.kind === 'system' ? { kind: 'system', userId: null, email: null } : actor
}

// What PostgreSQL cannot store, and what would break a line of the export.
const oneLine = (text: string): string => text.toWellFormed().replaceAll(/[\x00-\x1f\x7f]/g, ' ')
