// Outbound webhooks: the endpoints of our own that manage theirs.
import { route } from '../platform/http/route.ts'
import { ok } from '../platform/http/shapes.ts'
import { listDeliveries, replayDelivery, testEndpoint } from './deliveries/deliveries.ts'
import {
  changeEndpoint,
  createEndpoint,
  listEndpoints,
  removeEndpoint,
  rotateSecret,
  showEndpoint,
} from './endpoints/endpoints.ts'
import { EVENT_TYPES } from './event-types.ts'
import {
  CreatedEndpoint,
  DeliveriesPage,
  DeliveriesQuery,
  DeliveryParams,
  DeliveryReply,
  EmptyBody,
  EndpointEdit,
  EndpointList,
  EndpointParams,
  EndpointReply,
  EventTypes,
  NewEndpointBody,
  RotatedSecret,
} from './schema.ts'

const access = { role: 'admin' } as const
const rate = 'global'

export const hookRoutes = [
  route('hooks.eventTypes', 'GET /webhook-event-types', {
    summary: 'What webhook endpoints can be told of, with an example of each.',
    access: 'any',
    rate,
    reply: { 200: EventTypes },
    handle: () => ({ types: EVENT_TYPES.map(({ data, ...rest }) => ({ ...rest, data: { ...data } })) }),
  }),

  route('hooks.endpoints.list', 'GET /webhook-endpoints', {
    summary: 'The webhook endpoints of your organisation, oldest first.',
    access,
    rate,
    reply: { 200: EndpointList },
    handle: ({ app, actor }) => listEndpoints(app, actor),
  }),

  route('hooks.endpoints.create', 'POST /webhook-endpoints', {
    summary: 'Have the events of your organisation sent to an address.',
    detail:
      'Events are posted as JSON `{type, timestamp, data}` and signed as Standard Webhooks (standardwebhooks.com) has it: `webhook-id` is the event, the same at every attempt and replay; `webhook-timestamp` the attempt in seconds; `webhook-signature` holds `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body` under the secret, which is in this answer and never shown again. Any 2xx within 10 seconds is a delivery; redirects are not followed. Failed attempts are repeated, ten in all within about three days; to an endpoint that keeps failing, or takes more than 3 seconds to answer, events go one at a time and with pauses, and those it had no turn for within 84 hours have failed. An event can come more than once and out of order. An endpoint that answers 410, or fails for five days, is disabled. An organisation has at most 10. Changes, pings and replays together are at most 120 an hour.',
    access,
    rate,
    audit: true,
    body: NewEndpointBody,
    carriesSecret: true,
    reply: { 201: CreatedEndpoint },
    errors: ['limit_reached', 'too_many_attempts'],
    handle: ({ app, actor, body, request }) => createEndpoint(app, actor, body, request.address),
  }),

  route('hooks.endpoints.get', 'GET /webhook-endpoints/{id}', {
    summary: 'One webhook endpoint.',
    access,
    rate,
    params: EndpointParams,
    reply: { 200: EndpointReply },
    handle: ({ app, actor, params }) => showEndpoint(app, actor, params.id),
  }),

  route('hooks.endpoints.change', 'PATCH /webhook-endpoints/{id}', {
    summary: 'Change a webhook endpoint, or enable one that was disabled.',
    detail: 'What waits to be sent goes to the new address. What a disabled endpoint missed can be replayed.',
    access,
    rate,
    audit: true,
    params: EndpointParams,
    body: EndpointEdit,
    reply: { 200: EndpointReply },
    errors: ['too_many_attempts'],
    handle: ({ app, actor, params, body, request }) =>
      changeEndpoint(app, actor, params.id, body, request.address),
  }),

  route('hooks.endpoints.remove', 'DELETE /webhook-endpoints/{id}', {
    summary: 'Remove a webhook endpoint; nothing is sent to it any more.',
    access,
    rate,
    audit: true,
    params: EndpointParams,
    reply: { 200: ok },
    errors: ['too_many_attempts'],
    handle: ({ app, actor, params, request }) => removeEndpoint(app, actor, params.id, request.address),
  }),

  route('hooks.endpoints.rotateSecret', 'POST /webhook-endpoints/{id}/rotate-secret', {
    summary: 'Make a new secret; the old one signs beside it for a day.',
    detail:
      'Until `previousUntil` each event has two signatures. Rotating again ends the oldest secret at once.',
    access,
    rate,
    audit: true,
    params: EndpointParams,
    body: EmptyBody,
    carriesSecret: true,
    reply: { 200: RotatedSecret },
    errors: ['too_many_attempts'],
    handle: ({ app, actor, params, request }) => rotateSecret(app, actor, params.id, request.address),
  }),

  route('hooks.endpoints.test', 'POST /webhook-endpoints/{id}/test', {
    summary: 'Send a `ping` to a webhook endpoint, also to a disabled one.',
    detail:
      'It is queued; its delivery says how it went. At most 60 pings and replays a minute, and 120 an hour with all changes of endpoints.',
    access,
    rate,
    audit: true,
    params: EndpointParams,
    body: EmptyBody,
    reply: { 202: DeliveryReply },
    errors: ['too_many_attempts'],
    handle: ({ app, actor, params, request }) => testEndpoint(app, actor, params.id, request.address),
  }),

  route('hooks.deliveries.list', 'GET /webhook-endpoints/{id}/deliveries', {
    summary: 'What was sent to a webhook endpoint in the last thirty days, newest first.',
    access,
    rate,
    params: EndpointParams,
    query: DeliveriesQuery,
    reply: { 200: DeliveriesPage },
    handle: ({ app, actor, params, query }) => listDeliveries(app, actor, params.id, query),
  }),

  route('hooks.deliveries.replay', 'POST /webhook-deliveries/{id}/replay', {
    summary: 'Send the event of a delivery once more, under the same `webhook-id`.',
    detail:
      'It is queued as a delivery of its own. At most 60 pings and replays a minute, and 120 an hour with all changes of endpoints.',
    access,
    rate,
    audit: true,
    params: DeliveryParams,
    body: EmptyBody,
    reply: { 200: DeliveryReply },
    errors: ['endpoint_disabled', 'too_many_attempts'],
    handle: ({ app, actor, params, request }) => replayDelivery(app, actor, params.id, request.address),
  }),
]
