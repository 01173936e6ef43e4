// Most chunks of a stream differ only in their text. A chunk that equals a validated one except for its text is not parsed.
import type { RawChunk } from '../../platform/wires/openai/chat-chunk.ts'

type Frame = { readonly before: string; readonly behind: string }

const CONTENT = '"content":"'
export class RepeatedChunk {
  #frame: Frame | null = null

  /** The text of a chunk that otherwise equals the learned one; null for any other. */
  textIn(data: string): string | null {
    const frame = this.#frame
    if (!frame) return null
    const { before, behind } = frame
    const end = data.length - behind.length
    // Comparing slices is faster than `startsWith`, which compares characters.
    if (end < before.length || data.slice(0, before.length) !== before || data.slice(end) !== behind)
      return null
    const text = data.slice(before.length, end)
    return isPlain(text) ? text : null
  }

  /** Learns from a validated chunk that has only text. */
  learn(data: string, chunk: RawChunk): void {
    const [choice, ...others] = chunk.choices ?? []
    const { content, ...rest } = choice?.delta ?? {}
    const isTextAlone = typeof content === 'string' && Object.keys(rest).length === 0 && others.length === 0
    if (!isTextAlone || choice?.finish_reason || chunk.usage || chunk.x_groq) return
    const written = JSON.stringify(content)
    const start = data.indexOf(CONTENT + written.slice(1))
    if (start === -1) return
    const before = data.slice(0, start + CONTENT.length)
    const behind = data.slice(before.length + written.length - 2)
    if (isFrame(before, behind)) this.#frame = { before, behind }
  }
}

/** Whether the text between is the content of the answer and not another field. */
function isFrame(before: string, behind: string): boolean {
  const probe = 'probe'
  const chunk = JSON.parse(before + probe + behind) as RawChunk
  return chunk.choices?.[0]?.delta?.content === probe
}

const FIRST_PRINTABLE = 0x20
const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Whether no character ends the string, begins an escape or is forbidden in JSON. */
function isPlain(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < FIRST_PRINTABLE || code === QUOTE || code === BACKSLASH) return false
  }
  return true
}
