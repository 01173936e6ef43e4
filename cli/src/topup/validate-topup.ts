// Validates the amount and channel of a top-up against the service's channels.
import type { Currency, WalletChannelsReply } from '@cowrie/sdk'
import { type Context, textOf } from '../command.ts'
import { Failure, UsageError } from '../errors.ts'
import { EXIT } from '../exit-codes.ts'
import { formatMoney, parseMoney } from '../spending/money.ts'

export type Channel = WalletChannelsReply['channels'][number]
export type ValidTopup = {
  readonly amountMinor: bigint
  readonly channel: Channel
  readonly phone: string | undefined
}

/** Asks for missing values on a terminal, and shows the amount before confirmation. */
export async function readTopup(
  context: Context,
  currency: Currency,
  offered: readonly Channel[],
): Promise<ValidTopup> {
  const { ask, out, args, values } = context
  const amountMinor = parseMoney(args[0] ?? '', currency, 'The amount')
  if (amountMinor === 0n) throw new UsageError('The amount must be more than zero.')
  const channel = await chooseChannel(context, currency, offered)
  checkAmount(amountMinor, channel, currency)
  const phone =
    textOf(values, 'phone') ?? (channel.needsPhone ? await askForPhone(context, channel) : undefined)
  const amount = formatMoney(amountMinor, currency)
  if (channel.mode === 'mock') out.note('Test mode: this is play money.')
  if (!(await ask.yes(`Pay ${amount} with ${channel.label}? All of it is added to your balance.`)))
    throw new Failure('not_agreed', 'No payment was started.', { exit: EXIT.cancelled })
  return { amountMinor, channel, phone }
}

async function chooseChannel(
  { ask, values }: Context,
  { code }: Currency,
  offered: readonly Channel[],
): Promise<Channel> {
  const names = offered.map(({ channel }) => channel).join(', ')
  if (names === '')
    throw new Failure('no_channels', `No payment channel is available for ${code}.`, {
      next: 'Contact the operator of the service.',
    })
  const named = textOf(values, 'channel')
  const [only] = offered
  if (named === undefined && offered.length === 1 && only) return only
  const wanted =
    named ??
    (await ask.choose(
      'How do you want to pay?',
      offered.map(({ channel, label }) => ({ key: channel, label })),
      `--channel with one of ${names}`,
    ))
  const found = offered.find(({ channel }) => channel === wanted)
  if (!found) throw new UsageError(`--channel must be one of ${names} for ${code}.`)
  return found
}

function checkAmount(
  amountMinor: bigint,
  { label, minMinor, maxMinor, stepMinor }: Channel,
  currency: Currency,
): void {
  const money = (minor: bigint) => formatMoney(minor, currency)
  if (amountMinor < minMinor || amountMinor > maxMinor)
    throw new UsageError(`${label} accepts from ${money(minMinor)} to ${money(maxMinor)}.`)
  if (amountMinor % stepMinor !== 0n)
    throw new UsageError(`${label} accepts only multiples of ${money(stepMinor)}.`)
}

async function askForPhone({ ask }: Context, { label }: Channel): Promise<string> {
  if (!ask.isPossible) throw new UsageError(`${label} needs a phone number. Use --phone.`)
  const phone = (await ask.line(`Which phone pays with ${label}?`))?.trim()
  if (!phone) throw new UsageError(`${label} needs a phone number.`)
  return phone
}
