// The invoices of the organisation, newest first: open, save, print and pay.

import type { Invoice } from '@cowrie/sdk'
import { api } from '../../data/api.ts'
import { usePages } from '../../data/paged-resource.ts'
import { type Me, reloadSession, session } from '../../data/session.ts'
import { formatDate } from '../../i18n/format.ts'
import { msg, t } from '../../i18n/t.ts'
import { Amount } from '../../ui/base/amount.tsx'
import { Copyable } from '../../ui/base/copyable.tsx'
import { PagedList } from '../../ui/base/paged-list.tsx'
import { Page } from '../../ui/base/sheet.tsx'
import { EmptyState } from '../../ui/layout/empty-state.tsx'
import { currencyOf } from '../../ui/money/currencies.ts'
import { documentUrl } from '../wallet/payment/receipt-link.tsx'
import { PayInvoice } from './pay-invoice.tsx'

const STATUS: Readonly<Record<Invoice['status'], readonly [chip: string, words: string]>> = {
  paid: ['ok', msg('Paid')],
  open: ['warn', msg('Unpaid')],
  void: ['', msg('Void')],
}

export default function Invoices() {
  const { value } = session
  return value.state === 'in' ? <Open key={value.me.orgId} me={value.me} /> : null
}

function Open({ me }: { me: Me }) {
  const pages = usePages('invoices', 'invoices', (cursor) => api.invoices.list({ limit: 10, ...cursor }))
  const { value } = pages.current
  const isEmpty = value.state === 'ready' && value.value.length === 0
  return (
    <Page
      title={t('Invoices')}
      note={t('Every payment has an invoice.')}
      action={
        <a class="button" href="/app/billing">
          {t('Billing details')}
        </a>
      }
    >
      {isEmpty ? (
        <EmptyState
          picture="document"
          title={t('No invoices yet')}
          text={t('Your first top-up creates one.')}
          action={
            <a class="button primary" href="/app/wallet/top-up#top-up">
              {t('Top up')}
            </a>
          }
        />
      ) : (
        <PagedList pages={pages} empty="" more={t('Older invoices')}>
          {(invoice) => (
            <Row
              invoice={invoice}
              me={me}
              onPaid={async () => {
                await Promise.all([pages.load(), reloadSession()])
              }}
            />
          )}
        </PagedList>
      )}
    </Page>
  )
}

type RowProps = { invoice: Invoice; me: Me; onPaid: () => Promise<void> }

function Row({ invoice, me, onPaid }: RowProps) {
  const { number, status, totalMinor, lines, issuedAt, receiptUrl, mode } = invoice
  const currency = invoice.currency === me.currency.code ? me.currency : currencyOf(invoice.currency)
  const [chip, words] = STATUS[status]
  return (
    <div class="invoice">
      <div class="row">
        <div>
          <p class="row-name">
            {lines[0]?.description} <span class={`chip ${chip}`}>{t(words)}</span>
            {mode === 'mock' && <span class="chip">{t('test mode')}</span>}
          </p>
          <p class="help">
            {formatDate(issuedAt)} · <bdi dir="ltr">{number}</bdi>
          </p>
        </div>
        <Amount minor={totalMinor} currency={currency} class="row-name" />
        <div class="choices">
          {status === 'open' && <PayInvoice invoice={invoice} me={me} onPaid={onPaid} />}
          <a
            class="button"
            href={documentUrl(receiptUrl)}
            target="_blank"
            rel="noopener"
            aria-label={t('Open invoice {number} in a new tab', { number })}
          >
            {t('Open')}
          </a>
        </div>
      </div>
      <details>
        <summary>
          {t('Details, download and print')} <span class="unseen">{number}</span>
        </summary>
        <InvoiceDetails invoice={invoice} currency={currency} />
      </details>
    </div>
  )
}

type InvoiceDetailsProps = { invoice: Invoice; currency: Me['currency'] | ReturnType<typeof currencyOf> }

/** The details, as on the receipt. */
function InvoiceDetails({ invoice, currency }: InvoiceDetailsProps) {
  const { number, lines, subtotalMinor, taxes, totalMinor, method, receiptUrl, creditNotes } = invoice
  return (
    <div class="paper">
      <table class="bill">
        <caption>{t('Invoice {number}', { number })}</caption>
        <tbody>
          {lines.map(({ description, quantity, amountMinor }, index) => (
            <tr key={`${index} ${description}`}>
              <th scope="row">
                {description}
                {quantity > 1 && ` × ${quantity}`}
              </th>
              <td>
                <Amount minor={amountMinor} currency={currency} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('Total')}</th>
            <td>
              <Amount minor={totalMinor} currency={currency} />
            </td>
          </tr>
          {taxes.length > 0 && (
            <tr class="minor">
              <th scope="row">{t('excluding tax')}</th>
              <td>
                <Amount minor={subtotalMinor} currency={currency} />
              </td>
            </tr>
          )}
          {taxes.map(({ name, amountMinor }) => (
            <tr key={name} class="minor">
              <th scope="row">{name}</th>
              <td>
                <Amount minor={amountMinor} currency={currency} />
              </td>
            </tr>
          ))}
        </tfoot>
      </table>
      {method && <p class="help">{t('Paid by {method}', { method })}</p>}
      <Copyable text={number} label={t('the number')} />
      {creditNotes.map((note) => (
        <p key={note.id}>
          <a href={documentUrl(note.receiptUrl)} target="_blank" rel="noopener">
            {t('Credit note {number}', { number: note.number })}
          </a>{' '}
          <Amount minor={note.totalMinor} currency={currency} />
        </p>
      ))}
      <div class="choices">
        <a
          class="button"
          href={`${documentUrl(receiptUrl)}&format=pdf`}
          download
          aria-label={t('Download invoice {number}', { number })}
        >
          {t('Download')}
        </a>
        <button
          type="button"
          aria-label={t('Print invoice {number}', { number })}
          onClick={() => print(documentUrl(receiptUrl))}
        >
          {t('Print')}
        </button>
      </div>
    </div>
  )
}

/** The receipt has no script, so the opening page triggers the print. */
function print(receiptUrl: string): void {
  const opened = window.open(receiptUrl)
  opened?.addEventListener('load', () => opened.print())
}
