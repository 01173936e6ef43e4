// Builds a Responses API answer from chat completion deltas: the stream events and the complete response.
import { newId } from '../../kernel/ids.ts'
import type { Cost } from '../../metering/metering.ts'
import type { ResponsesRequest } from '../schema.ts'
import type { CountedUsage } from '../upstream/usage-count.ts'

type Fields = Record<string, unknown>
export type ResponseEvent = Fields & { type: string; sequence_number: number }
export type Delta = {
  content?: unknown
  refusal?: unknown
  tool_calls?: readonly CallDelta[]
}
type CallDelta = { index?: number; id?: string; function?: { name?: string; arguments?: string } }

/** An output item in progress: text, a refusal or a tool call. */
type Open = { readonly kind: 'text' | 'refusal' | 'call'; readonly index: number; item: Fields; text: string }

export class ResponseWriter {
  readonly #asked: ResponsesRequest
  readonly #base: Fields
  readonly #output: Fields[] = []
  readonly #calls = new Map<number, Open>()
  #open: Open | null = null
  #sequence = 0
  #text = ''
  #events: ResponseEvent[] = []

  constructor(asked: ResponsesRequest, { model, createdAt }: { model: string; createdAt: number }) {
    this.#asked = asked
    this.#base = baseOf(asked, model, createdAt)
  }

  /** The complete output text, for counting tokens. */
  get text(): string {
    return this.#text
  }

  begin(): ResponseEvent[] {
    this.#say('response.created', { response: this.#response('in_progress', null) })
    this.#say('response.in_progress', { response: this.#response('in_progress', null) })
    return this.#said()
  }

  /** Applies a delta and returns its events. */
  take({ content, refusal, tool_calls: calls }: Delta): ResponseEvent[] {
    if (typeof content === 'string' && content !== '') this.#addText('text', content)
    if (typeof refusal === 'string' && refusal !== '') this.#addText('refusal', refusal)
    for (const call of calls ?? []) this.#addCall(call)
    return this.#said()
  }

  /** Closes the open items. The last event follows after the settlement. */
  close(): ResponseEvent[] {
    this.#closeText()
    for (const call of this.#calls.values()) this.#closeCall(call)
    this.#calls.clear()
    return this.#said()
  }

  /** The complete response, after `close`. */
  whole(finish: string, usage: Fields): Fields {
    const isIncomplete = finish === 'length' || finish === 'content_filter'
    return this.#response(isIncomplete ? 'incomplete' : 'completed', usage, finish)
  }

  /** The last event. It has no side effects, because a settlement may be repeated. */
  last(finish: string, usage: Fields): ResponseEvent {
    const response = this.whole(finish, usage)
    return { response, type: `response.${String(response.status)}`, sequence_number: this.#sequence }
  }

  failed({ code, message }: { code: string; message: string }): ResponseEvent[] {
    const response = { ...this.#response('failed', null), error: { code, message } }
    this.#say('response.failed', { response })
    return this.#said()
  }

  #addText(kind: 'text' | 'refusal', delta: string): void {
    if (this.#open?.kind !== kind) {
      this.#closeText()
      this.#openText(kind)
    }
    const open = this.#open
    if (!open) return
    open.text += delta
    this.#text += delta
    const type = kind === 'text' ? 'output_text' : 'refusal'
    this.#say(`response.${type}.delta`, { ...placeOf(open), delta, ...(kind === 'text' && { logprobs: [] }) })
  }

  #openText(kind: 'text' | 'refusal'): void {
    const item = { id: newId('msg'), type: 'message', status: 'in_progress', role: 'assistant', content: [] }
    const open = this.#add(kind, item)
    this.#open = open
    this.#say('response.content_part.added', { ...placeOf(open), part: partOf(kind, '') })
  }

  #closeText(): void {
    const open = this.#open
    if (!open) return
    this.#open = null
    const part = partOf(open.kind, open.text)
    const done =
      open.kind === 'text'
        ? { type: 'response.output_text.done', text: open.text, logprobs: [] }
        : { type: 'response.refusal.done', refusal: open.text }
    this.#say(done.type, { ...placeOf(open), ...done })
    this.#say('response.content_part.done', { ...placeOf(open), part })
    this.#done(open, { content: [part] })
  }

