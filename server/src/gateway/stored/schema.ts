// The shapes of stored responses, as OpenAI has them.
import { z } from 'zod'
import { records } from '../schema.ts'

export const ResponseParams = z.object({ id: z.string().min(1).max(200) })

/** A stored response is complete, so there is nothing to stream. */
export const ResponseQuery = z.object({
  stream: z
    .string()
    .refine((stream) => stream === 'false', { error: 'must be omitted: a stored response is read whole' })
    .optional(),
})

export const InputItemsQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20).meta({ description: 'The items of a page.' }),
  order: z.enum(['asc', 'desc']).default('desc'),
  after: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'The id of the last item of the page before.' }),
})
export type InputItemsQuery = z.output<typeof InputItemsQuery>

export const InputItemList = z.object({
  object: z.literal('list'),
  data: records(0),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
  has_more: z.boolean(),
})

export const DeletedResponse = z.object({
  id: z.string(),
  object: z.literal('response'),
  deleted: z.literal(true),
})
