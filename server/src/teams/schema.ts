// Request and reply schemas of teams.
import { z } from 'zod'
import { isId, type OrgId } from '../kernel/ids.ts'
import { currencies } from '../kernel/money.ts'
import { ORG_ROLES } from '../platform/http/actor.ts'
import { email, line, major, minorOut, pageQuery, text, timestamp } from '../platform/http/shapes.ts'

const orgId = z.custom<OrgId>((value) => typeof value === 'string' && isId('org', value))

export const TeamParams = z.object({ orgId })
export const MemberParams = z.object({ orgId, userId: z.string() })

export const EmptyBody = z.object({})

const name = line(100)
// Invitations and edits cannot set the owner role. `teams.transfer` does.
const role = z.enum(['admin', 'member'])
const CAP = 'Spend per calendar month, in major units of the organisation’s currency.'

export const NewTeam = z.object({
  name,
  currency: z
    .enum(currencies)
    .optional()
    .meta({ description: 'Default: the currency of your organisation.' }),
})

export const TeamEdit = z.object({ name })

export const Team = z
  .object({
    orgId: z.string(),
    name: z.string(),
    type: z.enum(['individual', 'team']),
    role: z.enum(ORG_ROLES),
    currency: z.enum(currencies),
    seatAllotment: z.int(),
  })
  .meta({ id: 'Team' })

export const Member = z
  .object({
    userId: z.string(),
    email: z.string(),
    name: z.string().nullable(),
    role: z.enum(ORG_ROLES),
    seatCapMinor: minorOut.nullable().meta({ description: 'Spend per calendar month; null for no cap.' }),
    pending: z.boolean().meta({
      description: 'True until the member opens the team for the first time. Until then `name` is null.',
    }),
    joinedAt: timestamp,
  })
  .meta({ id: 'Member' })

export const MembersQuery = z.object(pageQuery())
export const MembersPage = z.object({ members: z.array(Member), nextCursor: z.string().nullable() })

export const NewMember = z.object({
  email,
  role,
  capNaira: major()
    .optional()
    .meta({ description: `${CAP} Omit it for no cap.` }),
})

export const MemberEdit = z.object({
  role: role.optional(),
  capNaira: major()
    .nullable()
    .optional()
    .meta({ description: `${CAP} Null removes the cap.` }),
})

export const LeaveLink = z.object({ token: text(1_000) })

export const Transfer = z.object({ userId: z.string().max(100) })

export const MemberChanged = z.object({ ok: z.literal(true), member: Member })

export const MemberInvited = MemberChanged.extend({
  mailed: z.boolean().meta({ description: 'False if an email limit was reached.' }),
})
