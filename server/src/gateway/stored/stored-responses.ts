// Reads, lists and deletes stored responses, and loads one to continue it. Only its owner sees a response; others get 404.
import { before } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { ResponsesRequest } from '../schema.ts'
import type { InputItemsQuery } from './schema.ts'
import { deleteResponse, findResponse, type StoredResponse } from './stored-responses-sql.ts'

type Fields = Record<string, unknown>

export const RETENTION_DAYS = 30

/** The response as it was sent, as JSON. */
export async function readResponse(app: App, actor: Actor, id: string): Promise<string> {
  return (await getResponse(app, actor, id)).response
}

export async function listInputItems(
  app: App,
  actor: Actor,
  id: string,
  { after, limit, order }: InputItemsQuery,
) {
  const { input } = await getResponse(app, actor, id)
  const items = (JSON.parse(input) as Fields[]).map((item, at) => ({ id: itemId(id, item, at), ...item }))
  if (order === 'desc') items.reverse()
  const start = after === undefined ? 0 : items.findIndex((item) => item.id === after) + 1
  if (after !== undefined && start === 0) throw new ApiError('not_found')
  const data = items.slice(start, start + limit)
  return {
    object: 'list' as const,
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: items.length > start + limit,
  }
}

export async function removeResponse(app: App, actor: Actor, id: string) {
  const isDeleted = isId('resp', id) && (await app.db.tx(actor.orgId, (tx) => deleteResponse(tx, actor, id)))
  if (!isDeleted) throw notFound(id)
  return { id, object: 'response' as const, deleted: true as const }
}

export type ContinuedRequest = {
  readonly request: ResponsesRequest
  /** The bytes that the stored items add to the prompt. */
  readonly earlierBytes: number
}

/** The request with the items of the response that it continues before its own. Instructions are not inherited. */
export async function withEarlierItems(
  app: App,
  actor: Actor,
  asked: ResponsesRequest,
): Promise<ContinuedRequest> {
  const { previous_response_id: id } = asked
  if (typeof id !== 'string') return { request: asked, earlierBytes: 0 }
  const stored = await findStored(app, actor, id)
  if (!stored) throw previousNotFound(id)
  const { output } = JSON.parse(stored.response) as { output: Fields[] }
  const input = [...(JSON.parse(stored.input) as Fields[]), ...output, ...itemsOf(asked.input)]
  return { request: { ...asked, input }, earlierBytes: stored.input.length + stored.response.length }
}

/** A text is one message of the user. */
export const itemsOf = (input: ResponsesRequest['input']): Fields[] =>
  typeof input === 'string'
    ? [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: input }] }]
    : input

/** Rows that the cleanup has not deleted yet are expired too. */
async function findStored(app: App, actor: Actor, id: string): Promise<StoredResponse | undefined> {
  if (!isId('resp', id)) return undefined
  return app.db.tx(actor.orgId, (tx) => findResponse(tx, actor, id, before(tx.now, { days: RETENTION_DAYS })))
}

async function getResponse(app: App, actor: Actor, id: string): Promise<StoredResponse> {
  const stored = await findStored(app, actor, id)
  if (!stored) throw notFound(id)
  return stored
}

const KEPT = `Responses are stored only with \`store: true\`, for ${RETENTION_DAYS} days, and only their owner can read them.`
const notFound = (id: string): ApiError =>
  new ApiError('not_found', { error: `The response ${printable(id)} does not exist. ${KEPT}` })
const previousNotFound = (id: string): ApiError =>
  new ApiError('previous_response_not_found', {
    error: `The previous response ${printable(id)} does not exist. ${KEPT} Send \`store: true\`, or the whole conversation.`,
    param: 'previous_response_id',
  })
const printable = (id: string): string => JSON.stringify(id.slice(0, 100))

const PREFIXES: Readonly<Record<string, string>> = {
  message: 'msg',
  reasoning: 'rs',
  function_call: 'fc',
  function_call_output: 'fco',
  custom_tool_call: 'ctc',
  custom_tool_call_output: 'ctco',
}

/** Items that the caller sent without an id get one by their place. */
const itemId = (response: string, { id, type = 'message' }: Fields, at: number): string =>
  typeof id === 'string' && id !== ''
    ? id
    : `${PREFIXES[String(type)] ?? 'item'}_${response.replace(/^resp_/, '')}_in_${at}`
