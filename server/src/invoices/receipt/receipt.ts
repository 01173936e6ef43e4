// The printable pages of invoices and credit notes.
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import { format, money } from '../../kernel/money.ts'
import type { App } from '../../platform/app.ts'
import { type Answer, answer } from '../../platform/http/answer.ts'
import { pageHeaders } from '../../platform/http/reply/headers.ts'
import { type CreditNote, findCreditNote, findInvoice, type Invoice, NOTES_SHOWN_MAX } from '../list.ts'
import { zoneOf } from '../tax/countries.ts'
import { creditNoteUrl, receiptUrl } from './links.ts'
import { type DocumentPage, PAGE_CSP, renderPage } from './page.ts'

export async function invoicePage(app: App, orgId: OrgId, id: string, isFile: boolean): Promise<Answer> {
  const { invoice, notes } = await app.db.tx(orgId, (tx) => findInvoice(tx, orgId, id))
  return pageOf(invoiceDocument(invoice, notes), receiptUrl(app, invoice.id), isFile)
}

export async function creditNotePage(app: App, orgId: OrgId, id: string, isFile: boolean): Promise<Answer> {
  const { note, invoice } = await app.db.tx(orgId, async (tx) => {
    const note = await findCreditNote(tx, orgId, id)
    if (!note) throw new ApiError('not_found')
    return { note, invoice: (await findInvoice(tx, orgId, note.invoiceId)).invoice }
  })
  return pageOf(creditNoteDocument(note, invoice), creditNoteUrl(app, note.id), isFile)
}

type DocumentContent = Omit<DocumentPage, 'downloadUrl'>

function pageOf(paper: DocumentContent, url: string, isFile: boolean): Answer {
  return answer(200, renderPage({ ...paper, downloadUrl: isFile ? null : `${url}?download=1` }), {
    ...pageHeaders(),
    'content-security-policy': PAGE_CSP,
    ...(isFile && { 'content-disposition': `attachment; filename="${paper.number}.html"` }),
  })
}

// Money that stays in the wallet has a receipt; a direct purchase has an invoice.
const TITLES: Readonly<Record<Invoice['subject'], string>> = {
  topup: 'Receipt',
  card: 'Receipt',
  credit: 'Receipt',
  checkout: 'Invoice',
  change: 'Invoice',
  seats: 'Invoice',
  renewal: 'Invoice',
}

function invoiceDocument(invoice: Invoice, notes: readonly CreditNote[]): DocumentContent {
  const { number, status, mode, subject, buyer, totalMinor, creditedMinor, currency } = invoice
  return {
    ...invoice,
    title: TITLES[subject],
    number,
    stamps: [status.toUpperCase(), ...testStamp(mode)],
    isVoid: status === 'void',
    facts: [
      ['Issued', formatInstant(invoice.issuedAt, buyer.country)],
      ...instantFact('Paid', invoice.paidAt, buyer.country),
      ...instantFact('Voided', invoice.voidedAt, buyer.country),
      ...fact('Method', invoice.method),
      ...fact('Reference', invoice.reference),
      ...fact('Reason', invoice.reason),
    ],
    totalLabel: status === 'paid' ? 'Total paid' : 'Total',
    credits: notes.map((note) => ({ label: `Credit note ${note.number}`, amountMinor: -note.totalMinor })),
    afterCreditsMinor: totalMinor - creditedMinor,
    remarks: [
      ...remarksOn(invoice),
      ...(TITLES[subject] === 'Receipt' && invoice.taxes.length > 0
        ? ['Purchases from the wallet are not taxed again.']
        : []),
      ...(notes.length === NOTES_SHOWN_MAX
        ? [`Total of all credit notes: ${format(money(creditedMinor, currency))}.`]
        : []),
    ],
  }
}

function creditNoteDocument(note: CreditNote, invoice: Invoice): DocumentContent {
  const { seller, buyer, currency, mode } = invoice
  const description = `Credit for invoice ${invoice.number}`
  return {
    ...note,
    title: 'Credit note',
    stamps: testStamp(mode),
    isVoid: false,
    seller,
    buyer,
    currency,
    facts: [
      ['Issued', formatInstant(note.issuedAt, buyer.country)],
      ['For', [`${invoice.number}, ${format(money(invoice.totalMinor, currency))}`]],
      ...fact('Reference', invoice.reference),
      ['Reason', [note.reason]],
    ],
    lines: [{ description, quantity: 1, amountMinor: note.totalMinor }],
    totalLabel: 'Total credited',
    credits: [],
    afterCreditsMinor: 0n,
    remarks: remarksOn({ taxes: note.taxes, mode, method: null }),
  }
}

const testStamp = (mode: Invoice['mode']): string[] => (mode === 'mock' ? ['TEST MONEY'] : [])

const fact = (label: string, value: string | null): [string, string[]][] =>
  value === null ? [] : [[label, [value]]]

const instantFact = (label: string, at: Date | null, country: string | null): [string, string[]][] =>
  at === null ? [] : [[label, formatInstant(at, country)]]

const UNTAXED = {
  wallet: 'Paid from the wallet: the tax was charged with the top-up.',
  other: 'No tax is included.',
}

const remarksOn = ({ taxes, mode, method }: Pick<Invoice, 'taxes' | 'mode' | 'method'>): string[] => [
  taxes.length > 0 ? 'Prices include tax.' : UNTAXED[method === 'Wallet' ? 'wallet' : 'other'],
  ...(mode === 'mock'
    ? ['This is test money: nothing was charged, and this document is not valid for tax purposes.']
    : []),
]

/** Local time first, if the time zone of the country is known and differs from UTC. */
export function formatInstant(at: Date, country: string | null): string[] {
  const zone = country === null ? null : zoneOf(country)
  const universal = formatInZone(at, 'UTC')
  const local = zone === null ? universal : formatInZone(at, zone)
  if (zone === null || local === universal) return [`${universal} UTC`]
  return [`${local} ${offsetOf(at, zone)}`, `${universal} UTC`]
}

const formatInZone = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone,
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
    .format(at)
    .replace(' at ', ', ')

const offsetOf = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'shortOffset' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
