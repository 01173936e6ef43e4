// API keys: create, list, change and revoke. Their format is in key-format.ts; principal.ts authenticates them.
import { isDeepStrictEqual } from 'node:util'
import { record } from '../../audit/audit.ts'
import { present } from '../../kernel/assert.ts'
import { after } from '../../kernel/clock.ts'
import { ApiError, invalidFields } from '../../kernel/errors.ts'
import { type Id, newId, type OrgId, type UserId } from '../../kernel/ids.ts'
import { holdMembership } from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { type Actor, hasRole, hasScope, isPerson, type Scope } from '../../platform/http/actor.ts'
import { decodeCursor, toPage } from '../../platform/http/page.ts'
import { plainMail, withoutAutoLinks } from '../../platform/mail/mail.ts'
import { requireOpenSession } from '../sessions/sessions.ts'
import { requireWithin } from './child-limits.ts'
import { generateKey } from './key-format.ts'
import { KEY_DAYS_MAX } from './key-schema.ts'
import * as sql from './keys-sql.ts'

// Enough for one key per machine.
const KEYS_MAX = 50

const NO_LIMITS: sql.StoredLimits = {
  budgetMinor: null,
  budgetPeriod: 'total',
  models: null,
  requestsPerMinute: null,
  tokensPerMinute: null,
  allowedAddresses: null,
}

/**
 * Stores the hash of a new key; only the reply contains the key itself. Throws `limit_reached` at the maximum
 * per user and organisation.
 */
export async function createKey(
  tx: Tx,
  { limits = NO_LIMITS, ...input }: Omit<sql.NewApiKey, 'limits'> & { limits?: sql.StoredLimits },
): Promise<{ id: Id<'key'>; key: string; prefix: string }> {
  await tx.lock(`keys ${input.orgId} ${input.userId}`)
  if ((await sql.countLiveKeys(tx, input.userId, input.orgId)) >= KEYS_MAX)
    throw new ApiError('limit_reached', {
      error: `You have ${KEYS_MAX} keys in this organisation. Revoke one first.`,
    })
  const { key, prefix, hash } = generateKey()
  const id = newId('key')
  await sql.insertKey(tx, { ...input, limits, id, prefix, hash })
  return { id, key, prefix }
}

/** Revokes every key of a user in one organisation. */
export const revokeKeys = (tx: Tx, userId: UserId, orgId: OrgId): Promise<void> =>
  sql.revokeKeysOf(tx, userId, orgId)

/** Newest first. Owners and admins see all keys of the organisation, others their own. */
export async function listKeys(
  app: App,
  actor: Actor,
  query: { limit: number; cursor?: string | undefined },
) {
  const [before = null] = decodeCursor(query.cursor, 1) ?? []
  const filter = { org: actor.orgId, holder: holderFor(actor), before, most: query.limit + 1 }
  const rows = await app.db.tx(actor.orgId, (tx) => sql.listKeys(tx, filter))
  const { items, nextCursor } = toPage(rows, query.limit, ({ id }) => [id])
  return { keys: items.map(toApiKey), nextCursor }
}

const toApiKey = ({ userId, email, heldMinor, ...key }: sql.ListedKey) => ({
  ...key,
  budgetLeftMinor: budgetLeft(key.budgetMinor, key.spentMinor + heldMinor),
  createdBy: { userId, email },
})

function budgetLeft(budgetMinor: bigint | null, usedMinor: bigint): bigint | null {
  if (budgetMinor === null) return null
  return budgetMinor > usedMinor ? budgetMinor - usedMinor : 0n
}

/** Omitted fields stay unchanged, and null removes a limit. */
export type KeyChange = { [name in keyof sql.StoredLimits]?: sql.StoredLimits[name] | undefined } & {
  name?: string | undefined
}

export type KeyInput = Omit<KeyChange, 'name'> & {
  name: string
  scopes?: Scope[] | undefined
  expiresInDays?: number | undefined
  expiresAt?: Date | undefined
}

export async function createOwnKey(app: App, actor: Actor, input: KeyInput, ip: string) {
  const { name } = input
  const limits = applyLimits(NO_LIMITS, input)
  const scopes = [...new Set(input.scopes)]
  requireScopes(actor, scopes)
  return app.db.tx(actor.orgId, async (tx) => {
    // A call must not create a key after its session has ended or its user has left.
    if (!(await holdMembership(tx, actor.orgId, actor.userId))) throw new ApiError('unauthenticated')
    await requireOpenSession(tx, actor)
    const { orgId, userId, keyId: parentId } = actor
    const parent = await lockParent(tx, actor)
    const expiresAt = earliest(requestedExpiry(input, tx.now), parent?.expiresAt ?? null)
    if (parentId) requireWithin(limits, await sql.limitsOf(tx, [parentId, ...(parent?.ancestors ?? [])]))
    const created = await createKey(tx, { orgId, userId, name, scopes, expiresAt, parentId, limits })
    await record(tx, {
      orgId: actor.orgId,
      actor,
      ip,
      action: 'keys.create',
      target: created.id,
      metadata: { name, scopes, expiresAt, ...changesFrom(NO_LIMITS, limits) },
    })
    const budgetLeftMinor = budgetLeft(limits.budgetMinor, 0n)
    return { ...created, name, scopes, expiresAt, ...limits, spentMinor: 0n, budgetLeftMinor }
  })
}

