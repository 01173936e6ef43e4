// The routes of stored responses. They are free of charge.
import { rawJson, route } from '../../platform/http/route.ts'
import { ResponseObject } from '../schema.ts'
import { DeletedResponse, InputItemList, InputItemsQuery, ResponseParams, ResponseQuery } from './schema.ts'
import { listInputItems, RETENTION_DAYS, readResponse, removeResponse } from './stored-responses.ts'

const OWNER = `Responses are stored with \`store: true\`, for ${RETENTION_DAYS} days. Only the user who created a response can read it, with any of their keys for the same organisation.`
const access = { scope: 'agent:run' } as const

export const storedResponseRoutes = [
  route('gateway.readResponse', 'GET /v1/responses/{id}', {
    summary: 'Read a stored response.',
    detail: `As it was sent, with its output and its usage. ${OWNER}`,
    access,
    rate: 'global',
    params: ResponseParams,
    query: ResponseQuery,
    reply: { 200: rawJson(ResponseObject, 'The response.') },
    handle: ({ app, actor, params }) => readResponse(app, actor, params.id),
  }),

  route('gateway.listInputItems', 'GET /v1/responses/{id}/input_items', {
    summary: 'List the input items of a stored response.',
    detail: `With those of the responses that it continues. Images that were fetched are \`data:\` URLs. ${OWNER}`,
    access,
    rate: 'global',
    params: ResponseParams,
    query: InputItemsQuery,
    reply: { 200: InputItemList },
    handle: ({ app, actor, params, query }) => listInputItems(app, actor, params.id, query),
  }),

  route('gateway.deleteResponse', 'DELETE /v1/responses/{id}', {
    summary: 'Delete a stored response.',
    detail: `Responses that continue it keep a copy of its items and stay. ${OWNER}`,
    access,
    rate: 'global',
    params: ResponseParams,
    reply: { 200: DeletedResponse },
    handle: ({ app, actor, params }) => removeResponse(app, actor, params.id),
  }),
]
