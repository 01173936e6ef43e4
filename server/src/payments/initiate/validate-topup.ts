// Validates a top-up against its channel before anything is stored.
import { ApiError, type Field, invalidFields } from '../../kernel/errors.ts'
import { type Currency, format, money } from '../../kernel/money.ts'
import type { App } from '../../platform/app.ts'
import { type Channel, type ChannelName, channelByName, type Range } from '../channels.ts'
import { findAccount, limitsOf, servedChannels, servingAccounts, usableAccounts } from '../rails/accounts.ts'
import { callingCodeOf } from '../rails/markets.ts'
import { examplePhone, normaliseAnyPhone, normalisePhone } from './phones.ts'

export type TopupInput = {
  readonly amountMinor: bigint
  readonly channel: ChannelName
  readonly phone?: string | undefined
  readonly currency?: string | undefined
  readonly email?: string | undefined
}
export type ValidTopup = {
  readonly channel: ChannelName
  readonly amountMinor: bigint
  readonly currency: Currency
  readonly phone: string | null
}

/** Throws `channel_not_available`, or `invalid_request` with all invalid fields at once. */
export function validateTopup(app: App, input: TopupInput, currency: Currency): ValidTopup {
  const channel = channelByName(input.channel)
  const range = limitsOf(app, channel, currency)
  const served = servedChannels(app, currency)
  const hasAccount = usableAccounts(app, channel).length > 0
  if (!range || (hasAccount && !served.includes(channel.name)))
    throw channelNotAvailable(channel, currency, served)
  const { phone, problem } = validatePhone(channel, input.phone, currency)
  const fields = [
    amountProblem(input.amountMinor, range, channel, currency),
    problem,
    input.currency !== undefined && input.currency !== currency
      ? { path: 'currency', message: `must be ${currency}, the currency of your organisation, or left out` }
      : undefined,
  ].filter((field) => field !== undefined)
  if (fields.length > 0) throw invalidFields(...fields)
  requirePhoneOfAccount(app, channel, phone, currency)
  return { channel: channel.name, amountMinor: input.amountMinor, currency, phone }
}

function channelNotAvailable(
  { label }: Channel,
  currency: Currency,
  channels: readonly ChannelName[],
): ApiError {
  const instead =
    channels.length > 0 ? `use one of: ${channels.join(', ')}` : 'no channel for it is configured here'
  return new ApiError('channel_not_available', {
    error: `${label} does not take ${currency}; ${instead}.`,
    channels,
  })
}

function amountProblem(
  amountMinor: bigint,
  { minMinor, maxMinor, stepMinor }: Range,
  { label }: Channel,
  currency: Currency,
): Field | undefined {
  const path = 'amountMinor'
  const amount = (minor: bigint) => `${minor} (${format(money(minor, currency))})`
  if (amountMinor < minMinor || amountMinor > maxMinor)
    return { path, message: `must be from ${amount(minMinor)} to ${amount(maxMinor)} with ${label}` }
  if (amountMinor % stepMinor !== 0n)
    return { path, message: `must be a multiple of ${amount(stepMinor)} with ${label}` }
  return undefined
}

function validatePhone(
  { needsPhone, label }: Channel,
  phoneText: string | undefined,
  currency: Currency,
): { phone: string | null; problem?: Field } {
  if (phoneText === undefined)
    return needsPhone
      ? { phone: null, problem: { path: 'phone', message: `is required with ${label}` } }
      : { phone: null }
  const phone = needsPhone ? normalisePhone(phoneText, currency) : normaliseAnyPhone(phoneText, currency)
  if (phone !== null) return { phone }
  const message = `must be a phone number such as ${examplePhone(currency)}`
  return { phone: null, problem: { path: 'phone', message } }
}

/** Several countries can share a currency: an account reaches only the phones of one country. */
function requirePhoneOfAccount(app: App, channel: Channel, phone: string | null, currency: Currency): void {
  const serving = servingAccounts(app, { channel: channel.name, currency })
  if (serving.length === 0 || phone === null || findAccount(app, { channel: channel.name, currency, phone }))
    return
  const codes = serving.flatMap(({ rail }) => callingCodeOf(rail.account) ?? [])
  throw invalidFields({ path: 'phone', message: `must be a number that begins with ${codes.join(' or ')}` })
}
