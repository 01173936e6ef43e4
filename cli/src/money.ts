// Money for people: "₦1,500.50" is written, and "1500.50" is understood, to the last digit.
import type { Currency } from '@cowrie/sdk'
import { type Context, textOf } from './command.ts'
import { UsageError } from './wrong.ts'

type Unit = Pick<Currency, 'symbol' | 'minorUnit'>

/** No wallet of the service holds more than a number of 64 bits. */
const DIGITS_MAX = 15

export function formatMoney(minor: bigint, { symbol, minorUnit }: Unit): string {
  const digits = digitsOf(minorUnit)
  const text = (minor < 0n ? -minor : minor).toString().padStart(digits + 1, '0')
  const whole = text.slice(0, text.length - digits).replace(/\B(?=(\d{3})+$)/g, ',')
  return `${minor < 0n ? '-' : ''}${symbol}${whole}${digits > 0 ? `.${text.slice(-digits)}` : ''}`
}

/** What `12.50` means, exactly. `what` begins the refusal: "The amount", "--max-cost". */
export function parseMoney(text: string, { code, minorUnit }: Currency, what: string): bigint {
  const digits = digitsOf(minorUnit)
  const example = digits > 0 ? `2000 or 12.${'50'.padEnd(digits, '0').slice(0, digits)}` : '2000'
  if (/^\d{1,3}([,' _]\d{3})+(\.\d*)?$/.test(text))
    throw new UsageError(
      `${what} is written without separators: ${text.replace(/[,' _]/g, '')}, not ${text}.`,
    )
  const [, whole, , part = ''] = /^(\d+)(\.(\d+))?$/.exec(text) ?? []
  if (whole === undefined)
    throw new UsageError(`${what} is written as digits in ${code}, such as ${example}.`)
  if (part.length > digits)
    throw new UsageError(
      digits > 0
        ? `${what} has more than the ${digits} digits after the point that ${code} has.`
        : `${what} has digits after the point, and ${code} has none.`,
    )
  if (whole.length > DIGITS_MAX) throw new UsageError(`${what} is more money than there is.`)
  return BigInt(whole + part.padEnd(digits, '0'))
}

/** The most that a command may cost: `--max-cost`, else what is set; undefined where nothing limits it. */
export function maxCostOf(
  { values, config }: Pick<Context, 'values' | 'config'>,
  currency: Currency,
): bigint | undefined {
  const given = textOf(values, 'max-cost')
  if (given !== undefined) return parseMoney(given, currency, '--max-cost')
  return config.maxCost === undefined
    ? undefined
    : parseMoney(config.maxCost, currency, 'The setting maxCost')
}

/** The last line of every command that is paid for. `result` is what the answer is kept under on this computer. */
export function costLine({
  costMinor,
  balanceMinor,
  currency,
  result,
}: {
  costMinor: bigint
  balanceMinor: bigint
  currency: Unit
  result?: string | undefined
}): string {
  return [
    `Cost ${formatMoney(costMinor, currency)}`,
    `Balance ${formatMoney(balanceMinor, currency)}`,
    ...(result === undefined ? [] : [`result ${result}`]),
  ].join(' · ')
}

const digitsOf = (minorUnit: number): number => String(minorUnit).length - 1
