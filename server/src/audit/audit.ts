// The audit log. Entries are appended in the transaction of the audited change and are immutable.
import { assert } from '../kernel/assert.ts'
import { newId, type OrgId, type UserId } from '../kernel/ids.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Actor, OrgToken } from '../platform/http/actor.ts'
import * as sql from './entries-sql.ts'
import { cleanMetadata } from './metadata.ts'

export { listStaffActions, type SignInEntry, signInsOf } from './entries-sql.ts'

/** The caller of a request, an identified user without a session, or the service itself. */
export type AuditActor =
  | Actor
  | OrgToken
  | { kind: 'user'; userId: UserId; email: string }
  | { kind: 'system' }

export type AuditEvent = {
  /** The organisation whose chain gets the entry; null for the platform chain. */
  orgId: OrgId | null
  actor: AuditActor
  /** Set when staff act as staff, so that the organisation sees it. */
  as?: 'operator'
  ip?: string | null
  /** The name of the operation, such as `wallet.refund`. */
  action: string
  /** The id or name of the target of the action. */
  target?: string | null
  /** Additional facts. Fields with secret-like names are masked; beyond 8 KiB only field names are stored. */
  metadata?: object
}

const TARGET_CHARACTERS_MAX = 300

/**
 * Appends one entry in one round trip. If this fails, the whole transaction fails. It locks the head of the chain until the
 * commit, so call it last.
 */
export async function record(
  tx: Tx,
  { orgId, actor, as, ip = null, action, target = null, metadata = {} }: AuditEvent,
): Promise<void> {
  assert(
    /^[a-z][A-Za-z0-9]*(\.[a-z][A-Za-z0-9_]*)+$/.test(action) && action.length <= 100,
    `${action} consists of words separated by dots`,
  )
  const fields = describe(actor)
  const { keyId, directory } = fields
  await sql.append(tx, {
    id: newId('aud', tx.now.getTime()),
    orgId,
    actorKind: as ?? fields.kind,
    actorUserId: fields.userId,
    actorEmail: fields.email,
    action,
    target: target === null ? null : oneLine(target).slice(0, TARGET_CHARACTERS_MAX),
    metadata: cleanMetadata({ ...metadata, ...(keyId && { keyId }), ...(directory && { directory }) }),
    ip,
  })
}

type ActorFields = {
  kind: sql.ActorKind
  userId: UserId | null
  email: string | null
  keyId?: string | null
  /** The SCIM token of a directory service, which is no user. */
  directory?: { id: string; name: string }
}

function describe(actor: AuditActor): ActorFields {
  if ('tokenId' in actor)
    return { kind: 'system', userId: null, email: null, directory: { id: actor.tokenId, name: actor.name } }
  if (!('kind' in actor)) {
    const { userId, email, keyId, via } = actor
    return { kind: via === 'key' ? 'key' : 'user', userId, email, keyId }
  }
  return actor.kind === 'system' ? { kind: 'system', userId: null, email: null } : actor
}

// Removes characters that PostgreSQL cannot store or that would break a CSV line.
const oneLine = (text: string): string => text.toWellFormed().replaceAll(/[\x00-\x1f\x7f]/g, ' ')
