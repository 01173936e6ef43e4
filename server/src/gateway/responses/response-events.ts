// Turns a complete response into the events of a stream.
import { toJson } from '../../kernel/json.ts'

type Fields = Record<string, unknown>
export type ResponseEvent = Fields & { readonly type: string; readonly sequence_number: number }

export const eventText = (event: ResponseEvent): string => `event: ${event.type}\ndata: ${toJson(event)}\n\n`

export function responseEvents(response: Fields & { output: readonly unknown[] }): string {
  const events: ResponseEvent[] = []
  const add = (type: string, fields: Fields) =>
    void events.push({ ...fields, type, sequence_number: events.length })
  const begun = { ...response, status: 'in_progress', output: [], usage: null }
  add('response.created', { response: begun })
  add('response.in_progress', { response: begun })
  for (const [index, item] of response.output.entries()) addItem(add, index, item as Fields)
  add(response.status === 'incomplete' ? 'response.incomplete' : 'response.completed', { response })
  return events.map(eventText).join('')
}

type Add = (type: string, fields: Fields) => void

function addItem(add: Add, output_index: number, item: Fields): void {
  const parts = Array.isArray(item.content) ? (item.content as Fields[]) : []
  const isCall = typeof item.arguments === 'string'
  const empty = { ...(parts.length > 0 && { content: [] }), ...(isCall && { arguments: '' }) }
  const place = { item_id: item.id, output_index }
  add('response.output_item.added', { output_index, item: { ...item, status: 'in_progress', ...empty } })
  for (const [content_index, part] of parts.entries()) addPart(add, { ...place, content_index }, part)
  if (isCall) {
    add('response.function_call_arguments.delta', { ...place, delta: item.arguments })
    add('response.function_call_arguments.done', { ...place, name: item.name, arguments: item.arguments })
  }
  add('response.output_item.done', { output_index, item })
}

function addPart(add: Add, place: Fields, part: Fields): void {
  const name = part.type === 'refusal' ? 'refusal' : 'text'
  const said = typeof part[name] === 'string' ? part[name] : ''
  const type = name === 'text' ? 'response.output_text' : 'response.refusal'
  const logprobs = name === 'text' && { logprobs: [] }
  add('response.content_part.added', { ...place, part: { ...part, [name]: '' } })
  if (said !== '') add(`${type}.delta`, { ...place, delta: said, ...logprobs })
  add(`${type}.done`, { ...place, [name]: said, ...logprobs })
  add('response.content_part.done', { ...place, part })
}
