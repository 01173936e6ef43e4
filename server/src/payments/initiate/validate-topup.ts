// What a customer asks to pay, held against what the channel can carry. Nothing exists yet that could fail halfway.
import { ApiError, type Field, invalidFields } from '../../kernel/errors.ts'
import { type Currency, format, money } from '../../kernel/money.ts'
import { type Channel, type ChannelName, channelByName, type Range, rangeOf } from '../channels.ts'
import { examplePhone, normaliseAnyPhone, normalisePhone } from './phones.ts'

export type TopupInput = {
  readonly amountMinor: bigint
  readonly channel: ChannelName
  readonly phone?: string | undefined
  readonly currency?: string | undefined
}
export type ValidTopup = {
  readonly channel: Channel
  readonly amountMinor: bigint
  readonly phone: string | null
}

/**
 * Refuses what the channel cannot carry, with all that is wrong at once. `offered` are the channels that can be used here
 * for this currency; `isSetUp` says whether the provider of the wished channel takes any money here.
 */
export function validateTopup(
  wish: TopupInput,
  currency: Currency,
  offered: readonly ChannelName[],
  isSetUp: boolean,
): ValidTopup {
  const channel = channelByName(wish.channel)
  const range = rangeOf(channel, currency)
  const isOffered = offered.includes(channel.name)
  if (!range || (isSetUp && !isOffered)) throw channelNotAvailable(channel, currency, offered)
  const { phone, problem } = validatePhone(channel, wish.phone, currency)
  const fields = [
    amountProblem(wish.amountMinor, range, channel, currency),
    problem,
    wish.currency !== undefined && wish.currency !== currency
      ? { path: 'currency', message: `must be ${currency}, the currency of your organisation, or left out` }
      : undefined,
  ].filter((field) => field !== undefined)
  if (fields.length > 0) throw invalidFields(...fields)
  return { channel, amountMinor: wish.amountMinor, phone }
}

function channelNotAvailable(
  { label }: Channel,
  currency: Currency,
  channels: readonly ChannelName[],
): ApiError {
  const instead =
    channels.length > 0 ? `use one of: ${channels.join(', ')}` : 'nothing that does is set up here'
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
  const words = (minor: bigint) => `${minor} (${format(money(minor, currency))})`
  if (amountMinor < minMinor || amountMinor > maxMinor)
    return { path, message: `must be from ${words(minMinor)} to ${words(maxMinor)} with ${label}` }
  if (amountMinor % stepMinor !== 0n)
    return { path, message: `must be a multiple of ${words(stepMinor)} with ${label}` }
  return undefined
}

function validatePhone(
  { needsPhone, label }: Channel,
  written: string | undefined,
  currency: Currency,
): { phone: string | null; problem?: Field } {
  if (written === undefined)
    return needsPhone
      ? { phone: null, problem: { path: 'phone', message: `is required with ${label}` } }
      : { phone: null }
  const phone = needsPhone ? normalisePhone(written, currency) : normaliseAnyPhone(written, currency)
  if (phone !== null) return { phone }
  const message = `must be a phone number such as ${examplePhone(currency)}`
  return { phone: null, problem: { path: 'phone', message } }
}
