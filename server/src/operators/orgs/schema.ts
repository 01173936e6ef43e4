// Request and reply schemas of organisation administration.
import { z } from 'zod'
import { isId, type OrgId } from '../../kernel/ids.ts'
import { ORG_ROLES } from '../../platform/http/actor.ts'
import { line, minorOut, pageQuery, queryFlag, text, timestamp } from '../../platform/http/shapes.ts'

const tier = z.enum(['individual', 'team', 'enterprise'])
const kycStatus = z.enum(['unsubmitted', 'pending', 'verified', 'rejected'])

export const AdminOrg = z
  .object({
    orgId: z.string(),
    name: z.string(),
    type: z.enum(['individual', 'team']),
    tier,
    subscriptionStatus: z
      .enum(['active', 'past_due', 'canceled', 'incomplete', 'none'])
      .meta({ description: '`none` for an organisation that has never subscribed.' }),
    kycStatus,
    members: z.int(),
    suspended: z.boolean(),
    suspendedAt: timestamp.nullable(),
    suspendedReason: z.string().nullable(),
    suspendedByEmail: z.string().nullable().meta({ description: 'The staff member who suspended it.' }),
    closed: z.boolean(),
    closedAt: timestamp.nullable(),
    plan: z.string().nullable(),
    residencyRegion: z.string().nullable(),
    dataIsolation: z
      .enum(['shared', 'schema', 'dedicated'])
      .meta({ description: 'Where its content is stored, or is being moved to.' }),
    currency: z.string(),
    balanceMinor: minorOut,
    heldMinor: minorOut,
    createdAt: timestamp,
  })
  .meta({ id: 'AdminOrg' })

export const OrgsQuery = z.object({
  q: line(254).optional().meta({
    description:
      'A part of the name, the id, or the start of the email address of a member. Case-insensitive.',
  }),
  suspended: queryFlag.optional(),
  tier: tier.optional(),
  kyc: kycStatus.optional(),
  closed: queryFlag.default(false).meta({ description: 'True lists only closed organisations.' }),
  ...pageQuery(),
})

export const OrgsPage = z.object({ orgs: z.array(AdminOrg), nextCursor: z.string().nullable() })

export const OrgParams = z.object({
  id: z.custom<OrgId>((value) => typeof value === 'string' && isId('org', value)),
})

export const OrgDetail = z.object({
  org: AdminOrg,
  wallet: z.object({
    balanceMinor: minorOut,
    heldMinor: minorOut,
    availableMinor: minorOut,
    includedRemainingMinor: minorOut,
    currency: z.string(),
  }),
  members: z
    .array(z.object({ userId: z.string(), email: z.string(), role: z.enum(ORG_ROLES), joinedAt: timestamp }))
    .meta({ description: 'Owners first, then admins; at most 200.' }),
  staffActions: z
    .array(
      z.object({
        id: z.string(),
        action: z.string(),
        target: z.string().nullable(),
        actorEmail: z.string().nullable(),
        metadata: z.record(z.string(), z.unknown()),
        createdAt: timestamp,
      }),
    )
    .meta({ description: 'The last 20 staff actions on this organisation, newest first.' }),
})

export const Suspension = z.object({
  reason: text(500, 0).optional().meta({ description: 'Included in the email to owners and admins.' }),
})

export const EmptyBody = z.object({})

export const SuspensionResult = z.object({
  ok: z.literal(true),
  orgId: z.string(),
  suspended: z.boolean(),
  changed: z.boolean().meta({ description: 'False if it already had this state.' }),
})
