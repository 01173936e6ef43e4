// What somebody wants to pay and how, held against what the service offers, before anything is sent.
import type { Currency, WalletChannelsReply } from '@cowrie/sdk'
import { type Context, textOf } from '../command.ts'
import { EXIT } from '../exits.ts'
import { formatMoney, parseMoney } from '../money.ts'
import { Failure, UsageError } from '../wrong.ts'

export type Channel = WalletChannelsReply['channels'][number]
export type Wish = {
  readonly amountMinor: bigint
  readonly channel: Channel
  readonly phone: string | undefined
}

/** Asks for what is missing where somebody can be asked, and tells the amount before it is agreed to. */
export async function readWish(
  context: Context,
  currency: Currency,
  offered: readonly Channel[],
): Promise<Wish> {
  const { ask, out, args, values } = context
  const amountMinor = parseMoney(args[0] ?? '', currency, 'The amount')
  if (amountMinor === 0n) throw new UsageError('The amount must be more than nothing.')
  const channel = await chooseChannel(context, currency, offered)
  checkAmount(amountMinor, channel, currency)
  const phone =
    textOf(values, 'phone') ?? (channel.needsPhone ? await askForPhone(context, channel) : undefined)
  const amount = formatMoney(amountMinor, currency)
  if (channel.mode === 'mock') out.note('This is play money, worth nothing.')
  if (!(await ask.yes(`Pay ${amount} with ${channel.label}? All of it is added to your balance.`)))
    throw new Failure('not_agreed', 'Nothing was begun.', { exit: EXIT.cancelled })
  return { amountMinor, channel, phone }
}

async function chooseChannel(
  { ask, values }: Context,
  { code }: Currency,
  offered: readonly Channel[],
): Promise<Channel> {
  const names = offered.map(({ channel }) => channel).join(', ')
  if (names === '')
    throw new Failure('no_channels', `No way to pay is set up for ${code}.`, {
      next: 'Ask whoever runs the service.',
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
    throw new UsageError(`${label} takes from ${money(minMinor)} to ${money(maxMinor)}.`)
  if (amountMinor % stepMinor !== 0n)
    throw new UsageError(`${label} takes multiples of ${money(stepMinor)} only.`)
}

async function askForPhone({ ask }: Context, { label }: Channel): Promise<string> {
  if (!ask.isPossible) throw new UsageError(`${label} needs the number of the phone; say --phone.`)
  const phone = (await ask.line(`Which phone pays with ${label}?`))?.trim()
  if (!phone) throw new UsageError(`${label} needs the number of the phone.`)
  return phone
}
