// cowrie wallet explain: how the amount of a ledger entry was calculated.
import type { Currency, WalletExplainReply } from '@cowrie/sdk'
import type { Command } from '../../command.ts'
import { formatMoney } from '../../spending/money.ts'
import { columns, wrapText } from '../../terminal/wrap.ts'

export const explain: Command = {
  name: 'wallet explain',
  usage: '<entry>',
  summary: 'Explain a ledger entry step by step.',
  args: { min: 1, max: 1 },
  async run({ client, args: [id = ''], out, signal }) {
    const found = await client.wallet.explain(id, { signal })
    if (out.json) return out.result(found, [])
    const { currency } = await client.me.get({ signal })
    out.result(found, linesOf(found, currency, out.width))
  },
}

type Metered = NonNullable<WalletExplainReply['explanation']['metered']>

const CLASS_NAMES: Record<NonNullable<Metered['classes']>[number]['class'], string> = {
  input: 'input',
  cachedInput: 'cached input',
  cacheWrite: 'cache write',
  output: 'output',
}

/** One row per class of tokens; none where one price applies to all of them. */
const classRows = ({ classes }: Metered): [string, string][] =>
  (classes ?? [])
    .filter(({ tokens }) => tokens > 0)
    .map(({ class: name, tokens, priceKoboPer1m, exactKobo }) => [
      `  ${CLASS_NAMES[name]}`,
      `${tokens} at ${priceKoboPer1m} kobo per million: ${exactKobo} kobo`,
    ])

function linesOf(
  { entry, explanation, chain }: WalletExplainReply,
  currency: Currency,
  width: number,
): string[] {
  const money = (minor: bigint) => formatMoney(minor, currency)
  const { summary, metered, hold, settlement, payment } = explanation
  const sign = entry.amountMinor === 0n ? '' : entry.type === 'credit' ? '+' : '-'
  const rows: [string, string][] = [
    ['entry', entry.id],
    ['time', entry.createdAt],
    ['source', `${entry.source} (${entry.ref})`],
    ['balance after', money(entry.balanceAfterMinor)],
  ]
  if (metered)
    rows.push(
      ['model', `${metered.model} (${metered.lane} lane, rate card ${metered.rateCard})`],
      ['tokens', `${metered.billedTokens} billed of ${metered.tokens}`],
      ...classRows(metered),
      ['recomputed', metered.recomputed ? 'matches' : 'does not match: please contact support'],
    )
  if (hold) rows.push(['reserved', `${money(hold.reservedMinor)} at ${hold.reservedAt}`])
  if (settlement)
    rows.push([
      'charged',
      `${money(settlement.chargedMinor)}: ${money(settlement.fromIncludedMinor)} from the allowance, ${money(settlement.fromWalletMinor)} from the wallet, ${money(settlement.releasedMinor)} released`,
    ])
  if (payment)
    rows.push(['payment', `${payment.reference}${payment.rail ? ` by ${payment.rail}` : ''}, ${payment.at}`])
  rows.push(['chain', `posting ${chain.seq}, ${chain.hash}`])
  return [
    `${sign}${money(entry.amountMinor)}  ${summary}`,
    ...(metered?.accrual ? wrapText(metered.accrual.sentence, width) : []),
    ...columns(rows, width),
    ...(metered ? ['', ...metered.steps.map((step, index) => `  ${index + 1}. ${step}`)] : []),
  ]
}
