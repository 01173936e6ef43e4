// The printable pages of invoices and credit notes.
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import { money } from '../../kernel/money.ts'
import type { App } from '../../platform/app.ts'
import { type Answer, answer } from '../../platform/http/answer.ts'
import { pageHeaders } from '../../platform/http/reply/headers.ts'
import { type Language, LOCALES } from '../../platform/texts/language.ts'
import { formatMoney, translated, type WrittenSentence, writerIn } from '../../platform/texts/texts.ts'
import { linesIn } from '../document.ts'
import { labelOf } from '../einvoices/authorities.ts'
import { type Registration, registrationOf } from '../einvoices/sql.ts'
import { type CreditNote, findCreditNote, findInvoice, type Invoice, NOTES_SHOWN_MAX } from '../list.ts'
import { zoneOf } from '../tax/countries.ts'
import { creditNoteUrl, receiptUrl } from './links.ts'
import { type DocumentPage, PAGE_CSP, type RegistrationMark, renderPage } from './page.ts'
import { drawPdf } from './receipt-pdf.ts'

type Form = { readonly isFile: boolean; readonly isPdf: boolean; readonly language: Language }

export async function invoicePage(app: App, orgId: OrgId, id: string, form: Form): Promise<Answer> {
  const { invoice, notes, registration } = await app.db.tx(orgId, async (tx) => {
    const found = await findInvoice(tx, orgId, id)
    return { ...found, registration: await registrationOf(tx, orgId, found.invoice.id, null) }
  })
  const paper = {
    ...invoiceDocument(invoice, notes, form.language),
    registration: markOf(registration, form.language),
    issuedAt: invoice.issuedAt,
  }
  return replyWith(paper, receiptUrl(app, invoice.id), form, orgId)
}

export async function creditNotePage(app: App, orgId: OrgId, id: string, form: Form): Promise<Answer> {
  const { note, invoice, registration } = await app.db.tx(orgId, async (tx) => {
    const note = await findCreditNote(tx, orgId, id)
    if (!note) throw new ApiError('not_found')
    const { invoice } = await findInvoice(tx, orgId, note.invoiceId)
    return { note, invoice, registration: await registrationOf(tx, orgId, invoice.id, note.id) }
  })
  const paper = {
    ...creditNoteDocument(note, invoice, form.language),
    registration: markOf(registration, form.language),
    issuedAt: note.issuedAt,
  }
  return replyWith(paper, creditNoteUrl(app, note.id), form, orgId)
}

/** Staff correct a rejected document, so the customer sees it as being registered. */
function markOf(registration: Registration | undefined, language: Language): RegistrationMark | null {
  if (!registration) return null
  const { authorityId, qr } = registration
  const authority = labelOf(registration.authority)
  const t = writerIn(language)
  return authorityId === null
    ? { label: t('Being registered with {authority}.', { authority }), number: null, qr: null }
    : { label: t('Registered with {authority}', { authority }), number: authorityId, qr }
}

/** A document without its form. */
type Paper = Omit<DocumentPage, 'downloadUrl' | 'language'>
type DocumentContent = Omit<Paper, 'registration'>

