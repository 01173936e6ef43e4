// The limits of an API key on the command line.
import type { ApiKey, Currency } from '@cowrie/sdk'
import { type Context, textOf, textsOf, type Values } from '../command.ts'
import { UsageError } from '../errors.ts'
import { formatMoney, parseMoney } from '../spending/money.ts'

type Period = 'total' | 'day' | 'week' | 'month'

export type KeyLimits = {
  readonly budgetMinor?: bigint
  readonly budgetPeriod?: Period
  readonly models?: string[]
  readonly requestsPerMinute?: number
  readonly tokensPerMinute?: number
  readonly allowedAddresses?: string[]
}
/** For a change of a key: null removes a limit. */
export type KeyLimitChanges = {
  [K in keyof KeyLimits]?: K extends 'budgetPeriod' ? KeyLimits[K] : KeyLimits[K] | null
}

const PERIODS: readonly Period[] = ['total', 'day', 'week', 'month']
const NONE = 'none'

export const SETUP_LIMIT_OPTIONS = {
  budget: {
    type: 'string',
    placeholder: '<amount>',
    summary: 'The most that the key can spend, such as 5000, in the currency of your wallet.',
  },
  period: {
    type: 'string',
    placeholder: '<period>',
    summary: 'The period of the budget: total, day, week or month. Default: total.',
    complete: PERIODS,
  },
  models: {
    type: 'string',
    multiple: true,
    placeholder: '<id,…>',
    summary: 'The models that the key can use; "claude-*" matches a prefix. Default: all.',
  },
} as const

export const LIMIT_OPTIONS = {
  ...SETUP_LIMIT_OPTIONS,
  rpm: { type: 'string', placeholder: '<n>', summary: 'The most requests per minute.' },
  tpm: { type: 'string', placeholder: '<n>', summary: 'The most tokens per minute.' },
  address: {
    type: 'string',
    multiple: true,
    placeholder: '<address,…>',
    summary: 'The addresses or ranges that can use the key, such as 203.0.113.0/24. Default: all.',
  },
} as const

/** The limits of a new key. */
export async function limitsFrom(context: Context): Promise<KeyLimits> {
  if (context.values.period !== undefined && context.values.budget === undefined)
    throw new UsageError('--period needs --budget.')
  const changes = await limitChangesFrom(context)
  const isGiven = (entry: [string, unknown]) => entry[1] !== null
  return Object.fromEntries(Object.entries(changes).filter(isGiven)) as KeyLimits
}

/** The changed limits of a key; "none" removes one. */
export async function limitChangesFrom(context: Context): Promise<KeyLimitChanges> {
  const { values } = context
  const budget = textOf(values, 'budget')
  const period = periodOf(values)
  const [models, addresses] = [listOf(values, 'models'), listOf(values, 'address')]
  const [rpm, tpm] = [countOf(values, 'rpm'), countOf(values, 'tpm')]
  return {
    ...(budget !== undefined && { budgetMinor: await budgetOf(context, budget) }),
    ...(period && { budgetPeriod: period }),
    ...(models !== undefined && { models }),
    ...(rpm !== undefined && { requestsPerMinute: rpm }),
    ...(tpm !== undefined && { tokensPerMinute: tpm }),
    ...(addresses !== undefined && { allowedAddresses: addresses }),
  }
}

async function budgetOf({ client, signal }: Context, budget: string): Promise<bigint | null> {
  if (budget === NONE) return null
  const { currency } = await client.me.get({ signal })
  return parseMoney(budget, currency, '--budget')
}

function periodOf(values: Values): Period | undefined {
  const given = textOf(values, 'period')
  if (given === undefined) return undefined
  const period = PERIODS.find((each) => each === given)
  if (!period) throw new UsageError(`--period must be one of ${PERIODS.join(', ')}.`)
  return period
}

function listOf(values: Values, option: string): string[] | null | undefined {
  const given = textsOf(values, option)
    .flatMap((list) => list.split(','))
    .map((each) => each.trim())
    .filter((each) => each !== '')
  if (given.length === 0) return undefined
  return given.length === 1 && given[0] === NONE ? null : given
}

function countOf(values: Values, option: string): number | null | undefined {
  const given = textOf(values, option)
  if (given === undefined) return undefined
  if (given === NONE) return null
  if (!/^[1-9]\d{0,8}$/.test(given)) throw new UsageError(`--${option} must be a whole number above 0.`)
  return Number(given)
}

/** The spending and the limits of a key, each as a short text. */
export function limitTexts(key: ApiKey, currency: Currency): string[] {
  const { models, requestsPerMinute, tokensPerMinute, allowedAddresses } = key
  return [
    spendingText(key, currency),
    ...(models ? [`models ${models.join(' ')}`] : []),
    ...(requestsPerMinute === null ? [] : [`${requestsPerMinute} requests a minute`]),
    ...(tokensPerMinute === null ? [] : [`${tokensPerMinute} tokens a minute`]),
    ...(allowedAddresses ? [`from ${allowedAddresses.join(' ')}`] : []),
  ]
}

function spendingText(
  { spentMinor, budgetMinor, budgetLeftMinor, budgetPeriod }: ApiKey,
  currency: Currency,
): string {
  const spent = `spent ${formatMoney(spentMinor, currency)}`
  if (budgetMinor === null || budgetLeftMinor === null) return spent
  const period = budgetPeriod === 'total' ? 'in total' : `per ${budgetPeriod}`
  return `${spent}, ${formatMoney(budgetLeftMinor, currency)} left of ${formatMoney(budgetMinor, currency)} ${period}`
}
