// Lists and closes payment cases: shortfalls, disputes, unclear returns and unreadable webhooks.
import { record } from '../../audit/audit.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { Once } from '../../platform/http/idempotency/idempotency.ts'
import { decodeTimeCursor, toPage } from '../../platform/http/page.ts'
import { requireOutsider } from '../../teams/teams.ts'
import * as sql from '../sql/payment-cases.ts'

type Search = {
  status?: 'open' | 'resolved' | undefined
  reference?: string | undefined
  limit: number
  cursor?: string | undefined
}

export async function listCases(app: App, { status, reference, limit, cursor }: Search) {
  const before = cursor === undefined ? null : decodeTimeCursor(cursor)
  const isOpen = status === undefined ? null : status === 'open'
  const rows = await app.db.tx('platform', (tx) =>
    sql.listCases(tx, isOpen, reference ?? null, before, limit + 1),
  )
  const { items, nextCursor } = toPage(rows, limit, ({ openedAt, id }) => [openedAt, id])
  return { cases: items, nextCursor }
}

/** Closes a case once. Staff cannot close a case of an organisation that they belong to. */
export function resolveCase(actor: Actor, id: sql.CaseId, note: string, once: Once, ip: string) {
  return once.commit('platform', async (tx) => {
    const found = await sql.lockCase(tx, id)
    if (!found) throw new ApiError('not_found')
    if (found.orgId) await requireOutsider(tx, actor, found.orgId)
    if (found.resolvedAt)
      throw new ApiError('already_decided', {
        error: 'This case is already closed. List open cases with GET /admin/payment-cases?status=open.',
      })
    await sql.resolveById(tx, id, actor.userId, note)
    await record(tx, {
      orgId: found.orgId,
      actor,
      as: 'operator',
      ip,
      action: 'admin.payments.resolve_case',
      target: found.reference ?? id,
      metadata: { caseId: id, kind: found.kind, note },
    })
    return { ok: true as const, id }
  })
}
