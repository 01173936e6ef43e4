// The shapes of the audit routes.
import { z } from 'zod'
import { orgIdQuery, pageQuery, queryTime, text, timestamp, words } from '../platform/http/shapes.ts'

const seq = z.bigint().meta({ wire: { type: 'integer', format: 'int64', minimum: 1, examples: [42] } })
const hash = z.string().meta({ description: 'SHA-256 in hexadecimal.' })
const scope = z.literal('all').optional().meta({ description: 'Every organisation; platform staff only.' })

export const AuditQuery = z.object({
  scope,
  orgId: orgIdQuery,
  action: text(100).optional().meta({
    description: 'An action such as settings.set, or the first words of several, such as settings.',
  }),
  actor: text(254).optional().meta({ description: 'A user id or an email address.' }),
  from: queryTime.optional(),
  to: queryTime.optional().meta({ description: 'Not included.' }),
  ...pageQuery(),
})

export const VerifyQuery = z.object({ scope, orgId: orgIdQuery, cursor: pageQuery().cursor })

export const AuditEntry = z.object({
  id: z.string(),
  orgId: z.string().nullable().meta({ description: 'Null on the chain of the platform itself.' }),
  actorUserId: z.string().nullable(),
  actorEmail: z.string().nullable(),
  actorKind: z.enum(['user', 'key', 'operator', 'system']),
  action: z.string(),
  target: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()),
  ip: z.string().nullable(),
  createdAt: timestamp,
  seq,
  hash,
  prevHash: hash,
})

export const AuditPage = z.object({ entries: z.array(AuditEntry), nextCursor: z.string().nullable() })

export const AuditVerdict = z.object({
  ok: z.boolean().meta({ description: 'Nothing that was checked is broken or unproven.' }),
  entries: z.int().meta({ description: 'How many entries were checked and found right.' }),
  head: z
    .object({ seq, hash })
    .nullable()
    .meta({ description: 'The end of the own chain; note it down to prove later that nothing was cut off.' }),
  anchor: z
    .object({
      state: z.enum(['none', 'kept', 'lost', 'unreadable']),
      seq: seq.nullable(),
      hash: hash.nullable(),
      at: timestamp.nullable(),
    })
    .nullable()
    .meta({
      description:
        'What was noted down outside the database about the end of the own chain, and compared with it. Null before the end is reached.',
    }),
  broken: z
    .object({
      seq,
      id: z.string().nullable(),
      reason: z.enum(['missing', 'edited', 'unexpected', 'rewritten']),
      orgId: z.string().nullable(),
    })
    .nullable(),
  unproven: z.array(z.object({ orgId: z.string().nullable(), state: z.enum(['lost', 'unreadable']) })).meta({
    description:
      'Chains that are right in themselves and have all the database remembers, but whose note outside the database is gone or cannot be read. The first 20 of this call.',
  }),
  nextCursor: z.string().nullable(),
})

export const AcceptBody = z.object({
  orgId: text(64).nullable().meta({ description: 'Null for the chain of the platform itself.' }),
  reason: words(500),
})
export const AcceptResult = z.object({ ok: z.literal(true), seq, hash })
