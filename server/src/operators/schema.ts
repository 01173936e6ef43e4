// Request and reply schemas of platform settings.
import { z } from 'zod'
import { timestamp } from '../platform/http/shapes.ts'

const value = z.union([z.boolean(), z.number(), z.string()])

export const PlatformSetting = z
  .object({
    key: z.string(),
    group: z.string(),
    label: z.string(),
    description: z.string(),
    type: z.enum(['boolean', 'number', 'enum', 'string']),
    options: z
      .array(z.object({ value: z.string(), label: z.string(), note: z.string() }))
      .readonly()
      .optional(),
    min: z.int().optional(),
    max: z.int().optional(),
    unit: z.enum(['minor', 'ms', 'mb', 'pct', 'count']).optional(),
    default: value,
    value: value.meta({ description: 'The effective value. A secret shows only its last four characters.' }),
    isDefault: z.boolean().meta({ description: 'True if no value is stored.' }),
    source: z.enum(['operator', 'env', 'default']),
    env: z.string().meta({ description: 'The environment variable that seeds it.' }),
    superAdminOnly: z.boolean(),
    secret: z.boolean().meta({
      description: 'Inputs should hide its value; only the last four characters are returned.',
    }),
    updatedAt: timestamp.nullable(),
    updatedByEmail: z.string().nullable(),
  })
  .meta({ id: 'PlatformSetting' })

const OrphanSetting = z.object({
  key: z.string(),
  value: z.unknown(),
  source: z.enum(['operator', 'env']),
  updatedAt: timestamp,
  updatedByEmail: z.string().nullable(),
})

export const SettingsListing = z.object({
  settings: z.array(PlatformSetting),
  orphans: z.array(OrphanSetting).meta({
    description: 'Stored keys that this build does not declare. They have no effect and can be cleared.',
  }),
  groups: z.array(z.object({ id: z.string(), label: z.string(), blurb: z.string() })).readonly(),
  canManageRestricted: z.boolean(),
})

export const SettingBody = z.object({ value: z.unknown() })

export const SettingChanged = z.object({
  ok: z.literal(true),
  setting: PlatformSetting.nullable().meta({
    description: 'Null after clearing a key that this build does not declare.',
  }),
  cleared: z
    .array(z.string())
    .meta({ description: 'Secrets that were cleared because their host setting changed.' }),
})
