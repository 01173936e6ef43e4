// What one event of a streamed completion says, or a whole completion: in the words of all who call themselves compatible.
import { type ReportedUsage, readUsage } from './usage.ts'

export type CompletionChunk = {
  readonly text: string
  /** Thoughts that are not part of the answer. */
  readonly reasoning: string
  readonly callsTools: boolean
  readonly finish: string | null
  readonly model: string | undefined
  readonly usage: ReportedUsage | undefined
  /** Something was said about usage, whether it can be read or not. */
  readonly mentionsUsage: boolean
}

export type ChunkRead =
  | { readonly kind: 'chunk'; readonly chunk: CompletionChunk }
  | { readonly kind: 'done' }
  /** The upstream says that it failed; `isBusy`: in a way that may pass. */
  | { readonly kind: 'error'; readonly isBusy: boolean }
  | { readonly kind: 'junk' }

const MODEL_CHARACTERS_MAX = 128

export function readChunk(data: string): ChunkRead {
  if (data.trim() === '[DONE]') return { kind: 'done' }
  const event = parse(data)
  if (!isRecord(event)) return { kind: 'junk' }
  if (event.error) return { kind: 'error', isBusy: isBusy(event.error) }
  const hasUsage = event.usage !== undefined && event.usage !== null
  if (!Array.isArray(event.choices) && !hasUsage) return { kind: 'junk' }
  const [choice] = Array.isArray(event.choices) ? event.choices : []
  return { kind: 'chunk', chunk: chunkOf(event, isRecord(choice) ? choice : {}, hasUsage) }
}

type Fields = Record<string, unknown>

function chunkOf(event: Fields, choice: Fields, mentionsUsage: boolean): CompletionChunk {
  const said = isRecord(choice.delta) ? choice.delta : isRecord(choice.message) ? choice.message : choice
  const model = typeof event.model === 'string' ? event.model : ''
  return {
    text: textOf(said.content ?? said.text),
    reasoning: textOf(said.reasoning_content ?? said.reasoning),
    callsTools:
      (Array.isArray(said.tool_calls) && said.tool_calls.length > 0) || isRecord(said.function_call),
    finish: typeof choice.finish_reason === 'string' ? choice.finish_reason : null,
    model: model !== '' && model.length <= MODEL_CHARACTERS_MAX ? model : undefined,
    usage: readUsage(event),
    mentionsUsage,
  }
}

/** A string, or parts of which some are text. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part) => (isRecord(part) && typeof part.text === 'string' ? part.text : '')).join('')
}

function isBusy(error: unknown): boolean {
  const { code, status, type } = isRecord(error) ? error : {}
  const number = Number(code ?? status)
  if (number >= 400) return number === 408 || number === 429 || number >= 500
  return /rate_limit|overloaded|unavailable|timeout|server_error/.test(`${code} ${type}`)
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return undefined
  }
}

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