  #addCall({ index = 0, id, function: called }: CallDelta): void {
    const known = this.#calls.get(index)
    const open = known ?? this.#openCall(index, id, called?.name)
    if (!called?.arguments) return
    open.text += called.arguments
    this.#text += called.arguments
    const { item_id, output_index } = placeOf(open)
    this.#say('response.function_call_arguments.delta', { item_id, output_index, delta: called.arguments })
  }

  #openCall(index: number, id: string | undefined, name: string | undefined): Open {
    this.#closeText()
    const open = this.#add('call', {
      id: newId('fc'),
      type: 'function_call',
      status: 'in_progress',
      call_id: id ?? newId('call'),
      name: name ?? '',
      arguments: '',
    })
    this.#calls.set(index, open)
    this.#text += open.item.name
    return open
  }

  #closeCall(open: Open): void {
    const { item_id, output_index } = placeOf(open)
    const { name } = open.item
    this.#say('response.function_call_arguments.done', { item_id, output_index, name, arguments: open.text })
    this.#done(open, { arguments: open.text })
  }

  #add(kind: Open['kind'], item: Fields): Open {
    const open = { kind, index: this.#output.length, item, text: '' }
    this.#output.push(item)
    this.#say('response.output_item.added', { output_index: open.index, item })
    return open
  }

  #done(open: Open, fields: Fields): void {
    const item = { ...open.item, status: 'completed', ...fields }
    this.#output[open.index] = item
    this.#say('response.output_item.done', { output_index: open.index, item })
  }

  #response(status: string, usage: Fields | null, finish?: string): Fields {
    const reason = finish === 'content_filter' ? 'content_filter' : 'max_output_tokens'
    return {
      ...this.#base,
      status,
      incomplete_details: status === 'incomplete' ? { reason } : null,
      output: [...this.#output],
      usage,
      max_output_tokens: this.#asked.max_output_tokens ?? null,
    }
  }

  #say(type: string, fields: Fields): void {
    this.#events.push({ ...fields, type, sequence_number: this.#sequence++ })
  }

  #said(): ResponseEvent[] {
    const said = this.#events
    this.#events = []
    return said
  }
}

export const eventText = (event: ResponseEvent): string =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`

const placeOf = ({ item, index }: Open) => ({ item_id: item.id, output_index: index, content_index: 0 })

const partOf = (kind: Open['kind'], text: string): Fields =>
  kind === 'refusal'
    ? { type: 'refusal', refusal: text }
    : { type: 'output_text', text, annotations: [], logprobs: [] }

/** The fields that every event repeats, as OpenAI does. */
function baseOf(asked: ResponsesRequest, model: string, createdAt: number): Fields {
  return {
    id: newId('resp'),
    object: 'response',
    created_at: createdAt,
    error: null,
    background: false,
    instructions: asked.instructions ?? null,
    metadata: asked.metadata ?? {},
    model,
    parallel_tool_calls: asked.parallel_tool_calls ?? true,
    previous_response_id: null,
    reasoning: asked.reasoning ?? { effort: null, summary: null },
    store: false,
    temperature: asked.temperature ?? 1,
    text: asked.text ?? { format: { type: 'text' } },
    tool_choice: asked.tool_choice ?? 'auto',
    tools: asked.tools ?? [],
    top_p: asked.top_p ?? 1,
    truncation: 'disabled',
  }
}

/** Usage and cost in the format of the Responses API. */
export function responseUsage(used: CountedUsage | null, { costMinor, balanceMinor }: Cost) {
  const { promptTokens = 0, outputTokens = 0, cachedTokens = 0, reasoningTokens = 0 } = used ?? {}
  return {
    input_tokens: promptTokens,
    input_tokens_details: { cached_tokens: cachedTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: promptTokens + outputTokens,
    cost_minor: costMinor,
    balance_minor: balanceMinor,
  }
}
