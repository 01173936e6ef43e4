// Payment channels: the rails, currencies and amounts of each, and how long its payers have.
import type { Duration } from '../kernel/clock.ts'
import type { Currency } from '../kernel/money.ts'

export type RailName =
  | 'paystack'
  | 'flutterwave'
  | 'daraja'
  | 'momo'
  | 'opay'
  | 'palmpay'
  | 'ozow'
  | 'fawry'
  | 'mock'
export type ProviderName = Exclude<RailName, 'mock'>

export const channelNames = [
  'card',
  'ussd',
  'opay',
  'palmpay',
  'mpesa',
  'mtn_momo',
  'ozow',
  'fawry',
  'telecel_cash',
  'airteltigo',
  'payshap',
  'flutterwave',
] as const
export type ChannelName = (typeof channelNames)[number]

/** Limits of one payment in minor units. Amounts are multiples of `stepMinor`. */
export type Range = { readonly minMinor: bigint; readonly maxMinor: bigint; readonly stepMinor: bigint }

export type Ranges = Readonly<Partial<Record<Currency, Range>>>

export type Channel = {
  readonly name: ChannelName
  readonly label: string
  /** The default provider. */
  readonly rail: ProviderName
  readonly needsPhone: boolean
  /** The limits of the default provider. */
  readonly ranges: Ranges
  /** Other providers of the channel in their default order, with their limits. */
  readonly alternatives: Readonly<Partial<Record<ProviderName, Ranges>>>
}

// Limits come from the provider's documentation. Where it sets no maximum we set one, so that a typing error cannot
// charge an absurd amount. `whole` is for rails and countries without a smaller unit.
const range = (minMinor: bigint, maxMinor: bigint, stepMinor = 1n): Range => ({
  minMinor,
  maxMinor,
  stepMinor,
})
const whole = (minMinor: bigint, maxMinor: bigint): Range => range(minMinor, maxMinor, 100n)

type Entry = Omit<Channel, 'name' | 'alternatives'> & Partial<Pick<Channel, 'alternatives'>>

const CHANNELS: Readonly<Record<ChannelName, Entry>> = {
  card: {
    label: 'Card',
    rail: 'paystack',
    needsPhone: false,
    ranges: {
      NGN: range(50_00n, 10_000_000_00n),
      GHS: range(10n, 100_000_00n),
      KES: range(3_00n, 1_000_000_00n),
      ZAR: range(1_00n, 200_000_00n),
      XOF: range(1n, 5_000_000n),
      USD: range(2_00n, 10_000_00n),
    },
    alternatives: {
      flutterwave: {
        NGN: range(100_00n, 10_000_000_00n),
        GHS: range(1_00n, 100_000_00n),
        KES: range(10_00n, 1_000_000_00n),
        ZAR: range(5_00n, 200_000_00n),
        XOF: range(100n, 5_000_000n),
        USD: range(1_00n, 10_000_00n),
      },
    },
  },
  ussd: {
    label: 'Bank USSD',
    rail: 'paystack',
    needsPhone: false,
    ranges: { NGN: range(50_00n, 1_000_000_00n) },
  },
  opay: {
    label: 'OPay',
    rail: 'opay',
    needsPhone: false,
    ranges: { NGN: range(1_00n, 5_000_000_00n), EGP: range(1_00n, 100_000_00n) },
  },
  palmpay: {
    label: 'PalmPay',
    rail: 'palmpay',
    needsPhone: false,
    ranges: { NGN: range(1_00n, 5_000_000_00n) },
  },
  mpesa: {
    label: 'M-Pesa',
    rail: 'daraja',
    needsPhone: true,
    ranges: { KES: whole(1_00n, 250_000_00n) },
    alternatives: {
      paystack: { KES: whole(3_00n, 250_000_00n) },
      flutterwave: { KES: whole(10_00n, 250_000_00n) },
    },
  },
  mtn_momo: {
    label: 'MTN Mobile Money',
    rail: 'momo',
    needsPhone: true,
    ranges: {
      UGX: range(500n, 5_000_000n),
      GHS: range(1_00n, 25_000_00n),
      XOF: range(100n, 2_000_000n),
      XAF: range(100n, 2_000_000n),
      RWF: range(100n, 2_000_000n),
      ZMW: range(1_00n, 50_000_00n),
      GNF: range(1_000n, 20_000_000n),
    },
    alternatives: { paystack: { GHS: range(10n, 25_000_00n) } },
  },
  ozow: {
    label: 'Ozow instant EFT',
    rail: 'ozow',
    needsPhone: false,
    ranges: { ZAR: range(1_00n, 200_000_00n) },
    alternatives: { paystack: { ZAR: range(1_00n, 200_000_00n) } },
  },
  fawry: {
    label: 'Fawry',
    rail: 'fawry',
    needsPhone: true,
    ranges: { EGP: range(1_00n, 30_000_00n) },
  },
  telecel_cash: {
    label: 'Telecel Cash',
    rail: 'paystack',
    needsPhone: true,
    ranges: { GHS: range(10n, 25_000_00n) },
  },
  airteltigo: {
    label: 'AT Money (AirtelTigo)',
    rail: 'paystack',
    needsPhone: true,
    ranges: { GHS: range(10n, 25_000_00n) },
  },
  payshap: {
    label: 'PayShap',
    rail: 'ozow',
    needsPhone: false,
    ranges: { ZAR: range(1_00n, 50_000_00n) },
  },
  flutterwave: {
    label: 'Flutterwave',
    rail: 'flutterwave',
    needsPhone: false,
    ranges: {
      NGN: range(100_00n, 10_000_000_00n),
      GHS: range(1_00n, 100_000_00n),
      KES: range(10_00n, 1_000_000_00n),
      UGX: range(500n, 20_000_000n),
      TZS: whole(500_00n, 20_000_000_00n),
      RWF: range(100n, 5_000_000n),
      ZAR: range(5_00n, 200_000_00n),
      ZMW: range(1_00n, 100_000_00n),
      XOF: range(100n, 5_000_000n),
      XAF: range(100n, 5_000_000n),
      EGP: range(5_00n, 200_000_00n),
      USD: range(1_00n, 10_000_00n),
    },
  },
}

