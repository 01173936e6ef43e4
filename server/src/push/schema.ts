// Request and reply schemas of push notifications.
import { z } from 'zod'
import { text, timestamp } from '../platform/http/shapes.ts'
import { LANGUAGE_CODES } from '../platform/texts/language.ts'
import { NOTICE_KINDS } from './types.ts'

const base64url = (max: number) =>
  text(max).regex(/^[A-Za-z0-9_-]+$/, { error: 'must be base64url without padding' })

export const NewSubscription = z.object({
  endpoint: text(1_000).meta({ examples: ['https://push.example.com/wpush/v2/abc'] }),
  keys: z.object({
    p256dh: base64url(87).meta({
      examples: ['BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'],
    }),
    auth: base64url(22).meta({ examples: ['BTBZMqHH6r4Tts7J_aSIgg'] }),
  }),
  kinds: z
    .array(z.enum(NOTICE_KINDS))
    .min(1)
    .max(NOTICE_KINDS.length)
    .refine((kinds) => new Set(kinds).size === kinds.length, { error: 'must not repeat a kind' }),
  language: z.enum(LANGUAGE_CODES).default('en'),
})
export type NewSubscription = z.output<typeof NewSubscription>

export const PushSubscription = z
  .object({
    id: z.string(),
    host: z.string().describe('The push service of the browser.'),
    kinds: z.array(z.enum(NOTICE_KINDS)),
    language: z.enum(LANGUAGE_CODES),
    isThisSession: z.boolean(),
    createdAt: timestamp,
  })
  .meta({ id: 'PushSubscription' })

export const SubscriptionReply = z.object({ subscription: PushSubscription })
export const SubscriptionList = z.object({
  publicKey: z.string().nullable().describe('The `applicationServerKey`; null where push is off.'),
  subscriptions: z.array(PushSubscription),
})
export const SubscriptionParams = z.object({ id: z.string().regex(/^psh_[0-9a-z]{26}$/) })
