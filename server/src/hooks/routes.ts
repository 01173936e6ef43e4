// Routes of outbound webhooks.
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
    summary: 'List the webhook event types, with an example of each.',
    access: 'any',
    rate,
    reply: { 200: EventTypes },
    handle: () => ({ types: EVENT_TYPES.map(({ data, ...rest }) => ({ ...rest, data: { ...data } })) }),
  }),

  route('hooks.endpoints.list', 'GET /webhook-endpoints', {
    summary: 'List the webhook endpoints of your organisation, oldest first.',
    access,
    rate,
    reply: { 200: EndpointList },
    handle: ({ app, actor }) => listEndpoints(app, actor),
  }),

  route('hooks.endpoints.create', 'POST /webhook-endpoints', {
    summary: 'Add a webhook endpoint that receives the events of your organisation.',
    detail:
      'Events are posted as JSON `{type, timestamp, data}` and signed according to Standard Webhooks (standardwebhooks.com): `webhook-id` is the event id, the same at every attempt and replay; `webhook-timestamp` is the time of the attempt in seconds; `webhook-signature` contains `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body` with the secret. Only this reply shows the secret. Any 2xx within 10 seconds counts as delivered; redirects are not followed. A failed delivery is retried, up to ten attempts within about three days. An endpoint that keeps failing, or takes more than 3 seconds to reply, receives events one at a time with pauses; events not delivered within 84 hours fail. Events can arrive more than once and out of order. An endpoint that replies 410, or fails for five days, is disabled. Limits: 10 endpoints per organisation; 120 changes, pings and replays per hour.',
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
    summary: 'Show one webhook endpoint.',
    access,
    rate,
    params: EndpointParams,
    reply: { 200: EndpointReply },
    handle: ({ app, actor, params }) => showEndpoint(app, actor, params.id),
  }),

  route('hooks.endpoints.change', 'PATCH /webhook-endpoints/{id}', {
    summary: 'Change or enable a webhook endpoint.',
    detail:
      'Pending events are sent to the new address. You can replay events that a disabled endpoint missed.',
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
    summary: 'Remove a webhook endpoint and stop all its deliveries.',
    access,
    rate,
    audit: true,
    params: EndpointParams,
    reply: { 200: ok },
    errors: ['too_many_attempts'],
    handle: ({ app, actor, params, request }) => removeEndpoint(app, actor, params.id, request.address),
  }),

  route('hooks.endpoints.rotateSecret', 'POST /webhook-endpoints/{id}/rotate-secret', {
    summary: 'Create a new signing secret. The old one stays valid for a day.',
    detail:
      'Until `previousUntil` each event has two signatures. Another rotation invalidates the oldest secret immediately.',
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
    summary: 'Send a `ping` to a webhook endpoint, even if it is disabled.',
    detail:
      'The ping is queued; read its delivery for the result. Limits: 60 pings and replays per minute; 120 per hour including endpoint changes.',
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
    summary: 'List deliveries to a webhook endpoint in the last thirty days, newest first.',
    access,
    rate,
    params: EndpointParams,
    query: DeliveriesQuery,
    reply: { 200: DeliveriesPage },
    handle: ({ app, actor, params, query }) => listDeliveries(app, actor, params.id, query),
  }),

  route('hooks.deliveries.replay', 'POST /webhook-deliveries/{id}/replay', {
    summary: 'Send the event of a delivery again, with the same `webhook-id`.',
    detail:
      'The replay is queued as a new delivery. Limits: 60 pings and replays per minute; 120 per hour including endpoint changes.',
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
