// Changes flags. The audit log records each change with the previous value, and this replica applies it
// before the call returns.
import { isDeepStrictEqual } from 'node:util'
import { record } from '../audit/audit.ts'
import { present } from '../kernel/assert.ts'
import { ApiError, invalidFields } from '../kernel/errors.ts'
import type { OrgId } from '../kernel/ids.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Actor } from '../platform/http/actor.ts'
import { requireOutsider } from '../teams/teams.ts'
import type { TierOverrides } from './evaluate.ts'
import { getStore } from './flags.ts'
import { describeFlags, requireOrg } from './listing.ts'
import * as sql from './sql.ts'

export type FlagEdit = {
  description?: string | undefined
  defaultEnabled?: boolean | undefined
  tierOverrides?: TierOverrides | undefined
}
/** The staff member who makes a change, and their IP address. */
export type ChangeAuthor = { actor: Actor; ip: string }

const KEY = /^[a-z][a-z0-9_.-]{0,63}$/
// Every replica keeps all overrides in memory.
const OVERRIDES_MAX = 500_000

/** Creates or changes a flag. Missing fields keep their value; those of a new flag are off or empty. */
export async function setFlag(app: App, by: ChangeAuthor, key: string, edit: FlagEdit) {
  if (!KEY.test(key))
    throw invalidFields({
      path: 'key',
      message: 'must begin with a letter and have up to 64 of a-z, 0-9, dot, dash and underscore',
    })
  return change(app, async (tx) => {
    const before = await sql.findFlag(tx, key)
    if (!before && (await sql.countFlags(tx)).count >= BigInt(sql.FLAGS_MAX))
      throw new ApiError('limit_reached')
    const after: sql.Flag = {
      key,
      description: edit.description ?? before?.description ?? '',
      defaultEnabled: edit.defaultEnabled ?? before?.defaultEnabled ?? false,
      tierOverrides: edit.tierOverrides ?? before?.tierOverrides ?? {},
      updatedAt: tx.now,
    }
    const changed = !before || !isDeepStrictEqual(toAuditDetails(before), toAuditDetails(after))
    if (changed) {
      await sql.saveFlag(tx, after, by.actor.userId)
      const metadata = { before: before ? toAuditDetails(before) : null, after: toAuditDetails(after) }
      await recordChange(tx, by, null, 'admin.flags.set', key, metadata)
    }
    const [flag] = await describeFlags(tx, [changed || !before ? after : before])
    return { ok: true as const, changed, flag: present(flag, 'the flag that was saved') }
  })
}

/** Deletes a flag with its overrides. An unknown flag is off. */
export function removeFlag(app: App, by: ChangeAuthor, key: string): Promise<{ ok: true }> {
  return change(app, async (tx) => {
    const before = await sql.findFlag(tx, key)
    if (!before) throw new ApiError('not_found')
    await sql.deleteFlag(tx, key)
    await recordChange(tx, by, null, 'admin.flags.remove', key, {
      before: toAuditDetails(before),
      after: null,
    })
    return { ok: true as const }
  })
}

/** Sets the override of one organisation; null clears it. */
export async function setOverride(
  app: App,
  by: ChangeAuthor,
  org: string,
  key: string,
  enabled: boolean | null,
) {
  const { id: orgId } = await requireOrg(app, org)
  return change(app, async (tx) => {
    await requireOutsider(tx, by.actor, orgId)
    if (!(await sql.findFlag(tx, key))) throw new ApiError('not_found')
    const before = (await sql.findOverride(tx, key, orgId))?.enabled ?? null
    const changed = before !== enabled
    if (changed) {
      if (before === null && getStore(app).overrideCount() >= OVERRIDES_MAX)
        throw new ApiError('limit_reached')
      await sql.saveOverride(tx, key, orgId, enabled, by.actor.userId)
      const action = enabled === null ? 'orgs.flags.clear' : 'orgs.flags.set'
      await recordChange(tx, by, orgId, action, key, { before, after: enabled })
    }
    return { ok: true as const, changed, orgId, key, enabled }
  })
}

async function change<T>(app: App, work: (tx: Tx) => Promise<T>): Promise<T> {
  const result = await app.db.tx('platform', async (tx) => {
    await sql.lockForChange(tx)
    tx.notify('flags', 'changed')
    return work(tx)
  })
  await getStore(app).refresh()
  return result
}

const recordChange = (
  tx: Tx,
  { actor, ip }: ChangeAuthor,
  orgId: OrgId | null,
  action: string,
  target: string,
  metadata: object,
): Promise<void> => record(tx, { orgId, actor, as: 'operator', ip, action, target, metadata })

const toAuditDetails = ({ description, defaultEnabled, tierOverrides }: sql.Flag) => ({
  description,
  defaultEnabled,
  tierOverrides,
})
