// Codes of authenticator apps (RFC 6238): six digits, SHA-1, thirty seconds, as all apps support.
import { Secret, TOTP } from 'otpauth'

const ISSUER = 'Cowrie'
const SECRET_BYTES = 20
const PERIOD_SECONDS = 30
const FORM = /^[0-9]{6}$/
// Tolerates a clock that is wrong by one step, and slow typing.
const STEPS_AROUND = 1

/** A new secret in base 32. */
export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32

/** The URL that adds a secret to an app. */
export const otpauthUrl = (secret: string, email: string): string => totpOf(secret, email).toString()

/** Whether the input looks like a code; some apps show it with a space. */
export const isTotpCode = (typed: string): boolean => FORM.test(digitsOf(typed))

/** The time step of a code; null when it matches none near now. */
export function stepOfCode(secret: string, typed: string, now: Date): number | null {
  const code = digitsOf(typed)
  // The library throws for multi-byte characters.
  if (!FORM.test(code)) return null
  const timestamp = now.getTime()
  const totp = totpOf(secret)
  const away = totp.validate({ token: code, timestamp, window: STEPS_AROUND })
  return away === null ? null : totp.counter({ timestamp }) + away
}

const digitsOf = (typed: string): string => typed.replaceAll(/\s/g, '')

const totpOf = (secret: string, email = ''): TOTP =>
  new TOTP({
    issuer: ISSUER,
    label: email,
    secret: Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_SECONDS,
  })
