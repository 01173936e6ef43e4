// The registration of invoices with the tax authority of the seller's country.
import { activeAuthority, authorities } from '../../invoices/invoices.ts'
import type { App } from '../../platform/app.ts'
import type { Feature } from './feature.ts'

export function einvoiceFeatures(app: App): Feature[] {
  const active = activeAuthority(app)
  const { country } = app.config.einvoicing
  const own = authorities.find((authority) => authority.country === country)
  return [
    {
      key: 'einvoicing',
      label: 'Electronic invoicing',
      env: ['SERVICE_SELLER_COUNTRY', ...(own?.needs ?? [])].join(', '),
      live: active !== null,
      detail: active
        ? `Invoices in ${active.currency} with the tax of ${active.country} are registered with ${active.label}.`
        : own
          ? `Not set. Invoices are not registered with ${own.label}.`
          : 'Not set. Invoices are not registered with a tax authority.',
    },
  ]
}
