// Request and reply schemas of passwords and mailed links.
import { z } from 'zod'
import { currencies } from '../kernel/money.ts'
import { email, line, signedIn, timestamp } from '../platform/http/shapes.ts'
import { hasLengthBetween, PASSWORD_CHARACTERS_MAX, PASSWORD_CHARACTERS_MIN } from './password/passwords.ts'

/** A password, hashed as sent. Its length counts characters, not UTF-16 units. */
const passwordOf = (min: number) =>
  z
    .string()
    .refine((value) => hasLengthBetween(value, min, PASSWORD_CHARACTERS_MAX), {
      error: `must have ${min} to ${PASSWORD_CHARACTERS_MAX} characters`,
    })
    .meta({
      wire: {
        type: 'string',
        minLength: min,
        maxLength: PASSWORD_CHARACTERS_MAX,
        examples: ['three pelicans in April'],
      },
    })

export const newPassword = passwordOf(PASSWORD_CHARACTERS_MIN)
const givenPassword = passwordOf(1)
const token = z.string().min(1).max(200)

export const Register = z.object({
  email,
  password: newPassword,
  currency: z.enum(currencies).optional(),
  name: line(100).optional(),
})
export const Registered = z.object({ ok: z.literal(true), verificationRequired: z.literal(true) })

export const Login = z.object({ email, password: givenPassword })

const SecondFactorRequired = z.object({
  mfaRequired: z.literal(true),
  challenge: z.string(),
  expiresAt: timestamp,
})
export const LoginReply = z.union([signedIn, SecondFactorRequired])

export const Address = z.object({ email })
export const Token = z.object({ token })

/** The token was not consumed; the user must confirm by posting it. */
const ConfirmFirst = z.object({ ok: z.literal(false), confirm: z.literal(true) })
export const Verification = z.object({
  ok: z.literal(true),
  signedIn: z.boolean().meta({
    description:
      'Whether this browser is signed in now. Only the browser that registered is; others sign in.',
  }),
  userId: z.string().optional(),
  orgId: z.string().optional(),
})
export const Verified = z.union([z.object({ ok: z.literal(true) }), ConfirmFirst])
export const LinkOpened = z.union([signedIn, SecondFactorRequired, ConfirmFirst])

export const Reset = z.object({ token, password: newPassword })
export const Change = z.object({ currentPassword: givenPassword, newPassword })
