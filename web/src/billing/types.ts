// What the service says about plans, cards and invoices.

export type Interval = 'month' | 'year'
export type PlanCode = 'free' | 'pro' | 'team' | 'enterprise'

export type Plan = {
  code: PlanCode
  name: string
  interval: Interval
  amountMinor: bigint
  includedUsageMinor: bigint
  seatAllotment: number
  seatPriceMinor: bigint
}

export type Subscription = {
  planCode: PlanCode
  status: 'active' | 'past_due' | 'canceled' | 'incomplete'
  currentPeriodEnd: string
  cancelAtPeriodEnd: boolean
  scheduledChange: { planCode: PlanCode; interval: Interval; effectiveAt: string } | null
  comped: boolean
  nextAmountMinor: bigint
  openInvoiceId: string | null
  nextAttemptAt: string | null
}

export type Summary = {
  subscription: Subscription | null
  /** Also null while a first payment is awaited. */
  plan: Plan | null
  included: { totalMinor: bigint; remainingMinor: bigint; resetsAt: string | null }
  seats: { purchased: number; total: number; occupied: number }
}

export type Card = {
  id: string
  brand: string
  last4: string
  expMonth: number
  expYear: number
  isDefault: boolean
  expired: boolean
}

export type Subject = 'topup' | 'card' | 'checkout' | 'change' | 'seats' | 'renewal' | 'credit'

export type Invoice = {
  id: string
  number: string
  status: 'paid' | 'open' | 'void'
  totalMinor: bigint
  lines: { description: string }[]
  issuedAt: string
  receiptUrl: string
  subject: Subject
  mode: 'live' | 'mock'
  /** The payment that paid it. */
  reference: string | null
}
