// Schemas of the policy routes.
import { z } from 'zod'
import { isId, type OrgId } from '../../kernel/ids.ts'
import { modelPatterns, timestamp } from '../../platform/http/shapes.ts'

const tier = z.enum(['individual', 'team', 'enterprise'])
const isolation = z.enum(['shared', 'schema', 'dedicated'])
const lane = z.enum(['open', 'frontier'])

export const PolicyParams = z.object({
  orgId: z.custom<OrgId>((value) => typeof value === 'string' && isId('org', value)),
})

const GROUPS_MAX = 200
const GROUP_CHARACTERS_MAX = 200

/** Work runs on the open lane by default, so a policy without it could not be enforced. */
const allowedLanes = z
  .array(lane)
  .max(2)
  .refine((lanes) => new Set(lanes).size === lanes.length, { error: 'must name each lane once' })
  .refine((lanes) => lanes.includes('open'), {
    error: 'must contain open: work uses that lane whenever it cannot use the other',
  })

const isGroupRole = (role: unknown): boolean => role === 'admin' || role === 'member'
const groupRole = z
  .custom<'admin' | 'member'>(isGroupRole, {
    error: 'must be admin or member: only an owner can appoint owners',
  })
  .meta({ wire: { type: 'string', enum: ['admin', 'member'] } })

const groupRoleMap = z
  .record(z.string().min(1).max(GROUP_CHARACTERS_MAX), groupRole)
  .refine((map) => Object.keys(map).length <= GROUPS_MAX, { error: `must have at most ${GROUPS_MAX} groups` })
  .nullable()

const residencyRegion = z
  .string()
  .regex(/^[A-Za-z0-9-]{2,40}$/, { error: 'must be 2 to 40 letters, digits and hyphens, or null' })
  .nullable()

export const PolicyChange = z
  .object({
    orgId: z.string().max(100).optional().meta({ description: 'Optional. Must equal the id in the path.' }),
    tier: tier.optional().meta({
      description:
        'A tier that differs from the plan stays in force for every plan. The tier of the plan lets the plan decide again.',
    }),
    dataIsolation: isolation.optional().meta({ description: 'Cannot change to a weaker isolation.' }),
    residencyRegion: residencyRegion.optional(),
    allowedLanes: allowedLanes.optional().meta({ description: 'Must contain `open`.' }),
    allowedModels: modelPatterns.nullable().optional().meta({
      description: 'Model ids, or patterns that end in `*`. Null allows every model.',
    }),
    ssoRequired: z.boolean().optional(),
    groupRoleMap: groupRoleMap.optional().meta({
      description: 'Replaces the whole map. Applies from the next sign-in of each person.',
    }),
  })
  .meta({ examples: [{ tier: 'team', allowedLanes: ['open', 'frontier'], ssoRequired: false }] })
export type PolicyChange = z.output<typeof PolicyChange>

export const OrgPolicy = z
  .object({
    orgId: z.string(),
    tier,
    planTier: tier.meta({ description: 'The tier of the plan, or of the organisation type without a plan.' }),
    tierFrom: z
      .enum(['plan', 'policy'])
      .meta({ description: 'Whether the plan or the policy decides the tier.' }),
    dataIsolation: isolation.meta({
      description: 'The isolation of the content, or its target during a move.',
    }),
    isolationStatus: z.enum(['settled', 'moving']),
    residencyRegion: z.string().nullable(),
    allowedLanes: z.array(lane),
    allowedModels: z.array(z.string()).nullable().meta({ description: 'Null allows every model.' }),
    ssoRequired: z.boolean(),
    groupRoleMap: z.record(z.string(), z.string()).nullable(),
    updatedAt: timestamp.nullable().meta({ description: 'Null for an unchanged policy.' }),
  })
  .meta({ id: 'OrgPolicy' })

export const PolicyReply = z.object({ policy: OrgPolicy })

export const PolicyChangeReply = z.object({
  policy: OrgPolicy,
  warnings: z
    .array(z.string())
    .meta({ description: 'Possible mistakes in the new policy, one sentence each.' }),
})
