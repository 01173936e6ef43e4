// An order of a top-up, for tests of one rail.
import { after } from '@cowrie/server/src/kernel/clock.ts'
import type { Order, PaymentQuery } from '@cowrie/server/src/payments/rails/rail.ts'

let placed = 0

/** An order of ₦1,500.50 by card with `changes`, created at the start time of the manual clock. */
export function testOrder(changes: Partial<Order> = {}): Order {
  const createdAt = changes.createdAt ?? new Date('2026-11-15T09:00:00.000Z')
  placed += 1
  return {
    reference: `tp${String(placed).padStart(26, '0')}`,
    channel: 'card',
    amountMinor: 1_500_50n,
    currency: 'NGN',
    email: 'ada@example.com',
    phone: null,
    customer: { id: 'org_1', name: 'Ada' },
    description: 'Cowrie top-up',
    returnUrl: 'https://cowrie.example/app/wallet',
    notifyUrl: 'https://cowrie.example/webhooks/card_provider',
    createdAt,
    expiresAt: after(createdAt, { minutes: 30 }),
    ...changes,
  }
}

export const queryOf = (order: Order, providerRef: string | null = null): PaymentQuery => ({
  reference: order.reference,
  channel: order.channel,
  amountMinor: order.amountMinor,
  currency: order.currency,
  createdAt: order.createdAt,
  providerRef,
})
