// Reads plain text, Markdown, JSON and XML as they are.
import { binaryKind } from './binary-kind.ts'
import { decode } from './charset.ts'
import { createSnapshot, type PageSnapshot, type UnreadablePage } from './snapshot.ts'

export type TextInput = { readonly bytes: Uint8Array; readonly charset: string | null }

const TITLE_WITHIN = 4_000
/** Text has few control characters and no null character; binary files declared as text have many. */
const CONTROL_SHARE_MAX = 0.02

export function run({ bytes, charset }: TextInput): PageSnapshot | UnreadablePage {
  if (binaryKind(bytes) !== null) return { reason: 'not_text' }
  const text = decode(bytes, charset)
  const controls = text.match(/[\0-\x08\x0e-\x1a\x1c-\x1f\ufffd]/g)?.length ?? 0
  if (text.includes('\0') || controls > text.length * CONTROL_SHARE_MAX) return { reason: 'not_text' }
  const title = /^#{1,2} {1,4}(\S.{0,300})$/m.exec(text.slice(0, TITLE_WITHIN))?.[1] ?? ''
  return createSnapshot({ title, text, language: null, publishedOn: null, isCut: false })
}
