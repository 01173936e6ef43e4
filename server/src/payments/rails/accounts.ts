// The provider accounts of a channel: live ones where their keys are set, the mock otherwise.

import { type Currency, currencies } from '../../kernel/money.ts'
import type { App } from '../../platform/app.ts'
import {
  type Channel,
  type ChannelName,
  channelByName,
  channelsFor,
  type RailName,
  type Range,
  railsOf,
  rangeOf,
} from '../channels.ts'
import { mockDecisionOf, type Purpose, setMockDecision } from '../sql/payments.ts'
import { daraja } from './daraja/daraja.ts'
import { fawry } from './fawry/fawry.ts'
import { flutterwave } from './flutterwave/flutterwave.ts'
import { RailConfigurationError } from './keys.ts'
import {
  type Country,
  currenciesOf,
  MARKETS,
  misplacedKeys,
  reachesPhone,
  variablesForCountry,
} from './markets.ts'
import { openMock } from './mock/mock.ts'
import { momo } from './momo/momo.ts'
import { opay } from './opay/opay.ts'
import { ozow } from './ozow/ozow.ts'
import { palmpay } from './palmpay/palmpay.ts'
import { paystack } from './paystack/paystack.ts'
import type { OpenRail, Rail, Variables } from './rail.ts'

export type Mode = 'live' | 'mock'

/** A provider account with its keys. */
export type Account = OpenRail & {
  /** Its country; `all` where one account serves every country of the provider. */
  readonly account: Country
  readonly currencies: readonly Currency[]
  /** The end of the names of its variables, such as `_GH`. Empty for the default account. */
  readonly suffix: string
}
export type SelectedAccount = { readonly mode: Mode; readonly rail: Account }

/** Every supported provider. */
export const providers: readonly Rail[] = [paystack, flutterwave, daraja, momo, opay, palmpay, ozow, fawry]

export type PaymentNeeds = {
  readonly channel: ChannelName
  readonly currency: Currency
  /** E.164. Null: any phone. */
  readonly phone?: string | null
  /** Cards are stored and charged later, so payments that need one go to the default provider. Default: `topup`. */
  readonly purpose?: Purpose
}

/**
 * The accounts that can collect a payment: by provider in the default order of the channel, and those of a country before
 * those for all countries. The mock serves channels whose default provider has no keys, if no other provider serves them.
 */
export function servingAccounts(
  app: App,
  { channel: name, currency, phone = null, purpose = 'topup' }: PaymentNeeds,
): SelectedAccount[] {
  const channel = channelByName(name)
  const rails = purpose === 'topup' ? railsOf(channel, currency) : [channel.rail]
  const live = rails.flatMap((rail) => {
    const serving = usableAccounts(app, { rail }).filter(
      (account) =>
        account.currencies.includes(currency) &&
        !account.withoutChannels?.includes(name) &&
        (!channel.needsPhone || phone === null || reachesPhone(account.account, phone)),
    )
    return [...serving.filter(isOfCountry), ...serving.filter((account) => !isOfCountry(account))]
  })
  if (live.length > 0) return live.map((rail) => ({ mode: 'live', rail }))
  if (accountsOf(app, channel.rail).length > 0) return []
  return accountsOf(app, 'mock').map((rail) => ({ mode: 'mock', rail }))
}

const isOfCountry = ({ account }: Account): boolean => account !== ALL_COUNTRIES

/** The first account of the default order; null where no account can collect the payment. */
export const findAccount = (app: App, needs: PaymentNeeds): SelectedAccount | null =>
  servingAccounts(app, needs)[0] ?? null

/** The limits that every account of the channel accepts, so that they do not depend on the account that is chosen. */
export function limitsOf(app: App, channel: Channel, currency: Currency): Range | undefined {
  const serving = servingAccounts(app, { channel: channel.name, currency })
  return rangeOf(
    channel,
    currency,
    serving.flatMap(({ rail: { name } }) => (name === 'mock' ? [] : name)),
  )
}

/** The channels that have an account for a currency. */
export const servedChannels = (app: App, currency: Currency): ChannelName[] =>
  channelsFor(currency)
    .map(({ name }) => name)
    .filter((channel) => findAccount(app, { channel, currency }))

