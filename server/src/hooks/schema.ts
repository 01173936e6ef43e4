// Request and reply schemas of outbound webhooks.
import { z } from 'zod'
import { line, pageQuery, text, timestamp } from '../platform/http/shapes.ts'
import { SUBSCRIBABLE_TYPES } from './event-types.ts'

export const EmptyBody = z.object({})
export const EndpointParams = z.object({ id: z.string().max(100) })
export const DeliveryParams = z.object({ id: z.string().max(100) })

const url = text(2_000).meta({
  description: 'An https address on the public internet.',
  examples: ['https://example.com/cowrie'],
})
const events = z
  .array(z.enum(SUBSCRIBABLE_TYPES))
  .min(1)
  .max(SUBSCRIBABLE_TYPES.length)
  .refine((types) => new Set(types).size === types.length, { error: 'must name each type once' })
  .nullable()
  .meta({ description: 'Null subscribes to all types, including future ones.' })
const description = line(200).nullable()

export const NewEndpointBody = z.object({
  url,
  events: events.optional(),
  description: description.optional(),
})

/** Omitted fields stay unchanged. */
export const EndpointEdit = z.object({
  url: url.optional(),
  events: events.optional(),
  description: description.optional(),
  enabled: z.boolean().optional(),
})

const Endpoint = z
  .object({
    id: z.string(),
    url: z.string(),
    events: z.array(z.string()).nullable(),
    description: z.string().nullable(),
    enabled: z.boolean(),
    disabledReason: z
      .enum(['gone', 'failing'])
      .nullable()
      .meta({ description: '`gone`: it replied 410. `failing`: it failed for five days.' }),
    failingSince: timestamp.nullable(),
    previousUntil: timestamp
      .nullable()
      .meta({ description: 'Until then events are also signed with the previous secret.' }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'WebhookEndpoint' })

export const EndpointReply = z.object({ endpoint: Endpoint })
export const EndpointList = z.object({ endpoints: z.array(Endpoint) })

const secret = z.string().meta({ description: 'The signing secret. Shown only once.', examples: ['whsec_…'] })
export const CreatedEndpoint = z.object({ endpoint: Endpoint, secret })
export const RotatedSecret = z.object({ secret, previousUntil: timestamp })

const Delivery = z
  .object({
    id: z.string(),
    endpointId: z.string(),
    eventId: z.string().meta({ description: 'The `webhook-id`, the same at every attempt and replay.' }),
    type: z.string(),
    status: z.enum(['pending', 'delivered', 'failed']),
    attempts: z.int(),
    lastStatus: z
      .int()
      .nullable()
      .meta({ description: 'The HTTP status of the last attempt; null without a reply.' }),
    lastError: z.string().nullable(),
    nextAttemptAt: timestamp.nullable(),
    createdAt: timestamp,
  })
  .meta({ id: 'WebhookDelivery' })

export const DeliveriesQuery = z.object({
  ...pageQuery(),
  status: z.enum(['pending', 'delivered', 'failed']).optional(),
})
export const DeliveriesPage = z.object({ deliveries: z.array(Delivery), nextCursor: z.string().nullable() })
export const DeliveryReply = z.object({ delivery: Delivery })

export const EventTypes = z.object({
  types: z.array(
    z.object({
      type: z.string(),
      description: z.string(),
      data: z.record(z.string(), z.unknown()).meta({ description: 'An example.' }),
    }),
  ),
})

export type NewEndpointBody = z.output<typeof NewEndpointBody>
export type EndpointEdit = z.output<typeof EndpointEdit>
export type DeliveriesQuery = z.output<typeof DeliveriesQuery>
