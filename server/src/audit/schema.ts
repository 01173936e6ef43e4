// Request and reply schemas of the audit log.
import { z } from 'zod'
import { orgIdQuery, pageQuery, queryTime, text, timestamp, words } from '../platform/http/shapes.ts'

const seq = z.bigint().meta({ wire: { type: 'integer', format: 'int64', minimum: 1, examples: [42] } })
const hash = z.string().meta({ description: 'SHA-256 in hexadecimal.' })
const scope = z.literal('all').optional().meta({ description: 'Every organisation; platform staff only.' })

export const AuditQuery = z.object({
  scope,
  orgId: orgIdQuery,
  action: text(100).optional().meta({
    description: 'An action such as settings.set, or a prefix such as settings.',
  }),
  actor: text(254).optional().meta({ description: 'A user id or an email address.' }),
  from: queryTime.optional(),
  to: queryTime.optional().meta({ description: 'Exclusive.' }),
  ...pageQuery(),
})

export const VerifyQuery = z.object({ scope, orgId: orgIdQuery, cursor: pageQuery().cursor })

export const AuditEntry = z.object({
  id: z.string(),
  orgId: z.string().nullable().meta({ description: 'Null for entries of the platform chain.' }),
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
  ok: z.boolean().meta({ description: 'Nothing checked is broken or unproven.' }),
  entries: z.int().meta({ description: 'Number of valid entries.' }),
  head: z
    .object({ seq, hash })
    .nullable()
    .meta({ description: 'The head of your chain. Store it to prove later that nothing was removed.' }),
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
        'The anchor of your chain outside the database, which the chain was compared with. Null until the end of the chain is reached.',
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
      'Valid chains whose anchor outside the database is lost or unreadable. The first 20 of this call.',
  }),
  nextCursor: z.string().nullable(),
})

export const AcceptBody = z.object({
  orgId: text(64).nullable().meta({ description: 'Null for the platform chain.' }),
  reason: words(500),
})
export const AcceptResult = z.object({ ok: z.literal(true), seq, hash })
