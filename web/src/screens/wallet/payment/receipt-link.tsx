// The receipt of a completed payment.
import { api } from '../../../data/api.ts'
import { useResource } from '../../../data/resource.ts'
import { language } from '../../../i18n/language.ts'
import { t } from '../../../i18n/t.ts'

const NEWEST = 10

/** The document in the language of the app. */
export const documentUrl = (url: string): string => `${url}?lang=${language.value}`

/** Shows a placeholder while loading. */
export function ReceiptLink({ reference }: { reference: string }) {
  const read = useResource(`receipt ${reference}`, () => api.invoices.list({ limit: NEWEST }))
  const current = read.current.value
  if (current.state !== 'ready') return null
  const invoice = current.value.invoices.find((each) => each.reference === reference)
  if (!invoice) return null
  return (
    <a class="button" href={documentUrl(invoice.receiptUrl)} target="_blank" rel="noreferrer">
      {t('Receipt {number}', { number: invoice.number })}
    </a>
  )
}
