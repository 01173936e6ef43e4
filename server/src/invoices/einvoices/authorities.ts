// Selects the tax authority of the seller's country. Without its keys, documents are not registered.
import type { App } from '../../platform/app.ts'
import type { Config } from '../../platform/config.ts'
import { eta } from './authorities/eta.ts'
import { etims } from './authorities/etims.ts'
import { evat } from './authorities/evat.ts'
import { firs } from './authorities/firs.ts'
import { type EInvoiceAuthority, EInvoiceConfigurationError, type OpenAuthority } from './authority.ts'

/** Every supported authority. */
export const authorities: readonly EInvoiceAuthority[] = [firs, etims, evat, eta]

export type ActiveAuthority = Omit<EInvoiceAuthority, 'open' | 'needs'> & OpenAuthority

/** The authority with keys; null without. */
export function activeAuthority(app: App): ActiveAuthority | null {
  const known = openedByApp.get(app)
  if (known !== undefined) return known
  const { opened } = openFor(app.config.einvoicing)
  openedByApp.set(app, opened)
  return opened
}

/** The name that receipts print. Documents of an authority whose keys were removed keep it. */
export const labelOf = (name: string): string =>
  authorities.find((authority) => authority.name === name)?.label ?? name

/** Configuration problems, as sentences that name the variables. */
export const einvoiceProblems = (config: Config['einvoicing']): readonly string[] => openFor(config).problems

// An authority caches its access token, so each app opens it once.
const openedByApp = new WeakMap<App, ActiveAuthority | null>()

function openFor({ country, variables }: Config['einvoicing']): {
  opened: ActiveAuthority | null
  problems: readonly string[]
} {
  const withKeys = authorities.filter(({ needs }) => needs.some((name) => variables[name]))
  const foreign = withKeys.filter((authority) => authority.country !== country)
  const problems = foreign.map(
    ({ needs, ...authority }) =>
      `${needs.find((name) => variables[name])} is set, so SERVICE_SELLER_COUNTRY must be ${authority.country}.`,
  )
  const own = withKeys.find((authority) => authority.country === country)
  if (!own) return { opened: null, problems }
  const missing = own.needs.filter((name) => !variables[name])
  if (missing.length > 0)
    return { opened: null, problems: [...problems, ...missing.map((name) => `${name} is not set.`)] }
  try {
    const { name, label, currency } = own
    return { opened: { name, label, currency, country: own.country, ...own.open(variables) }, problems }
  } catch (error) {
    if (!(error instanceof EInvoiceConfigurationError)) throw error
    return { opened: null, problems: [...problems, ...error.problems] }
  }
}
