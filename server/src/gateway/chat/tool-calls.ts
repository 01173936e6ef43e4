// Checks that the arguments of tool calls are complete.

import { malformed } from '../../platform/inference/completion/completion-chunk.ts'
import type { RawDelta } from '../../platform/wires/openai/chat-chunk.ts'
import { isTruncatedJson } from '../../platform/wires/values.ts'

/** Finish reasons after which arguments may be incomplete. */
const CUT = new Set(['length', 'content_filter', 'max_tokens', 'max_output_tokens'])

export class ToolCalls {
  readonly #given = new Map<string, string>()

  /** Adds a delta of a stream or a complete message. */
  add(delta: RawDelta | null | undefined): void {
    for (const [place, call] of (delta?.tool_calls ?? []).entries()) {
      const index = String(call.index ?? place)
      this.#given.set(index, (this.#given.get(index) ?? '') + (call.function?.arguments ?? ''))
    }
  }

  /** Throws when a finished answer has incomplete arguments, which no client could parse. */
  requireWhole(finish: string | null): void {
    if (!CUT.has(finish ?? '')) for (const given of this.#given.values()) requireWholeArguments(given)
  }
}

export function requireWholeArguments(given: string): void {
  if (isTruncatedJson(given)) throw malformed('a tool call whose arguments are cut')
}
