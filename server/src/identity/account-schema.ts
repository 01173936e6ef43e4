// The shapes of what people do with their own account: their name, sessions and organisations.
import { z } from 'zod'
import { ORG_ROLES } from '../platform/http/actor.ts'
import { line, text, timestamp } from '../platform/http/shapes.ts'

export const SessionsListing = z.object({
  sessions: z.array(
    z.object({
      id: z.string(),
      createdAt: timestamp,
      lastSeenAt: timestamp.meta({ description: 'Exact to five minutes.' }),
      expiresAt: timestamp,
      ip: z.string(),
      userAgent: z.string(),
      method: z.string().meta({ description: 'How they signed in.' }),
      current: z.boolean().meta({ description: 'This very session.' }),
    }),
  ),
})

export const EndedSessions = z.object({ ok: z.literal(true), ended: z.int() })

export const AccountBody = z.object({ name: line(100) })

export const OrgsListing = z.object({
  orgs: z.array(
    z.object({
      orgId: z.string(),
      name: z.string(),
      type: z.string(),
      role: z.enum(ORG_ROLES),
      active: z.boolean().meta({ description: 'The one that calls are about now.' }),
      ssoRequired: z.boolean().meta({ description: 'It opens only to who signs in with its provider.' }),
    }),
  ),
})

export const SwitchOrgBody = z.object({ orgId: text(100) })

export const SwitchOrgReply = z.object({ ok: z.literal(true), orgId: z.string() })
