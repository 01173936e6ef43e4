// Lists of flags, for staff and for organisations.
import { ApiError } from '../kernel/errors.ts'
import { isId, type OrgId } from '../kernel/ids.ts'
import { findOrg } from '../orgs/orgs.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Actor } from '../platform/http/actor.ts'
import { decodeCursor, toPage } from '../platform/http/page.ts'
import { evaluateFlags } from './flags.ts'
import * as sql from './sql.ts'

export type FlagPageQuery = { limit: number; cursor?: string | undefined }

const OVERRIDES_SHOWN = 100

export async function listFlags(app: App, { limit, cursor }: FlagPageQuery) {
  const [after = ''] = decodeCursor(cursor, 1) ?? []
  return app.db.tx('platform', async (tx) => {
    const { items, nextCursor } = toPage(await sql.listFlags(tx, after, limit + 1), limit, ({ key }) => [key])
    return { flags: await describeFlags(tx, items), nextCursor }
  })
}

/** Adds the newest overrides, limited in number: a flag can be on for very many organisations. */
export async function describeFlags(tx: Tx, flags: readonly sql.Flag[]) {
  const keys = flags.map(({ key }) => key)
  const overrides = Map.groupBy(
    await sql.newestOverrides(tx, keys, OVERRIDES_SHOWN + 1),
    (override) => override.key,
  )
  return flags.map((flag) => {
    const found = overrides.get(flag.key) ?? []
    const orgOverrides = found.slice(0, OVERRIDES_SHOWN).map(({ orgId, enabled }) => ({ orgId, enabled }))
    return { ...flag, orgOverrides, moreOrgOverrides: found.length > OVERRIDES_SHOWN }
  })
}

export async function listOverrides(app: App, key: string, { limit, cursor }: FlagPageQuery) {
  const [after = ''] = decodeCursor(cursor, 1) ?? []
  const rows = await app.db.tx('platform', async (tx) => {
    if (!(await sql.findFlag(tx, key))) throw new ApiError('not_found')
    return sql.listOverrides(tx, key, after, limit + 1)
  })
  const { items, nextCursor } = toPage(rows, limit, ({ orgId }) => [orgId])
  return {
    overrides: items.map(({ orgId, enabled, updatedAt }) => ({ orgId, enabled, updatedAt })),
    nextCursor,
  }
}

/** Flags of the caller's organisation. */
export function getOwnFlags(app: App, { orgId, org }: Actor) {
  return toApiFlags(evaluateFlags(app, { orgId, tier: org.tier }))
}

/** Flags of any organisation, for staff. */
export async function getOrgFlags(app: App, orgId: string) {
  const { tier, id } = await requireOrg(app, orgId)
  return { orgId: id, tier, ...toApiFlags(evaluateFlags(app, { orgId: id, tier })) }
}

export async function requireOrg(app: App, orgId: string): Promise<{ id: OrgId; tier: string }> {
  const org = isId('org', orgId) ? await findOrg(app.db.direct, orgId) : undefined
  if (!org || org.closed) throw new ApiError('not_found')
  return { id: org.id, tier: org.tier }
}

const toApiFlags = (values: ReturnType<typeof evaluateFlags>) => ({
  // Object.fromEntries is safe for flags named like built-in properties, such as `constructor`.
  flags: Object.fromEntries(values.map(({ key, enabled }) => [key, enabled])),
  sources: values,
})
