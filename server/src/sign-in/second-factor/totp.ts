// Codes of an authenticator app (RFC 6238): six digits of SHA-1 that change every thirty seconds, as all apps know them.
import { Secret, TOTP } from 'otpauth'
import { encode } from 'uqr'

const ISSUER = 'Cowrie'
const SECRET_BYTES = 20
const PERIOD_SECONDS = 30
const FORM = /^[0-9]{6}$/
// A phone's clock may be wrong by one step, and a code may be typed just after it has changed.
const STEPS_AROUND = 1
// Readers need this much white around a code, also on a dark page.
const QUIET_MODULES = 4

/** A new secret, in base 32 as apps take it. */
export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32

/** The address that puts a secret into an app. */
export const otpauthUrl = (secret: string, email: string): string => totpOf(secret, email).toString()

/** Whether what was typed could be a code of an app; some show it with a space in the middle. */
export const isTotpCode = (typed: string): boolean => FORM.test(digitsOf(typed))

/** The time step that a code belongs to; null when it belongs to none that is near. */
export function stepOfCode(secret: string, typed: string, now: Date): number | null {
  const code = digitsOf(typed)
  // The library compares bytes and throws for six characters that are more than six of them.
  if (!FORM.test(code)) return null
  const timestamp = now.getTime()
  const totp = totpOf(secret)
  const away = totp.validate({ token: code, timestamp, window: STEPS_AROUND })
  return away === null ? null : totp.counter({ timestamp }) + away
}

/** A code to scan: black on its own white ground, and nothing but shapes. */
export function qrSvg(text: string): string {
  // The least correction, and more where there is room for it: so the longest address fits as well.
  const { data, size } = encode(text, { ecc: 'L', boostEcc: true, border: QUIET_MODULES })
  const dark = data.flatMap((row, y) => runsOf(row).map(([x, width]) => `M${x} ${y}h${width}v1h-${width}z`))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}h-${size}z"/><path fill="#000" d="${dark.join('')}"/></svg>`
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

/** Where the dark runs of a row begin and how long they are: a third of the size of drawing each module. */
function runsOf(row: readonly boolean[]): [start: number, width: number][] {
  const runs: [number, number][] = []
  for (const [x, isDark] of row.entries()) {
    const last = runs.at(-1)
    if (!isDark) continue
    if (last && last[0] + last[1] === x) last[1]++
    else runs.push([x, 1])
  }
  return runs
}
