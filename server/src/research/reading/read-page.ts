// Converts fetched bytes to the text that quotes are checked against. Pages are untrusted: each is read on a worker
// thread with a timeout, and unreadable pages have a reason.
import { ApiError } from '../../kernel/errors.ts'
import { runTask, type Task, TaskTimeout, task } from '../../platform/workers/workers.ts'
import type { DocxInput } from './docx-task.ts'
import type { HtmlInput } from './html/html-task.ts'
import type { PdfInput } from './pdf-task.ts'
import type { PageSnapshot, UnreadablePage } from './snapshot.ts'
import type { TextInput } from './text-task.ts'

export { canonicalUrl } from './canonical-url.ts'
export { isNearDuplicate } from './fingerprint.ts'
export type { PageSnapshot, UnreadablePage } from './snapshot.ts'

export type PageBytes = {
  readonly url: string
  readonly contentType: string
  /** From the header; null if it has none. */
  readonly charset: string | null
  readonly bytes: Uint8Array
}
export type ReadLimits = { readonly signal: AbortSignal; readonly owner: string }

type ReadOutcome = PageSnapshot | UnreadablePage

const html = task<HtmlInput, ReadOutcome>(new URL('./html/html-task.ts', import.meta.url))
const pdf = task<PdfInput, ReadOutcome>(new URL('./pdf-task.ts', import.meta.url))
const docx = task<DocxInput, ReadOutcome>(new URL('./docx-task.ts', import.meta.url))
const text = task<TextInput, ReadOutcome>(new URL('./text-task.ts', import.meta.url))

const HTML_MS = 6_000
const PDF_MS = 10_000
const TEXT_MS = 3_000
const SNIFFED_BYTES = 1_024

/** Throws the abort reason, or `busy` if no thread is free. The same bytes always give the same text. */
export async function readPage(page: PageBytes, limits: ReadLimits): Promise<ReadOutcome> {
  const { bytes, charset } = page
  const type = page.contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, SNIFFED_BYTES))
  if (start.includes('%PDF-')) return runReadTask(pdf, { bytes }, { ...limits, timeoutMs: PDF_MS })
  if (type === DOCX_TYPE) return runReadTask(docx, { bytes }, { ...limits, timeoutMs: PDF_MS })
  if (HTML_TYPE.test(type) || (PLAIN_TYPE.test(type) && HTML_START.test(start)))
    return readHtml({ bytes, charset, isXml: XHTML_TYPE.test(type) }, limits)
  if (!TEXT_TYPE.test(type)) return { reason: PDF_TYPE.test(type) ? 'unreadable' : 'not_text' }
  return runReadTask(text, { bytes, charset }, { ...limits, timeoutMs: TEXT_MS })
}

export const DOCX_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const HTML_TYPE = /^(text\/html|application\/xhtml\+xml)$/
const XHTML_TYPE = /^application\/xhtml\+xml$/
const PDF_TYPE = /^application\/(x-)?pdf$/
const PLAIN_TYPE = /^(text\/plain|)$/
const TEXT_TYPE =
  /^(text\/[\w.+-]+|application\/([\w.-]+\+)?(json|xml|yaml|x-yaml|ld\+json|x-ndjson|markdown|toml)|)$/
const HTML_START = /^[\s\ufeffï»¿]{0,64}<(!doctype html|html|head|body)\b/i

/** If the search for the article times out, the page is read whole. */
async function readHtml(input: Omit<HtmlInput, 'isWhole'>, limits: ReadLimits): Promise<ReadOutcome> {
  try {
    return await runTask(html, { ...input, isWhole: false }, { ...limits, timeoutMs: HTML_MS })
  } catch (error) {
    if (!(error instanceof TaskTimeout)) return toUnreadable(error, limits)
    return runReadTask(html, { ...input, isWhole: true }, { ...limits, timeoutMs: HTML_MS })
  }
}

async function runReadTask<I>(
  task: Task<I, ReadOutcome>,
  input: I,
  limits: ReadLimits & { readonly timeoutMs: number },
): Promise<ReadOutcome> {
  try {
    return await runTask(task, input, limits)
  } catch (error) {
    return toUnreadable(error, limits)
  }
}

/** Timeouts, memory limits and parser errors all mean that the page is unreadable. */
function toUnreadable(error: unknown, { signal }: ReadLimits): UnreadablePage {
  if (signal.aborted || error instanceof ApiError) throw error
  return { reason: 'unreadable' }
}
