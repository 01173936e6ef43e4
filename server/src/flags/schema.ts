// Request and reply schemas of flags.
import { z } from 'zod'
import { line, pageQuery, timestamp } from '../platform/http/shapes.ts'

export const FlagsQuery = z.object(pageQuery())

const tiers = z.strictObject({
  individual: z.boolean().optional(),
  team: z.boolean().optional(),
  enterprise: z.boolean().optional(),
})

export const FlagEdit = z.object({
  defaultEnabled: z.boolean().optional(),
  description: line(500, 0).optional(),
  tierOverrides: tiers.optional().meta({ description: 'Replaces all tier overrides.' }),
})

export const Flag = z
  .object({
    key: z.string(),
    description: z.string(),
    defaultEnabled: z.boolean(),
    tierOverrides: tiers,
    orgOverrides: z
      .array(z.object({ orgId: z.string(), enabled: z.boolean() }))
      .meta({ description: 'The 100 newest overrides.' }),
    moreOrgOverrides: z.boolean().meta({
      description: 'Whether there are more overrides. `GET /admin/flags/{key}/orgs` lists all.',
    }),
    updatedAt: timestamp,
  })
  .meta({ id: 'Flag' })

const changed = z
  .boolean()
  .meta({ description: 'False when the value was already set; the audit log has no entry then.' })

export const FlagsPage = z.object({ flags: z.array(Flag), nextCursor: z.string().nullable() })
export const FlagSaved = z.object({ ok: z.literal(true), changed, flag: Flag })

export const OverridesPage = z.object({
  overrides: z.array(z.object({ orgId: z.string(), enabled: z.boolean(), updatedAt: timestamp })),
  nextCursor: z.string().nullable(),
})

export const OverrideBody = z.object({ enabled: z.boolean() })
export const OverrideSaved = z.object({
  ok: z.literal(true),
  changed,
  orgId: z.string(),
  key: z.string(),
  enabled: z.boolean().nullable().meta({ description: 'Null when cleared: the tier and the default apply.' }),
})

const evaluatedFields = {
  flags: z.record(z.string(), z.boolean()).meta({ description: 'Every flag by its key.' }),
  sources: z.array(
    z.object({
      key: z.string(),
      enabled: z.boolean(),
      source: z.enum(['org', 'tier', 'default']).meta({ description: 'The source of the value.' }),
    }),
  ),
}
export const OwnFlags = z.object(evaluatedFields)
export const OrgFlags = z.object({ orgId: z.string(), tier: z.string(), ...evaluatedFields })
