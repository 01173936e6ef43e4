// Formats and parses money exactly: "₦1,500.50" for display, "1500.50" as input.
import type { Currency } from '@cowrie/sdk'
import { type Context, textOf } from '../command.ts'
import { UsageError } from '../errors.ts'

type Unit = Pick<Currency, 'symbol' | 'minorUnit'>

/** The service stores amounts in 64 bits. */
const DIGITS_MAX = 15

export function formatMoney(minor: bigint, { symbol, minorUnit }: Unit): string {
  const digits = digitsOf(minorUnit)
  const text = (minor < 0n ? -minor : minor).toString().padStart(digits + 1, '0')
  const whole = text.slice(0, text.length - digits).replace(/\B(?=(\d{3})+$)/g, ',')
  return `${minor < 0n ? '-' : ''}${symbol}${whole}${digits > 0 ? `.${text.slice(-digits)}` : ''}`
}

/** Parses `12.50` exactly. `what` starts the error message: "The amount", "--max-cost". */
export function parseMoney(text: string, { code, minorUnit }: Currency, what: string): bigint {
  const digits = digitsOf(minorUnit)
  const example = digits > 0 ? `2000 or 12.${'50'.padEnd(digits, '0').slice(0, digits)}` : '2000'
  if (/^\d{1,3}([,' _]\d{3})+(\.\d*)?$/.test(text))
    throw new UsageError(
      `${what} must have no separators: write ${text.replace(/[,' _]/g, '')}, not ${text}.`,
    )
  const [, whole, , part = ''] = /^(\d+)(\.(\d+))?$/.exec(text) ?? []
  if (whole === undefined) throw new UsageError(`${what} must be digits in ${code}, such as ${example}.`)
  if (part.length > digits)
    throw new UsageError(
      digits > 0
        ? `${what} has too many decimals: ${code} has ${digits}.`
        : `${what} has decimals, and ${code} has none.`,
    )
  if (whole.length > DIGITS_MAX) throw new UsageError(`${what} is too large.`)
  return BigInt(whole + part.padEnd(digits, '0'))
}

/** The maximum cost of a command: `--max-cost`, or the setting; undefined without a limit. */
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

/** `usually ₦0.40–₦1.20`, never above the maximum. */
export function usualCostText(
  { low, high }: { low: number; high: number },
  maxMinor: bigint,
  currency: Unit,
): string {
  const [from, to] = [low, high].map((each) => {
    const minor = BigInt(each)
    return formatMoney(minor < maxMinor ? minor : maxMinor, currency)
  })
  return `usually ${from === to ? from : `${from}–${to}`}`
}

/** The last line of every paid command. `result` is the id of the stored result. */
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