/** Production starts no payments with test keys, because it never credits them. */
export const usableAccounts = (app: App, { rail }: Pick<Channel, 'rail'>): readonly Account[] =>
  accountsOf(app, rail).filter(({ keys }) => keys === 'live' || app.config.environment !== 'production')

/** The accounts of a provider, the default one first. Empty when its keys are not set, and for the mock in production. */
export function accountsOf(app: App, name: RailName): readonly Account[] {
  const rails = accountsByApp.get(app) ?? openAll(app)
  return rails.get(name) ?? []
}

/** The account of a stored payment or card. `account` is null for those older than multiple accounts. */
export type AccountRef = {
  readonly rail: RailName
  readonly mode: Mode
  readonly account: Country | null
  /** Null where unknown. */
  readonly currency: Currency | null
}

/** The account that holds a payment. Null when its keys are no longer set. */
export function accountOf(app: App, { rail, mode, account, currency }: AccountRef): Account | null {
  const accounts = accountsOf(app, mode === 'mock' ? 'mock' : rail)
  if (account === null)
    return accounts.find((each) => currency && each.currencies.includes(currency)) ?? accounts[0] ?? null
  return accounts.find((each) => each.account === account) ?? null
}

/** Whether an account is that of a payment. Payments older than several accounts match every account of their rail. */
export const isAccountOf = (
  { rail, account }: Pick<AccountRef, 'rail' | 'account'>,
  key: { readonly rail: RailName; readonly account: Country },
): boolean => rail === key.rail && (account === null || account === key.account)

/** Configuration problems, as sentences that name the variables. */
export function railProblems(variables: Variables): string[] {
  return providers.flatMap((rail) => openAccounts(rail, variables).problems)
}

// Rails cache tokens and keys, so each app opens them once.
const accountsByApp = new WeakMap<App, ReadonlyMap<RailName, readonly Account[]>>()

function openAll(app: App): ReadonlyMap<RailName, readonly Account[]> {
  const mock = openMock({
    baseUrl: app.config.baseUrl,
    decisionOf: (reference) => app.db.tx('platform', (tx) => mockDecisionOf(tx, reference)),
    decide: (reference, decision) => app.db.tx('platform', (tx) => setMockDecision(tx, reference, decision)),
  })
  const isMockAllowed = app.config.environment !== 'production'
  const rails = new Map<RailName, readonly Account[]>([
    ...providers.map((rail) => [rail.name, openAccounts(rail, app.config.rails).accounts] as const),
    ['mock', isMockAllowed ? [{ ...mock, account: ALL_COUNTRIES, currencies, suffix: '' }] : []],
  ])
  accountsByApp.set(app, rails)
  return rails
}

const ALL_COUNTRIES: Country = 'all'

/** Opens the default account and the accounts with a country suffix. */
function openAccounts(rail: Rail, variables: Variables): { accounts: Account[]; problems: string[] } {
  const accounts: Account[] = []
  const problems: string[] = misplacedKeys(rail.name, [...rail.needs, ...(rail.newerNeeds ?? [])], variables)
  const note = (error: unknown, suffix: string) => {
    if (!(error instanceof RailConfigurationError)) throw error
    const { prefix } = MARKETS[rail.name]
    const names = new RegExp(`\\b${prefix}[A-Z_]+\\b`, 'g')
    problems.push(...error.problems.map((problem) => problem.replace(names, (name) => `${name}${suffix}`)))
  }
  const open = (own: Variables, suffix: string) => {
    try {
      const account = rail.open(own)
      if (!account) return
      const country = MARKETS[rail.name].homeCountry(own)
      if (accounts.some((each) => each.account === (country ?? ALL_COUNTRIES)))
        problems.push(
          `${rail.needs[0]} and ${rail.needs[0]}${suffix} are both accounts in ${country}; remove one of them.`,
        )
      accounts.push({
        ...account,
        account: country ?? ALL_COUNTRIES,
        currencies: currenciesOf(rail.name, country),
        suffix,
      })
    } catch (error) {
      note(error, suffix)
    }
  }
  open(variables, '')
  for (const country of Object.keys(MARKETS[rail.name].countries)) {
    const own = variablesForCountry(rail.name, country, variables)
    if (own) open(own, `_${country}`)
  }
  return { accounts, problems }
}
