// A page as it is kept: the text that quotes are checked against, and how to recognise it.
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
  /** Of the text, in hexadecimal digits. */
  readonly sha256: string
  /** 64 bits in 16 hexadecimal digits; see `isNearDuplicate`. */
  readonly fingerprint: string
  /** The page had more than is kept. */
  readonly isCut: boolean
}
export type UnreadablePage = { readonly reason: 'empty' | 'paywall' | 'unreadable' | 'not_text' }

/** What a task makes of a page, before it is cleaned. */
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
