// Reads a PDF on a worker thread.
import { getDocumentProxy } from 'unpdf'
import type { PdfItem } from './pdf-lines.ts'
import { joinParagraphs } from './pdf-paragraphs.ts'
import { createSnapshot, type PageSnapshot, type UnreadablePage } from './snapshot.ts'

export type PdfInput = { readonly bytes: Uint8Array }

const PAGES_MAX = 200
const CHARACTERS_MAX = 400_000

/** A broken or encrypted PDF is unreadable. */
export async function run({ bytes }: PdfInput): Promise<PageSnapshot | UnreadablePage> {
  try {
    return await readPdf(bytes)
  } catch {
    return { reason: 'unreadable' }
  }
}

async function readPdf(bytes: Uint8Array): Promise<PageSnapshot | UnreadablePage> {
  // Text needs no fonts, images or network access.
  const pdf = await getDocumentProxy(bytes, { ...PDF_OPTIONS })
  const { info } = await pdf.getMetadata()
  const pages: string[] = []
  let characters = 0
  for (let n = 1; n <= Math.min(pdf.numPages, PAGES_MAX) && characters < CHARACTERS_MAX; n++) {
    const page = await pdf.getPage(n)
    const { items } = await page.getTextContent()
    const text = joinParagraphs(items.filter((item): item is PdfItem & typeof item => 'str' in item))
    pages.push(text)
    characters += text.length
    page.cleanup()
  }
  const isCut = pages.length < pdf.numPages
  await pdf.loadingTask.destroy()
  const title = 'Title' in info && typeof info.Title === 'string' ? info.Title : ''
  return createSnapshot({ title, text: pages.join('\n\n'), language: null, publishedOn: null, isCut })
}

const PDF_OPTIONS = {
  verbosity: 0,
  disableFontFace: true,
  useSystemFonts: false,
  useWorkerFetch: false,
  useWasm: false,
  isOffscreenCanvasSupported: false,
  isImageDecoderSupported: false,
  enableXfa: false,
  disableAutoFetch: true,
  maxImageSize: 0,
}