async function replyWith(
  paper: Paper & { issuedAt: Date },
  url: string,
  form: Form,
  orgId: OrgId,
): Promise<Answer> {
  if (!form.isPdf) return pageOf(paper, url, form)
  return answer(200, await drawPdf({ ...paper, language: form.language }, orgId), {
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="${paper.number}.pdf"`,
    'cache-control': 'private, no-store',
    vary: 'accept-language',
  })
}

function pageOf(paper: Paper, url: string, { isFile, language }: Form): Answer {
  const downloadUrl = isFile ? null : `${url}?format=pdf&lang=${language}`
  return answer(200, renderPage({ ...paper, language, downloadUrl }), {
    ...pageHeaders(),
    vary: 'accept-language',
    'content-security-policy': PAGE_CSP,
    ...(isFile && { 'content-disposition': `attachment; filename="${paper.number}.html"` }),
  })
}

// Money that stays in the wallet has a receipt; a direct purchase has an invoice.
const TITLES = {
  topup: 'Receipt',
  card: 'Receipt',
  credit: 'Receipt',
  checkout: 'Invoice',
  change: 'Invoice',
  seats: 'Invoice',
  renewal: 'Invoice',
} as const satisfies Record<Invoice['subject'], WrittenSentence>

const STAMPS = { paid: 'PAID', open: 'OPEN', void: 'VOID' } as const satisfies Record<
  Invoice['status'],
  WrittenSentence
>

function invoiceDocument(
  invoice: Invoice,
  notes: readonly CreditNote[],
  language: Language,
): DocumentContent {
  const t = writerIn(language)
  const instant = (at: Date) => formatInstant(at, buyer.country, language)
  const { number, status, mode, subject, buyer, totalMinor, creditedMinor, currency } = invoice
  return {
    ...invoice,
    title: t(TITLES[subject]),
    number,
    stamps: [STAMPS[status], ...testStamp(mode)].map((stamp) => t(stamp)),
    isVoid: status === 'void',
    facts: [
      [t('Issued'), instant(invoice.issuedAt)],
      ...(invoice.paidAt ? [[t('Paid'), instant(invoice.paidAt)] as const] : []),
      ...(invoice.voidedAt ? [[t('Voided'), instant(invoice.voidedAt)] as const] : []),
      ...fact(t('Method'), invoice.method && translated(language, invoice.method)),
      ...fact(t('Reference'), invoice.reference),
      ...fact(t('Reason'), invoice.reason && translated(language, invoice.reason)),
    ],
    lines: linesIn(language, invoice.lines),
    totalLabel: t(status === 'paid' ? 'Total paid' : 'Total'),
    credits: notes.map((note) => ({
      label: t('Credit note {number}', { number: note.number }),
      amountMinor: -note.totalMinor,
    })),
    afterCreditsMinor: totalMinor - creditedMinor,
    remarks: [
      ...remarksOn(invoice).map((remark) => t(remark)),
      ...(TITLES[subject] === 'Receipt' && invoice.taxes.length > 0
        ? [t('Purchases from the wallet are not taxed again.')]
        : []),
      ...(notes.length === NOTES_SHOWN_MAX
        ? [
            t('Total of all credit notes: {amount}.', {
              amount: formatMoney(language, money(creditedMinor, currency)),
            }),
          ]
        : []),
    ],
  }
}

function creditNoteDocument(note: CreditNote, invoice: Invoice, language: Language): DocumentContent {
  const t = writerIn(language)
  const { seller, buyer, currency, mode } = invoice
  const description = t('Credit for invoice {number}', { number: invoice.number })
  return {
    ...note,
    title: t('Credit note'),
    stamps: testStamp(mode).map((stamp) => t(stamp)),
    isVoid: false,
    seller,
    buyer,
    currency,
    facts: [
      [t('Issued'), formatInstant(note.issuedAt, buyer.country, language)],
      [t('For'), [`${invoice.number}, ${formatMoney(language, money(invoice.totalMinor, currency))}`]],
      ...fact(t('Reference'), invoice.reference),
      [t('Reason'), [translated(language, note.reason)]],
    ],
    lines: [{ description, quantity: 1, amountMinor: note.totalMinor }],
    totalLabel: t('Total credited'),
    credits: [],
    afterCreditsMinor: 0n,
    remarks: remarksOn({ taxes: note.taxes, mode, method: null }).map((remark) => t(remark)),
  }
}

const testStamp = (mode: Invoice['mode']): 'TEST MONEY'[] => (mode === 'mock' ? ['TEST MONEY'] : [])

const fact = (label: string, value: string | null): [string, string[]][] =>
  value === null ? [] : [[label, [value]]]

const UNTAXED = {
  wallet: 'Paid from the wallet: the tax was charged with the top-up.',
  other: 'No tax is included.',
} as const

const remarksOn = ({ taxes, mode, method }: Pick<Invoice, 'taxes' | 'mode' | 'method'>) => [
  taxes.length > 0 ? ('Prices include tax.' as const) : UNTAXED[method === 'Wallet' ? 'wallet' : 'other'],
  ...(mode === 'mock'
    ? (['This is test money: nothing was charged, and this document is not valid for tax purposes.'] as const)
    : []),
]

/** Local time first, if the time zone of the country is known and differs from UTC. */
export function formatInstant(at: Date, country: string | null, language: Language = 'en'): string[] {
  const zone = country === null ? null : zoneOf(country)
  const universal = formatInZone(at, 'UTC', language)
  const local = zone === null ? universal : formatInZone(at, zone, language)
  if (zone === null || local === universal) return [`${universal} UTC`]
  return [`${local} ${offsetOf(at, zone)}`, `${universal} UTC`]
}

const formatInZone = (at: Date, timeZone: string, language: Language): string =>
  new Intl.DateTimeFormat(LOCALES[language], {
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
