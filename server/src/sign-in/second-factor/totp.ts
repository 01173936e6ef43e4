// Codes of authenticator apps (RFC 6238): six digits, SHA-1, thirty seconds, as all apps support.
import { Secret, TOTP } from 'otpauth'
import { encode } from 'uqr'

const ISSUER = 'Cowrie'
const SECRET_BYTES = 20
const PERIOD_SECONDS = 30
const FORM = /^[0-9]{6}$/
// Tolerates a clock that is wrong by one step, and slow typing.
const STEPS_AROUND = 1
// QR readers need this much white border.
const QUIET_MODULES = 4

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

/** A QR code as SVG, with a white background for dark pages. */
export function qrSvg(text: string): string {
  // The lowest error correction, raised where there is room, so that the longest URL fits.
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

/** Dark runs of a row. Drawing runs instead of modules makes the SVG a third of the size. */
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
