// The seller's country, and the keys of tax authorities.
import type { EnvironmentReader } from './environment.ts'

export type EInvoicingConfig = {
  readonly country: string | null
  readonly variables: Readonly<Record<string, string>>
}

const PREFIXES = ['FIRS_', 'ETIMS_', 'EVAT_', 'ETA_']

export function readEInvoicing(read: EnvironmentReader): EInvoicingConfig {
  const country = read.text('SERVICE_SELLER_COUNTRY')
  if (country !== null && !/^[A-Z]{2}$/.test(country))
    read.problem(
      'SERVICE_SELLER_COUNTRY',
      'must be an ISO 3166 country code of two capital letters, such as NG.',
    )
  const variables = read.withPrefixes(PREFIXES)
  for (const name of Object.keys(variables)) if (name.endsWith('_URL')) read.url(name, ['http', 'https'])
  return { country, variables }
}
