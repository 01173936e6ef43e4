// Request and reply schemas of top-ups.
import { z } from 'zod'
import { email, minor, minorOut, pageQuery, text, timestamp } from '../platform/http/shapes.ts'
import { channelNames } from './channels.ts'
import { MOCK_DECISIONS } from './rails/mock/mock.ts'

const channel = z.enum(channelNames)
const mode = z.enum(['live', 'mock'])
const status = z
  .enum(['pending', 'settled', 'failed', 'expired', 'review'])
  .meta({ description: '`review`: the paid amount differs from the expected one, and staff look into it.' })

export const TopupRequest = z
  .object({
    amountMinor: minor(1n),
    channel: channel.default('card'),
    phone: text(40).optional().meta({
      description: 'For mobile money: E.164, or the national format in the country of your currency.',
    }),
    email: email.optional().meta({ description: 'Address for the receipt. Default: your own.' }),
    currency: text(3).optional().meta({
      description: 'Must be the currency of your organisation. Send it to have it checked.',
    }),
  })
  .meta({ id: 'TopupRequest', examples: [{ amountMinor: 500_000, channel: 'card' }] })

export const TopupResult = z
  .object({
    reference: z.string(),
    mode,
    authorizationUrl: z.string().optional().meta({
      description: 'The page to send the payer to. Present when the channel has one, like the next two.',
    }),
    ussdCode: z.string().optional().meta({ description: 'The USSD code for the payer to dial.' }),
    displayText: z.string().optional().meta({ description: 'Instructions to show to the payer.' }),
    otpRequired: z.literal(true).optional().meta({
      description: 'The payer receives a code; submit it with POST /wallet/topups/{reference}/otp.',
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
  creditedMinor: minorOut.meta({
    description: 'The amount that this call credited; 0 when it was credited before.',
  }),
  balanceMinor: minorOut,
  currency: z.string(),
  channel,
  mode,
  reason: z.string().nullable().meta({ description: 'Why it failed or is under review.' }),
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
    automatic: z.boolean().meta({ description: 'Charged to a stored card because the balance was low.' }),
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
  topup: z.unknown().optional().meta({ description: 'The reference of the payment.' }),
})

export const ReferenceParams = z.object({ reference: z.string().regex(/^[a-z0-9]{8,32}$/) })
export const MockDecision = z.object({ decision: z.enum(MOCK_DECISIONS) })

export const OtpRequest = z.object({
  otp: z
    .string()
    .regex(/^[A-Za-z0-9]{3,12}$/, 'must be 3 to 12 letters and digits')
    .meta({ description: 'The code that the network sent to the payer.' }),
})
