// cowrie wallet: balance and limits; wallet channels: the ways to top up.
import { type Client, CowrieError, type Me, type Wallet } from '@cowrie/sdk'
import type { Command } from '../../command.ts'
import { formatMoney } from '../../spending/money.ts'
import { table } from '../../terminal/table.ts'
import { columns } from '../../terminal/wrap.ts'
import { topups } from './topup.ts'
import { explain } from './wallet-explain.ts'
import { ledger } from './wallet-ledger.ts'

const balance: Command = {
  name: 'wallet',
  summary: 'Show your balance, the available part and your limits.',
  args: { min: 0, max: 0 },
  async run({ client, out, signal }) {
    const wallet = await client.wallet.get({ signal })
    if (out.json) return out.result(wallet, [])
    const [me, warnedBelow] = await Promise.all([client.me.get({ signal }), thresholdOf(client, signal)])
    out.result(wallet, columns(rowsOf(wallet, me, warnedBelow), out.width))
    if (warnedBelow !== null && wallet.availableMinor < warnedBelow)
      out.note('Your balance is low. Top up with "cowrie wallet topup <amount>".')
  },
}

/** Not visible to keys and members. */
async function thresholdOf(client: Client, signal: AbortSignal | undefined): Promise<bigint | null> {
  try {
    return (await client.wallet.settings.get({ signal })).lowBalanceThresholdMinor
  } catch (error) {
    if (error instanceof CowrieError && error.status === 403) return null
    throw error
  }
}

function rowsOf(wallet: Wallet, { currency, cap }: Me, warnedBelow: bigint | null): [string, string][] {
  const money = (minor: bigint) => formatMoney(minor, currency)
  const rows: [string, string][] = [
    ['balance', money(wallet.balanceMinor)],
    ['held', `${money(wallet.heldMinor)} for work in progress`],
    ['available', money(wallet.availableMinor)],
    ['included', `${money(wallet.includedRemainingMinor)} left`],
  ]
  if (cap) rows.push(['cap', `${money(cap.leftMinor)} left of ${money(cap.capMinor)} this month`])
  if (warnedBelow !== null) rows.push(['warning', `below ${money(warnedBelow)}`])
  return rows
}

const channels: Command = {
  name: 'wallet channels',
  summary: 'List the ways to top up, with their limits.',
  args: { min: 0, max: 0 },
  async run({ client, out, signal }) {
    const [offered, { currency }] = await Promise.all([
      client.wallet.channels({ signal }),
      client.me.get({ signal }),
    ])
    const rows = offered.channels.map(({ channel, label, minMinor, maxMinor, needsPhone, mode }) => [
      channel,
      label,
      formatMoney(minMinor, currency),
      formatMoney(maxMinor, currency),
      [needsPhone ? 'needs --phone' : '', mode === 'mock' ? 'play money' : ''].filter(Boolean).join(', '),
    ])
    out.result(
      offered,
      rows.length > 0
        ? table(CHANNEL_COLUMNS, rows, out.width)
        : ['No payment channel is available for your currency.'],
    )
  },
}

const CHANNEL_COLUMNS = [
  { title: 'channel' },
  { title: 'name' },
  { title: 'least', right: true },
  { title: 'most', right: true },
  { title: 'note' },
]

export const wallet: readonly Command[] = [balance, ...topups, ledger, explain, channels]
