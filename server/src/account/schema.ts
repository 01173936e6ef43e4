// Reply schemas of the account route.
import { z } from 'zod'
import { currencies } from '../kernel/money.ts'
import { ORG_ROLES, STAFF_TIERS } from '../platform/http/actor.ts'
import { minorOut, timestamp } from '../platform/http/shapes.ts'
import { LANGUAGE_CODES } from '../platform/texts/language.ts'
import { PendingEmail } from '../sign-in/sign-in.ts'

export const Currency = z
  .object({
    code: z.enum(currencies),
    symbol: z.string(),
    minorUnit: z.int(),
    minorName: z.string(),
  })
  .meta({ id: 'Currency' })

export const Me = z
  .object({
    userId: z.string(),
    orgId: z.string(),
    email: z.string(),
    pendingEmail: PendingEmail.nullable().meta({
      description: 'The new address that waits for its confirmation. Null without one, and for API keys.',
    }),
    language: z
      .enum(LANGUAGE_CODES)
      .nullable()
      .meta({ description: 'The language of mails to you. Null: English.' }),
    role: z.enum(ORG_ROLES),
    scopes: z.array(z.string()),
    isPlatformAdmin: z.boolean(),
    isSuperAdmin: z.boolean(),
    staffRole: z.enum(STAFF_TIERS).nullable(),
    staffFactorRequired: z.boolean().meta({
      description: 'Staff calls are refused until this session shows a second factor: POST /auth/step-up.',
    }),
    currency: Currency,
    balanceMinor: minorOut,
    heldMinor: minorOut,
    availableMinor: minorOut,
    trialMinor: minorOut.meta({ description: 'The part of the balance that is trial credit.' }),
    trialExpiresAt: timestamp.nullable(),
    mfaEnabled: z.boolean(),
    plan: z.string().nullable(),
    subscriptionStatus: z.string().nullable(),
    includedRemainingMinor: minorOut,
    orgName: z.string(),
    orgType: z.string(),
    orgSuspended: z.boolean(),
    kycStatus: z.string(),
    cap: z.object({ capMinor: minorOut, leftMinor: minorOut }).nullable().meta({
      description:
        'Your spending cap for this calendar month in UTC, and the remaining amount. Null without a cap.',
    }),
    orgPolicy: z
      .object({
        tier: z.string(),
        allowedLanes: z.array(z.enum(['open', 'frontier'])),
        residencyRegion: z.string().nullable(),
      })
      .meta({ description: 'The policy of the organisation.' }),
  })
  .meta({ id: 'Me' })
