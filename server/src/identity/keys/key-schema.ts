// Schemas of API keys.
import { z } from 'zod'
import { SCOPES } from '../../platform/http/actor.ts'
import { line, pageQuery, queryTime, timestamp } from '../../platform/http/shapes.ts'

export const KEY_DAYS_MAX = 366

export const KeysQuery = z.object(pageQuery())

const ApiKey = z
  .object({
    id: z.string(),
    name: z.string(),
    scopes: z.array(z.string()),
    prefix: z.string().meta({ description: 'The first characters of the key, to recognise it.' }),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable().meta({ description: 'Updated at most every minute.' }),
    expiresAt: timestamp.nullable(),
    createdBy: z.object({ userId: z.string(), email: z.string() }),
  })
  .meta({ id: 'ApiKey' })

export const KeysPage = z.object({ keys: z.array(ApiKey), nextCursor: z.string().nullable() })

export const NewKeyBody = z
  .object({
    name: line(100),
    scopes: z.array(z.enum(SCOPES)).max(20).optional().meta({ description: 'Default: none.' }),
    expiresInDays: z.int().min(1).max(KEY_DAYS_MAX).optional(),
    expiresAt: queryTime.optional(),
  })
  .refine((body) => body.expiresInDays === undefined || body.expiresAt === undefined, {
    path: ['expiresAt'],
    error: 'cannot be given together with expiresInDays',
  })

export const CreatedKey = z.object({
  id: z.string(),
  key: z.string().meta({ description: 'The key itself. It is shown only once.' }),
  prefix: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  expiresAt: timestamp.nullable(),
})
