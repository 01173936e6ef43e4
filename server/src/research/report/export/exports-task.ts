// Draws the report for printing and for word processors, on a worker thread. The same report gives the same bytes.
import { DOCX_TYPE } from '../../reading/read-page.ts'
import { buildDocument } from '../report-document.ts'
import { type ReportFilesInput, verifiedContent } from '../report-files-task.ts'
import { renderDocx } from './render-docx.ts'
import { renderPdf } from './render-pdf.ts'

export type ReportExport = { readonly name: string; readonly contentType: string; readonly bytes: Uint8Array }
export type ExportsInput = Omit<ReportFilesInput, 'markdown'> & { readonly markdown: string | null }

export async function run({ report, markdown, repairs }: ExportsInput): Promise<ReportExport[]> {
  const document = buildDocument(
    markdown === null ? { ...report, verified: null } : verifiedContent({ report, markdown, repairs }),
  )
  const day = new Date(`${report.askedOn}T00:00:00Z`)
  return [
    { name: 'report.pdf', contentType: 'application/pdf', bytes: await renderPdf(document, day) },
    { name: 'report.docx', contentType: DOCX_TYPE, bytes: renderDocx(document, day) },
  ]
}
