// cowrie plan: the subscription, its renewal, and the plans on sale.
import type { BillingSummary, Currency, Plan } from '@cowrie/sdk'
import type { Command } from '../../command.ts'
import { formatMoney } from '../../spending/money.ts'
import { table } from '../../terminal/table.ts'
import { columns } from '../../terminal/wrap.ts'

const current: Command = {
  name: 'plan',
  summary: 'Show your plan, its renewal and the remaining allowance.',
  args: { min: 0, max: 0 },
  async run({ client, out, signal, baseUrl }) {
    const summary = await client.billing.summary({ signal })
    if (out.json) return out.result(summary, [])
    const { currency } = await client.me.get({ signal })
    out.result(summary, columns(rowsOf(summary, currency), out.width))
    out.note(`Change your plan at ${baseUrl}/app/billing`)
  },
}

const list: Command = {
  name: 'plan list',
  summary: 'List the available plans in your currency.',
  args: { min: 0, max: 0 },
  async run({ client, out, signal, baseUrl }) {
    const found = await client.plans.list({ signal })
    if (out.json) return out.result(found, [])
    const { currency } = await client.me.get({ signal })
    const rows = found.plans.map(
      ({ name, amountMinor, interval, includedUsageMinor, seatAllotment, seatPriceMinor }) => [
        name,
        `${formatMoney(amountMinor, currency)} a ${interval}`,
        formatMoney(includedUsageMinor, currency),
        String(seatAllotment),
        formatMoney(seatPriceMinor, currency),
      ],
    )
    out.result(found, table(COLUMNS, rows, out.width))
    out.note(`Change your plan at ${baseUrl}/app/billing`)
  },
}

const COLUMNS = [
  { title: 'plan' },
  { title: 'price', right: true },
  { title: 'included', right: true },
  { title: 'seats', right: true },
  { title: 'additional seat', right: true },
]

export const plan: readonly Command[] = [current, list]

function rowsOf(summary: BillingSummary, currency: Currency): [string, string][] {
  const money = (minor: bigint) => formatMoney(minor, currency)
  const { subscription, plan, included, seats, scheduledChange } = summary
  const rows: [string, string][] = [['plan', plan ? nameOf(plan, money) : 'none']]
  if (subscription) {
    const { status, currentPeriodEnd, cancelAtPeriodEnd, nextAmountMinor, openInvoiceId } = subscription
    const end = currentPeriodEnd.slice(0, 10)
    rows.push(
      ['status', status.replaceAll('_', ' ')],
      cancelAtPeriodEnd ? ['ends', end] : ['renews', `${end} for ${money(nextAmountMinor)}`],
    )
    if (openInvoiceId) rows.push(['to pay', `${openInvoiceId}: see "cowrie invoices --open"`])
  }
  if (scheduledChange)
    rows.push(['changes to', `${scheduledChange.planCode}, ${scheduledChange.effectiveAt.slice(0, 10)}`])
  rows.push([
    'included',
    `${money(included.remainingMinor)} left of ${money(included.totalMinor)}${included.resetsAt ? `, until ${included.resetsAt.slice(0, 10)}` : ''}`,
  ])
  rows.push(['seats', `${seats.occupied} of ${seats.total} taken`])
  return rows
}

const nameOf = ({ name, amountMinor, interval }: Plan, money: (minor: bigint) => string): string =>
  `${name}, ${money(amountMinor)} a ${interval}`