export const channelByName = (name: ChannelName): Channel => ({ name, alternatives: {}, ...CHANNELS[name] })
export const channels: readonly Channel[] = channelNames.map(channelByName)

/** The providers of a channel in a currency, the default one first. */
export const railsOf = (channel: Channel, currency: Currency): ProviderName[] => [
  ...(channel.ranges[currency] ? [channel.rail] : []),
  ...alternativesOf(channel, currency),
]

const alternativesOf = ({ alternatives }: Channel, currency: Currency): ProviderName[] =>
  (Object.keys(alternatives) as ProviderName[]).filter((rail) => alternatives[rail]?.[currency])

/**
 * The limits that all of these providers accept; by default those of the default provider. Undefined where the channel does
 * not support the currency.
 */
export function rangeOf(
  channel: Channel,
  currency: Currency,
  rails: readonly ProviderName[] = [channel.rail],
): Range | undefined {
  const ranges = rails.flatMap(
    (rail) => (rail === channel.rail ? channel.ranges : channel.alternatives[rail])?.[currency] ?? [],
  )
  if (ranges.length === 0) return channel.ranges[currency]
  return ranges.reduce(intersect)
}

/** Every step is 1 or a multiple of the smaller ones, so the largest serves both. */
function intersect(one: Range, other: Range): Range {
  const stepMinor = one.stepMinor > other.stepMinor ? one.stepMinor : other.stepMinor
  const minMinor = one.minMinor > other.minMinor ? one.minMinor : other.minMinor
  const maxMinor = one.maxMinor < other.maxMinor ? one.maxMinor : other.maxMinor
  return {
    minMinor: ((minMinor + stepMinor - 1n) / stepMinor) * stepMinor,
    maxMinor: (maxMinor / stepMinor) * stepMinor,
    stepMinor,
  }
}

/** The channels that support a currency. Channels that work on any phone come first. */
export function channelsFor(currency: Currency): Channel[] {
  const serving = channels.filter((each) => each.ranges[currency])
  return [...serving.filter(isByPhone), ...serving.filter((each) => !isByPhone(each))]
}

const isByPhone = ({ name, needsPhone }: Channel): boolean => needsPhone || name === 'ussd'

/** Channels that send a prompt to the payer's phone. A payment is prompted at most once. */
export const PUSH_CHANNELS: readonly ChannelName[] = ['mpesa', 'mtn_momo', 'telecel_cash', 'airteltigo']

export const isPush = (channel: ChannelName): boolean => PUSH_CHANNELS.includes(channel)

/** The time until a pending payment expires. A payment that arrives later is still credited. */
export function lifetimeOf(channel: ChannelName): Duration {
  if (isPush(channel)) return { minutes: 15 }
  return channel === 'fawry' ? { hours: 72 } : { hours: 24 }
}

export const firstCheckAfter = (channel: ChannelName): Duration =>
  isPush(channel) ? { seconds: 15 } : { seconds: 60 }