/** Throws `not_found` for keys the caller may not change, and `forbidden` for a key that changes itself or another one. */
export async function changeKey(app: App, actor: Actor, id: string, change: KeyChange, ip: string) {
  const { orgId, keyId } = actor
  const holder = holderFor(actor)
  return app.db.tx(orgId, async (tx) => {
    const before = await sql.lockForChange(tx, id, orgId, holder)
    if (!before) throw new ApiError('not_found')
    if (keyId !== null && !before.ancestors.includes(keyId))
      throw new ApiError('forbidden', { error: 'An API key can change only the keys that it created.' })
    const after = { ...before, ...applyLimits(before, change), name: change.name ?? before.name }
    requireWithin(after, await sql.limitsOf(tx, before.ancestors))
    await sql.writeKey(tx, after)
    const metadata = { before: changesFrom(after, before), after: changesFrom(before, after) }
    await record(tx, { orgId, actor, ip, action: 'keys.change', target: before.id, metadata })
    const [changed] = await sql.listKeys(tx, { org: orgId, holder, only: before.id, most: 1 })
    return toApiKey(present(changed, 'a locked key is listed'))
  })
}

const LIMITS = [
  'budgetMinor',
  'budgetPeriod',
  'models',
  'requestsPerMinute',
  'tokensPerMinute',
  'allowedAddresses',
] as const satisfies (keyof sql.StoredLimits)[]

const applyLimits = (before: sql.StoredLimits, change: KeyChange): sql.StoredLimits =>
  Object.fromEntries(
    LIMITS.map((name) => [name, change[name] === undefined ? before[name] : change[name]]),
  ) as sql.StoredLimits

/** The fields of `to` that differ from `from`. */
const changesFrom = <T extends sql.StoredLimits>(from: T, to: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(to).filter(([name, value]) => !isDeepStrictEqual(value, from[name as keyof T])),
  ) as Partial<T>

/**
 * Revokes a key and all keys that it created, on every replica. Throws `not_found` for keys the caller may
 * not revoke.
 */
export async function revokeKey(app: App, actor: Actor, id: string, ip: string): Promise<void> {
  const { orgId } = actor
  await app.db.tx(orgId, async (tx) => {
    const key = await sql.revokeKey(tx, id, orgId, holderFor(actor))
    if (!key) throw new ApiError('not_found')
    const created = await revokeCreatedBy(tx, id)
    if (key.userId !== actor.userId) await app.mail.send(tx, revokedMail(app, actor, key, created))
    for (const each of [key, ...created])
      await record(tx, {
        orgId,
        actor,
        ip,
        action: 'keys.revoke',
        target: each.id,
        metadata: { name: each.name, holder: each.userId, ...(each !== key && { revokedWith: id }) },
      })
  })
}

/**
 * Repeats until no key is left: an update waits for a key that is being created and sees its children only
 * afterwards.
 */
async function revokeCreatedBy(tx: Tx, id: string): Promise<sql.RevokedKey[]> {
  const revoked: sql.RevokedKey[] = []
  for (
    let more = await sql.revokeCreatedBy(tx, id);
    more.length > 0;
    more = await sql.revokeCreatedBy(tx, id)
  )
    revoked.push(...more)
  return revoked
}

// A key manages only the keys of its user, even if that user is an admin.
const managesOrg = (actor: Actor): boolean => isPerson(actor) && hasRole(actor.role, 'admin')

/** The user whose keys the caller may see and change; null for those of every user. */
const holderFor = (actor: Actor): UserId | null => (managesOrg(actor) ? null : actor.userId)

function requireScopes(actor: Actor, scopes: readonly Scope[]): void {
  const missing = scopes.filter((scope) => !hasScope(actor, scope))
  if (missing.length > 0)
    throw new ApiError('insufficient_scope', {
      error: `This API key cannot grant ${missing.join(', ')}, because it does not have it itself.`,
    })
}

/** A key cannot create one that expires later than itself, and none once it is revoked. */
async function lockParent(tx: Tx, { keyId }: Actor) {
  if (keyId === null) return null
  const parent = await sql.lockKey(tx, keyId)
  if (!parent) throw new ApiError('unauthenticated')
  return parent
}

const earliest = (a: Date | null, b: Date | null): Date | null => (a && b ? (a < b ? a : b) : (a ?? b))

function requestedExpiry({ expiresInDays, expiresAt }: KeyInput, now: Date): Date | null {
  if (expiresInDays !== undefined) return after(now, { days: expiresInDays })
  if (expiresAt === undefined) return null
  if (expiresAt <= now || expiresAt > after(now, { days: KEY_DAYS_MAX }))
    throw invalidFields({
      path: 'expiresAt',
      message: `must be in the future, at most ${KEY_DAYS_MAX} days from now`,
    })
  return expiresAt
}

const revokedMail = (app: App, actor: Actor, key: sql.RevokedKey, created: readonly sql.RevokedKey[]) => ({
  to: key.email,
  ...plainMail(
    'Your Cowrie API key was revoked',
    [
      `${actor.email} revoked your API key ${keyName(key)} in ${withoutAutoLinks(actor.org.name)}. It no longer works anywhere.`,
      ...(created.length > 0
        ? [`The keys that it had created were revoked with it: ${created.map(keyName).join(', ')}.`]
        : []),
      'If something of yours still needs one, create a new key and put it in the old one’s place.',
    ],
    { label: 'See your keys', url: `${app.config.baseUrl}/app/keys` },
  ),
})

const keyName = ({ name, prefix }: sql.RevokedKey): string => `"${withoutAutoLinks(name)}" (${prefix}…)`
