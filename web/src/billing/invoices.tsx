// Every invoice of the organisation, the newest first.

import { Paged } from '../app/paged.tsx'
import type { Pages } from '../app/pages.ts'
import { Part } from '../app/sheet.tsx'
import { day } from '../app/words.ts'
import { type Currency, formatMoney } from '../money.ts'
import type { Invoice } from './types.ts'

/** With the shape beside the words: that of a payment in the same situation. */
const STATUS: Readonly<Record<Invoice['status'], readonly [mark: string, words: string]>> = {
  paid: ['settled', 'Paid'],
  open: ['review', 'To be paid'],
  void: ['over', 'Void'],
}

export const Invoices = ({ pages, currency }: { pages: Pages<Invoice>; currency: Currency }) => (
  <Part title="Invoices">
    <Paged pages={pages} empty="None yet. Your first payment makes one." more="Older invoices">
      {(invoice) => <Row invoice={invoice} currency={currency} />}
    </Paged>
  </Part>
)

function Row({ invoice, currency }: { invoice: Invoice; currency: Currency }) {
  const { number, status, totalMinor, lines, issuedAt, receiptUrl, mode } = invoice
  const [mark, words] = STATUS[status]
  const what = lines[0]?.description
  return (
    <div class="row">
      <div>
        <p class="row-name">
          <bdi dir="ltr">{formatMoney(totalMinor, currency)}</bdi>{' '}
          <span class={`state ${mark}`}>{words}</span>
        </p>
        {what && <p class="help">{what}</p>}
        <p class="help">
          <bdi dir="ltr">{number}</bdi> · {day(issuedAt)}
          {mode === 'mock' && ' · play money'}
        </p>
      </div>
      <a
        class="button"
        href={receiptUrl}
        target="_blank"
        rel="noopener"
        aria-label={`Open invoice ${number} in a new tab`}
      >
        Open
      </a>
    </div>
  )
}

export default Invoices
