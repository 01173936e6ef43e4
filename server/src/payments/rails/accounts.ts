// Selects the provider account of a channel: a live one when its keys are set, the mock otherwise.
import { ApiError } from '../../kernel/errors.ts'
import { type Currency, currencies } from '../../kernel/money.ts'
import type { App } from '../../platform/app.ts'
import type { RailName } from '../channels.ts'
import { type Channel, type ChannelName, channelByName, channelsFor } from '../channels.ts'
import { mockDecisionOf, setMockDecision } from '../sql/payments.ts'
import { daraja } from './daraja/daraja.ts'
import { fawry } from './fawry/fawry.ts'
import { flutterwave } from './flutterwave/flutterwave.ts'
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
import { type OpenRail, type Rail, RailConfigurationError, type Variables } from './rail.ts'

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

/** The account for a payment. Throws `payments_not_configured` where no account can collect it and the mock is not allowed. */
export function selectAccount(
  app: App,
  channel: ChannelName,
  currency: Currency,
  phone?: string | null,
): SelectedAccount {
  const served = findAccount(app, channel, currency, phone)
  if (!served) throw new ApiError('payments_not_configured')
  return served
}

/** Like `selectAccount`; null where no account can collect the payment. */
export function findAccount(
  app: App,
  name: ChannelName,
  currency: Currency,
  phone: string | null = null,
): SelectedAccount | null {
  const channel = channelByName(name)
  if (accountsOf(app, channel.rail).length === 0) {
    const [mock] = accountsOf(app, 'mock')
    return mock ? { mode: 'mock', rail: mock } : null
  }
  const serving = usableAccounts(app, channel).filter(
    (account) =>
      account.currencies.includes(currency) &&
      !account.withoutChannels?.includes(name) &&
      (!channel.needsPhone || phone === null || reachesPhone(account.account, phone)),
  )
  const rail = serving.find(({ account }) => account !== ALL_COUNTRIES) ?? serving[0]
  return rail ? { mode: 'live', rail } : null
}

/** The channels that have an account for a currency. */
export const servedChannels = (app: App, currency: Currency): ChannelName[] =>
  channelsFor(currency)
    .map(({ name }) => name)
    .filter((name) => findAccount(app, name, currency))

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
