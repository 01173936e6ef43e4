// Request and reply shapes of top-ups.
import { z } from 'zod'
import { email, minor, minorOut, pageQuery, text, timestamp } from '../platform/http/shapes.ts'
import { channelNames } from './channels.ts'
import { MOCK_DECISIONS } from './rails/mock/mock.ts'

const channel = z.enum(channelNames)
const mode = z.enum(['live', 'mock'])
const status = z
  .enum(['pending', 'settled', 'failed', 'expired', 'review'])
  .meta({ description: '`review`: what was paid is not what was asked for; a person looks at it.' })

export const TopupRequest = z
  .object({
    amountMinor: minor(1n),
    channel: channel.default('card'),
    phone: text(40)
      .optional()
      .meta({ description: 'For mobile money: E.164, or as it is dialled in the country of your currency.' }),
    email: email.optional().meta({ description: 'Where the receipt goes; your own address when left out.' }),
    currency: text(3).optional().meta({
      description: 'Only ever the currency of your organisation; send it to be refused when it is not.',
    }),
  })
  .meta({ id: 'TopupRequest', examples: [{ amountMinor: 500_000, channel: 'card' }] })

export const TopupResult = z
  .object({
    reference: z.string(),
    mode,
    authorizationUrl: z.string().optional().meta({
      description: 'Where the payer goes. This and the next two are there when the channel has them.',
    }),
    ussdCode: z.string().optional().meta({ description: 'What the payer dials.' }),
    displayText: z.string().optional().meta({ description: 'What to show to the payer.' }),
    otpRequired: z.literal(true).optional().meta({
      description: 'The payer gets a code; hand it in with POST /wallet/topups/{reference}/otp.',
    }),
    status,
    channel,
    amountMinor: minorOut,
    currency: z.string(),
    expiresAt: timestamp,
  })
  .meta({ id: 'TopupResult' })

export const VerifyRequest = z.object({ reference: text(64) })

export const Verified = z.object({
  reference: z.string(),
  status,
  amountMinor: minorOut,
  creditedMinor: minorOut.meta({ description: 'What this very call credited; 0 when it was before.' }),
  balanceMinor: minorOut,
  currency: z.string(),
  channel,
  mode,
  reason: z.string().nullable().meta({ description: 'Why it failed, or what is under review.' }),
  settledAt: timestamp.nullable(),
})

export const TopupsQuery = z.object({ status: status.optional(), ...pageQuery() })

export const Topup = z
  .object({
    reference: z.string(),
    status,
    channel,
    mode,
    amountMinor: minorOut,
    currency: z.string(),
    reason: z.string().nullable(),
    createdAt: timestamp,
    expiresAt: timestamp,
    settledAt: timestamp.nullable(),
  })
  .meta({ id: 'Topup' })

export const TopupsPage = z.object({ topups: z.array(Topup), nextCursor: z.string().nullable() })

export const Channels = z.object({
  channels: z.array(
    z.object({
      channel,
      label: z.string(),
      mode,
      needsPhone: z.boolean(),
      minMinor: minorOut,
      maxMinor: minorOut,
      stepMinor: minorOut.meta({ description: 'Amounts are whole multiples of this.' }),
    }),
  ),
  currency: z.string(),
})

export const Returned = z.looseObject({
  topup: z.unknown().optional().meta({ description: 'Our reference, as we wrote it into the address.' }),
})

export const MockParams = z.object({ reference: z.string().regex(/^[a-z0-9]{8,32}$/) })
export const MockDecision = z.object({ decision: z.enum(MOCK_DECISIONS) })
