// What staff must look into about payments: money that went back and is missing, disputes, and messages that say too little.
import { record } from '../../audit/audit.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { Once } from '../../platform/http/idempotency.ts'
import { decodePlace, toPage } from '../../platform/http/page.ts'
import { requireOutsider } from '../../teams/teams.ts'
import * as sql from '../sql/payment-cases.ts'
import type { Payment } from '../sql/payments.ts'

const SUMMARY_CHARACTERS_MAX = 500

export type NewCase = Pick<sql.NewCase, 'key' | 'kind' | 'summary'> & {
  readonly payment: Pick<Payment, 'orgId' | 'reference'> | null
  readonly amountMinor?: bigint
}

/** Opens a case, once for the same key. Says whether it is new. */
export function openCase(tx: Tx, { key, kind, summary, payment, amountMinor }: NewCase): Promise<boolean> {
  return sql.insertCase(tx, {
    key,
    kind,
    orgId: payment?.orgId ?? null,
    reference: payment?.reference ?? null,
    amountMinor: amountMinor ?? null,
    summary: summary.slice(0, SUMMARY_CHARACTERS_MAX),
  })
}

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

/** Closes a case with a note, once. A case about an organisation is not closed by one of its members. */
export function resolveCase(actor: Actor, id: sql.CaseId, note: string, once: Once, ip: string) {
  return once.commit('platform', async (tx) => {
    const found = await sql.lockCase(tx, id)
    if (!found) throw new ApiError('not_found')
    if (found.orgId) await requireOutsider(tx, actor, found.orgId)
    if (found.resolvedAt)
      throw new ApiError('already_decided', {
        error: 'This case is closed already; list the open ones with GET /admin/payment-cases?status=open.',
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
