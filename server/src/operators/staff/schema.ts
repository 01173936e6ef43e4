// Request and reply schemas of staff administration.
import { z } from 'zod'
import { STAFF_TIERS } from '../../platform/http/actor.ts'
import { email, text, timestamp } from '../../platform/http/shapes.ts'
import { newPassword } from '../../sign-in/sign-in.ts'

const tier = z.enum(STAFF_TIERS)

const Operator = z
  .object({
    userId: z.string(),
    email: z.string(),
    role: tier,
    isSuperAdmin: z.boolean(),
    isRoot: z.boolean().meta({ description: 'The root administrator from the configuration.' }),
  })
  .meta({ id: 'Operator' })

const OperatorInvite = z
  .object({
    id: z.string(),
    email: z.string(),
    role: tier,
    expiresAt: timestamp,
    createdAt: timestamp,
    invitedByEmail: z.string().nullable(),
  })
  .meta({ id: 'OperatorInvite' })

export const StaffListing = z.object({ operators: z.array(Operator), invites: z.array(OperatorInvite) })

/** Any string, because an unknown tier has its own error code. */
const tierInput = z
  .string()
  .max(50)
  .meta({ description: `One of ${STAFF_TIERS.join(', ')}.`, examples: ['operator'] })

export const StaffBody = z.object({ email, role: tierInput.default('operator') })

export const GrantResult = z.object({ ok: z.literal(true), changed: z.boolean(), operator: Operator })

export const InviteResult = z.object({
  invite: OperatorInvite,
  devToken: z.string().optional().meta({ description: 'The mailed token. Never returned in production.' }),
})

export const RoleBody = z.object({ role: tierInput })

export const RoleChangeResult = z.object({
  ok: z.literal(true),
  changed: z.boolean(),
  userId: z.string(),
  role: tier,
  previousRole: tier,
})

export const AcceptInviteBody = z.object({
  token: text(200),
  password: newPassword
    .optional()
    .meta({ description: 'Required if the address has no verified account; ignored otherwise.' }),
})

export const AcceptInviteResult = z.object({ ok: z.literal(true), userId: z.string(), role: tier })
