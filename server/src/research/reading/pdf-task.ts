// Reads a PDF on a thread of its own.
import { getDocumentProxy } from 'unpdf'
import { type PdfItem, paragraphsOf } from './paragraphs.ts'
import { type ReadPage, snapshotOf, type Unreadable } from './snapshot.ts'

export type PdfInput = { readonly bytes: Uint8Array }

const PAGES_MAX = 200
const CHARACTERS_MAX = 400_000

/** What is broken, or locked by a password, is unreadable. */
export async function run({ bytes }: PdfInput): Promise<ReadPage | Unreadable> {
  try {
    return await read(bytes)
  } catch {
    return { reason: 'unreadable' }
  }
}

async function read(bytes: Uint8Array): Promise<ReadPage | Unreadable> {
  // Nothing is loaded, drawn or reported: fonts and images are not needed for text.
  const pdf = await getDocumentProxy(bytes, { ...QUIET })
  const { info } = await pdf.getMetadata()
  const pages: string[] = []
  let characters = 0
  for (let n = 1; n <= Math.min(pdf.numPages, PAGES_MAX) && characters < CHARACTERS_MAX; n++) {
    const page = await pdf.getPage(n)
    const { items } = await page.getTextContent()
    const text = paragraphsOf(items.filter((item): item is PdfItem & typeof item => 'str' in item))
    pages.push(text)
    characters += text.length
    page.cleanup()
  }
  const isCut = pages.length < pdf.numPages
  await pdf.loadingTask.destroy()
  const title = 'Title' in info && typeof info.Title === 'string' ? info.Title : ''
  return snapshotOf({ title, text: pages.join('\n\n'), language: null, publishedOn: null, isCut })
}

const QUIET = {
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
