// The calls of tools in an answer: whether their arguments arrived whole.
import type { RawDelta } from '../../platform/inference/completion-chunk.ts'
import { malformed } from '../../platform/inference/completion-chunk.ts'
import { isCutShort } from '../../platform/inference/json-values.ts'

/** Endings after which an answer may well be cut in the middle of its arguments. */
const CUT = new Set(['length', 'content_filter', 'max_tokens', 'max_output_tokens'])

export class ToolCalls {
  readonly #given = new Map<string, string>()

  /** A piece of a stream, or a whole message. */
  add(delta: RawDelta | null | undefined): void {
    for (const [place, call] of (delta?.tool_calls ?? []).entries()) {
      const index = String(call.index ?? place)
      this.#given.set(index, (this.#given.get(index) ?? '') + (call.function?.arguments ?? ''))
    }
  }

  /** Throws when the answer ended by itself and left arguments unfinished: no client could read them. */
  requireWhole(finish: string | null): void {
    if (!CUT.has(finish ?? '')) for (const given of this.#given.values()) requireWholeArguments(given)
  }
}

export function requireWholeArguments(given: string): void {
  if (isCutShort(given)) throw malformed('a tool call whose arguments are cut')
}
