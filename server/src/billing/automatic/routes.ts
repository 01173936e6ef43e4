// Routes of automatic top-ups.
import { z } from 'zod'
import { currencies } from '../../kernel/money.ts'
import { route } from '../../platform/http/route.ts'
import { minor, minorOut, ok, text, timestamp } from '../../platform/http/shapes.ts'
import { PAUSED_REASONS } from '../topup-rule/topup-rule-sql.ts'
import { endAutomaticTopup, readAutomaticTopup, setAutomaticTopup } from './configure.ts'

const AutomaticTopupRequest = z
  .object({
    thresholdMinor: minor(1n).meta({
      description:
        'Charge the card when the balance falls below this. Holds of running work do not lower it. At most `amountMinor`.',
    }),
    amountMinor: minor(1n).meta({
      description: 'The amount of each charge, within the limits of top-ups by card.',
    }),
    monthlyMaxMinor: minor(1n).meta({
      description: 'The most that is charged in a calendar month (UTC). At least `amountMinor`.',
    }),
    cardId: text(100).meta({ description: 'A stored card of your organisation.' }),
  })
  .meta({
    id: 'AutomaticTopupRequest',
    examples: [
      { thresholdMinor: 50_000, amountMinor: 200_000, monthlyMaxMinor: 1_000_000, cardId: 'pm_4f9e2c' },
    ],
  })

const TopupAttempt = z
  .object({
    reference: z.string(),
    amountMinor: minorOut,
    startedAt: timestamp,
    authorizationUrl: z.string().nullable().meta({
      description: 'The page of the bank, when it asks the card holder to confirm.',
    }),
  })
  .meta({ id: 'TopupAttempt' })

const AutomaticTopup = z
  .object({
    status: z.enum(['active', 'paused']).meta({
      description: '`paused` needs an owner: PUT the same values to resume.',
    }),
    currency: z.enum(currencies),
    thresholdMinor: minorOut,
    amountMinor: minorOut,
    monthlyMaxMinor: minorOut,
    card: z.object({ id: z.string(), brand: z.string(), last4: z.string() }),
    monthChargedMinor: minorOut.meta({
      description: 'Automatic top-ups of this calendar month (UTC) that are paid or may still be paid.',
    }),
    limitedUntil: timestamp.nullable().meta({
      description: 'Another charge would exceed the monthly maximum. It continues then.',
    }),
    pausedReason: z.enum(PAUSED_REASONS).nullable().meta({
      description:
        '`card_declined`: the bank declined. `bank_confirmation`: open `attempt.authorizationUrl` and confirm. `card_unusable`: the card is expired or cannot be charged. `payment_disputed`: a card payment is disputed or was reversed. `currency_changed`: the wallet has another currency. `no_answer`: the provider gave no answer within a day. `member_left`: the person who turned it on is no longer an owner, or the person who added the card has left.',
    }),
    pausedDetail: z.string().nullable().meta({ description: 'The words of the bank, if it gave any.' }),
    pausedAt: timestamp.nullable(),
    attempt: TopupAttempt.nullable().meta({
      description: 'The charge whose outcome is not known yet. There is at most one.',
    }),
    updatedAt: timestamp,
  })
  .meta({ id: 'AutomaticTopup' })

const AutomaticTopupReply = z
  .object({
    automaticTopup: AutomaticTopup.nullable().meta({ description: 'Null while it is off.' }),
    openAttempt: TopupAttempt.nullable().meta({
      description: 'As `automaticTopup.attempt`, and also shown while automatic top-up is off.',
    }),
  })
  .meta({ id: 'AutomaticTopupState' })

export const automaticTopupRoutes = [
  route('wallet.automaticTopup.get', 'GET /wallet/automatic-topup', {
    summary: 'Show the automatic top-up of your organisation.',
    access: 'any',
    rate: 'global',
    reply: { 200: AutomaticTopupReply },
    handle: ({ app, actor }) => readAutomaticTopup(app, actor.orgId),
  }),

  route('wallet.automaticTopup.set', 'PUT /wallet/automatic-topup', {
    summary: 'Charge a stored card automatically when your balance is low, or change or resume this.',
    detail:
      'When the balance falls below `thresholdMinor`, the card is charged `amountMinor` within seconds, at most `monthlyMaxMinor` in a calendar month (UTC). If the balance is below it already, this starts the first charge. One charge runs at a time, and it settles like any top-up, with a receipt and the event `topup.settled`. A declined charge pauses it after one attempt: owners and admins get an email, and sending the same values again resumes it. While the bank waits for a confirmation, the same card is refused. Removing the card turns it off.',
    access: { role: 'owner' },
    rate: 'money',
    audit: true,
    body: AutomaticTopupRequest,
    reply: { 200: AutomaticTopupReply },
    errors: ['channel_not_available', 'org_suspended', 'not_found', 'too_many_attempts', 'card_challenged'],
    handle: ({ app, actor, body, request }) => setAutomaticTopup(app, actor, body, request.address),
  }),

  route('wallet.automaticTopup.end', 'DELETE /wallet/automatic-topup', {
    summary: 'Turn automatic top-up off.',
    detail: 'A charge that was sent is still settled; one that was not sent is dropped.',
    access: { role: 'owner' },
    rate: 'money',
    audit: true,
    reply: { 200: ok },
    async handle({ app, actor, request }) {
      await endAutomaticTopup(app, actor, request.address)
      return { ok: true as const }
    },
  }),
]
