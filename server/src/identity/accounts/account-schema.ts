// Schemas of the caller's account, sessions and organisations.
import { z } from 'zod'
import { ORG_ROLES } from '../../platform/http/actor.ts'
import { line, text, timestamp } from '../../platform/http/shapes.ts'
import { LANGUAGE_CODES } from '../../platform/texts/language.ts'

export const SessionsListing = z.object({
  sessions: z.array(
    z.object({
      id: z.string(),
      createdAt: timestamp,
      lastSeenAt: timestamp.meta({ description: 'Updated at most every five minutes.' }),
      expiresAt: timestamp,
      ip: z.string(),
      userAgent: z.string(),
      method: z.string().meta({ description: 'The sign-in method.' }),
      current: z.boolean().meta({ description: 'Whether this is the session of the request.' }),
    }),
  ),
})

export const EndedSessions = z.object({ ok: z.literal(true), ended: z.int() })

export const AccountBody = z
  .object({
    name: line(100).optional(),
    language: z.enum(LANGUAGE_CODES).optional().meta({
      description: 'The language of mails to you. Replies of the API follow `Accept-Language`.',
    }),
  })
  .refine(({ name, language }) => name !== undefined || language !== undefined, {
    path: ['name'],
    error: 'is required, or language instead of it',
  })

export const OrgsListing = z.object({
  orgs: z.array(
    z.object({
      orgId: z.string(),
      name: z.string(),
      type: z.string(),
      role: z.enum(ORG_ROLES),
      active: z.boolean().meta({ description: 'Whether this is the active organisation of the session.' }),
      ssoRequired: z
        .boolean()
        .meta({ description: 'Whether members must sign in with its identity provider.' }),
      githubAllowed: z
        .boolean()
        .meta({ description: 'Whether sign-in with GitHub is allowed instead of single sign-on.' }),
    }),
  ),
})

export const SwitchOrgBody = z.object({ orgId: text(100) })

export const SwitchOrgReply = z.object({ ok: z.literal(true), orgId: z.string() })
