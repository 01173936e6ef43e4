// The secret in the address that a provider posts to. Providers that sign nothing have no other way to be known.
import type { App } from '../../../platform/app.ts'
import { createSecrets, type Secrets, sameSecret } from '../../../platform/secrets.ts'
import { providers } from '../../rails/accounts.ts'
import type { RailName } from '../../rails/rail.ts'

/** Where this rail's provider sends its messages. */
export function webhookUrl(app: App, rail: RailName): string {
  const token = configuredToken(app, rail) ?? derivedToken(app.secrets, rail)
  return `${app.config.baseUrl}/webhooks/rail/${encodeURIComponent(token)}`
}

/**
 * Where this rail's provider sends its messages about one payment. Daraja gets an address for each: it knows our payments
 * by names of its own, and when its answer with such a name is lost, only the address says whose payment it was.
 */
export function webhookUrlFor(app: App, rail: RailName, reference: string): string {
  if (rail !== 'daraja') return webhookUrl(app, rail)
  return `${app.config.baseUrl}/webhooks/rail/${paymentToken(app.secrets, reference)}`
}

/** The payment whose own address this is; null for an address of a whole rail, and for one that we never gave out. */
export function paymentOfToken(app: App, token: string): string | null {
  const [, digits] = PAYMENT_TOKEN.exec(token) ?? []
  if (digits === undefined) return null
  const reference = Buffer.from(digits, 'hex').toString('latin1')
  const isOurs = [app.secrets, ...previousSecrets(app)].some((secrets) =>
    sameSecret(token, paymentToken(secrets, reference)),
  )
  return isOurs ? reference : null
}

/** Whose address this is; null for a token that we never gave out. Takes as long for a wrong one as for a right one. */
export function railOfToken(app: App, token: string): RailName | null {
  let found: RailName | null = paymentOfToken(app, token) === null ? null : 'daraja'
  for (const { name } of providers)
    for (const known of validTokens(app, name)) if (sameSecret(token, known)) found ??= name
  return found
}

/**
 * All that are still good: a payment may be on its way for days while an operator sets a token of their own or gives
 * the service another secret.
 */
function validTokens(app: App, rail: RailName): string[] {
  const configured = configuredToken(app, rail)
  const derived = [app.secrets, ...previousSecrets(app)].map((secrets) => derivedToken(secrets, rail))
  return configured === null ? derived : [configured, ...derived]
}

function configuredToken({ config: { webhookTokens } }: App, rail: RailName): string | null {
  if (rail === 'daraja') return webhookTokens.mpesa
  return rail === 'momo' ? webhookTokens.momo : null
}

// 160 bits, in hexadecimal digits: Daraja refuses addresses in which it finds words such as "exe" or "sql".
const derivedToken = (secrets: Secrets, rail: RailName): string =>
  Buffer.from(secrets.digest(rail, 'webhook address of a rail'), 'base64url').subarray(0, 20).toString('hex')

// 128 bits that vouch for the reference behind them, which is written in digits for the same reason.
const paymentToken = (secrets: Secrets, reference: string): string =>
  Buffer.concat([
    Buffer.from(secrets.digest(reference, 'webhook address of a payment'), 'base64url').subarray(0, 16),
    Buffer.from(reference),
  ]).toString('hex')
const PAYMENT_TOKEN = /^[0-9a-f]{32}((?:[0-9a-f]{2}){8,32})$/

const previousSecretsByApp = new WeakMap<App, readonly Secrets[]>()

function previousSecrets(app: App): readonly Secrets[] {
  const known = previousSecretsByApp.get(app)
  if (known) return known
  const { previousSecret } = app.config
  const made = previousSecret === null ? [] : [createSecrets(previousSecret)]
  previousSecretsByApp.set(app, made)
  return made
}
