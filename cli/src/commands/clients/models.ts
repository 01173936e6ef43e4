// cowrie models: the models that you can use, with their prices.
import type { Currency } from '@cowrie/sdk'
import type { Command } from '../../command.ts'
import { type AvailableModel, availableModels } from '../../models/available.ts'
import { formatMoney } from '../../spending/money.ts'
import { table } from '../../terminal/table.ts'

export const models: Command = {
  name: 'models',
  summary: 'List the models that you can use, with the prices of a million tokens.',
  args: { min: 0, max: 0 },
  async run({ client, out, signal }) {
    const found = await availableModels(client, { signal })
    if (out.json) return out.result({ models: found }, [])
    const { currency } = await client.me.get({ signal })
    const rows = found.map((model) => rowOf(model, currency))
    out.result(found, rows.length > 0 ? table(COLUMNS, rows, out.width) : ['There are no models now.'])
    if (rows.length > 0) out.note(`Prices are for a million tokens, in ${currency.code}.`)
  },
}

const COLUMNS = [
  { title: 'model' },
  { title: 'name' },
  { title: 'input', right: true },
  { title: 'cached', right: true },
  { title: 'cache write', right: true },
  { title: 'output', right: true },
  { title: 'window', right: true },
  { title: 'capabilities' },
]

function rowOf(
  { id, title, price, context_window, capabilities }: AvailableModel,
  currency: Currency,
): string[] {
  const money = (minor: number) => formatMoney(BigInt(minor), currency)
  return [
    id,
    title,
    money(price.input),
    money(price.cached_input),
    money(price.cache_write),
    money(price.output),
    sizeOf(context_window),
    capabilities?.join(' ') ?? '',
  ]
}

const sizeOf = (tokens: number): string =>
  tokens >= 1_000 ? `${Math.floor(tokens / 1_000)}k` : String(tokens)
