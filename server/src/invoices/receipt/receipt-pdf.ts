// A receipt, invoice or credit note as a PDF file, drawn on a worker thread within a time limit.
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import { money } from '../../kernel/money.ts'
import { directionOf } from '../../platform/texts/language.ts'
import { formatMoney, writerIn } from '../../platform/texts/texts.ts'
import { runTask, TaskTimeout, task } from '../../platform/workers/workers.ts'
import type { PdfDocument } from '../pdf/draw-pdf-task.ts'
import { countryIn, type DocumentPage, taxLabel } from './page.ts'

const DRAW = task<PdfDocument, Uint8Array>(new URL('../pdf/draw-pdf-task.ts', import.meta.url))
const TIMEOUT_MS = 15_000

export type PdfContent = Omit<DocumentPage, 'downloadUrl'> & { readonly issuedAt: Date }

export async function drawPdf(paper: PdfContent, orgId: OrgId): Promise<Buffer> {
  try {
    return Buffer.from(await runTask(DRAW, pdfDocument(paper), { timeoutMs: TIMEOUT_MS, owner: orgId }))
  } catch (error) {
    if (error instanceof TaskTimeout) throw new ApiError('busy')
    throw error
  }
}

function pdfDocument(paper: PdfContent): PdfDocument {
  const { language, currency, seller, buyer, facts, credits, title, number, issuedAt, stamps, isVoid } = paper
  const t = writerIn(language)
  const amount = (minor: bigint): string => formatMoney(language, money(minor, currency))
  const sum = (label: string, minor: bigint, isTotal = false) => ({ label, amount: amount(minor), isTotal })
  const sideOf = ({ name, address, taxId }: typeof seller, country: string | null): string[] =>
    [name, address, country, taxId && `${t('Tax ID')} ${taxId}`].filter((line) => line !== null)
  return {
    direction: directionOf(language),
    ...{ language, title, number, issuedAt, stamps, isVoid, facts, remarks: paper.remarks },
    registration: paper.registration,
    parties: [
      [t('From'), sideOf(seller, null)],
      [t('To'), sideOf(buyer, countryIn(buyer.country, language))],
    ],
    columns: [t('Description'), t('Qty'), t('Amount')],
    rows: paper.lines.map(({ description, quantity, amountMinor }) => [
      description,
      String(quantity),
      amount(amountMinor),
    ]),
    sums: [
      sum(t('Subtotal without tax'), paper.subtotalMinor),
      ...paper.taxes.map((tax) => sum(taxLabel(tax, language), tax.amountMinor)),
      sum(paper.totalLabel, paper.totalMinor, true),
      ...credits.map(({ label, amountMinor }) => sum(label, amountMinor)),
      ...(credits.length > 0 ? [sum(t('Remaining after credit'), paper.afterCreditsMinor, true)] : []),
    ],
  }
}
