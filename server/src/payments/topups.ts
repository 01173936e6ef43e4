// Lists the top-ups of an organisation and the channels that it can use.

import type { Currency } from '../kernel/money.ts'
import type { App } from '../platform/app.ts'
import type { Actor } from '../platform/http/actor.ts'
import { decodeTimeCursor, toPage } from '../platform/http/page.ts'
import type { Language } from '../platform/texts/language.ts'
import { translated } from '../platform/texts/texts.ts'
import { channelsFor } from './channels.ts'
import { findAccount, limitsOf } from './rails/accounts.ts'
import type { Payment, PaymentStatus } from './sql/payments.ts'
import * as sql from './sql/payments.ts'

/** Newest first. */
export async function listTopups(
  app: App,
  { orgId }: Actor,
  {
    status,
    cursor,
    limit,
  }: { status?: PaymentStatus | undefined; cursor?: string | undefined; limit: number },
  language: Language,
) {
  const before = cursor === undefined ? null : decodeTimeCursor(cursor)
  const rows = await app.db.tx(orgId, (tx) => sql.listTopups(tx, orgId, status ?? null, before, limit + 1))
  const { items, nextCursor } = toPage(rows, limit, ({ createdAt, reference }) => [createdAt, reference])
  return { topups: items.map((topup) => toEntry(topup, language)), nextCursor }
}

export const listChannels = (app: App, { org: { currency } }: Actor, language: Language) => ({
  channels: channelsIn(app, currency).map((channel) => ({
    ...channel,
    label: translated(language, channel.label),
  })),
  currency,
})

/** The channels of a currency with their limits. Production leaves out channels whose provider has no keys. */
export function channelsIn(app: App, currency: Currency) {
  return channelsFor(currency).flatMap((channel) => {
    const served = findAccount(app, { channel: channel.name, currency })
    const range = limitsOf(app, channel, currency)
    if (!served || !range) return []
    const { name, label, needsPhone } = channel
    return [{ channel: name, label, mode: served.mode, needsPhone, ...range }]
  })
}

function toEntry(topup: Payment, language: Language) {
  const { reference, status, channel, mode, amountMinor, currency, reason, createdAt, expiresAt, settledAt } =
    topup
  return {
    reference,
    status,
    channel,
    mode,
    amountMinor,
    currency,
    reason: reason && translated(language, reason),
    createdAt,
    expiresAt,
    settledAt,
    automatic: topup.cardId !== null,
  }
}
