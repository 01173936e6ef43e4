// An organisation's policy on the wire.
import { z } from 'zod'
import { isId, type OrgId } from '../../kernel/ids.ts'
import { timestamp } from '../../platform/http/shapes.ts'

const tier = z.enum(['individual', 'team', 'enterprise'])
const isolation = z.enum(['shared', 'schema', 'dedicated'])
const lane = z.enum(['open', 'frontier'])

export const PolicyParams = z.object({
  orgId: z.custom<OrgId>((value) => typeof value === 'string' && isId('org', value)),
})

const GROUPS_MAX = 200
const GROUP_CHARACTERS_MAX = 200

/** Work runs on the open lane by default, whatever is wished: a policy without it would be one that nobody keeps. */
const allowedLanes = z
  .array(lane)
  .max(2)
  .refine((lanes) => new Set(lanes).size === lanes.length, { error: 'must name each lane once' })
  .refine((lanes) => lanes.includes('open'), {
    error: 'must contain open: work runs on that lane whenever it cannot run on the other',
  })

const isGroupRole = (role: unknown): boolean => role === 'admin' || role === 'member'
const groupRole = z
  .custom<'admin' | 'member'>(isGroupRole, {
    error: 'must be admin or member: an owner is made by another owner, never by a group',
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
    orgId: z.string().max(100).optional().meta({ description: 'If it is sent, the one of the path.' }),
    tier: tier.optional().meta({
      description:
        'Another than the plan gives stays whatever plan is bought. The one the plan gives hands the tier to the plan again.',
    }),
    dataIsolation: isolation.optional().meta({ description: 'Never back to a weaker one.' }),
    residencyRegion: residencyRegion.optional(),
    allowedLanes: allowedLanes.optional().meta({ description: 'Always with `open`.' }),
    ssoRequired: z.boolean().optional(),
    groupRoleMap: groupRoleMap.optional().meta({
      description: 'Takes the place of the whole map before it; counts from the next sign-in of each person.',
    }),
  })
  .meta({ examples: [{ tier: 'team', allowedLanes: ['open', 'frontier'], ssoRequired: false }] })
export type PolicyChange = z.output<typeof PolicyChange>

export const OrgPolicy = z
  .object({
    orgId: z.string(),
    tier,
    planTier: tier.meta({ description: 'What the plan gives, or the type without one.' }),
    tierFrom: z.enum(['plan', 'policy']).meta({ description: 'Who decides about the tier.' }),
    dataIsolation: isolation.meta({ description: 'Where the content is, or is on its way to.' }),
    isolationStatus: z.enum(['settled', 'moving']),
    residencyRegion: z.string().nullable(),
    allowedLanes: z.array(lane),
    ssoRequired: z.boolean(),
    groupRoleMap: z.record(z.string(), z.string()).nullable(),
    updatedAt: timestamp.nullable().meta({ description: 'Null for a policy that is as it began.' }),
  })
  .meta({ id: 'OrgPolicy' })

export const PolicyReply = z.object({ policy: OrgPolicy })

export const PolicyChangeReply = z.object({
  policy: OrgPolicy,
  warnings: z
    .array(z.string())
    .meta({ description: 'What may not be meant about the policy as it now is, a sentence each.' }),
})
