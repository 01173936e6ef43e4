// The stored snapshot of a page: the text that quotes are checked against, with its hashes.
import { createHash } from 'node:crypto'
import { cleanText, toCleanLine } from './clean-text.ts'
import { computeFingerprint } from './fingerprint.ts'
import { detectLanguage } from './language.ts'

export type PageSnapshot = {
  readonly title: string
  readonly text: string
  readonly language: string | null
  /** `YYYY-MM-DD`. */
  readonly publishedOn: string | null
  /** Of the text, in hexadecimal. */
  readonly sha256: string
  /** 64 bits as 16 hexadecimal digits; see `isNearDuplicate`. */
  readonly fingerprint: string
  /** The page was longer than the limit. */
  readonly isCut: boolean
}
export type UnreadablePage = { readonly reason: 'empty' | 'paywall' | 'unreadable' | 'not_text' }

/** The output of a reader task, before cleaning. */
export type ExtractedPage = {
  readonly title: string
  readonly text: string
  readonly language: string | null
  readonly publishedOn: string | null
  readonly isCut: boolean
}

export function createSnapshot(raw: ExtractedPage): PageSnapshot | UnreadablePage {
  const { text, isCut } = cleanText(raw.text)
  if (!/[\p{L}\p{N}]/u.test(text)) return { reason: 'empty' }
  return {
    title: toCleanLine(raw.title),
    text,
    language: detectLanguage(text, raw.language),
    publishedOn: raw.publishedOn,
    sha256: createHash('sha256').update(text).digest('hex'),
    fingerprint: computeFingerprint(text),
    isCut: isCut || raw.isCut,
  }
}
