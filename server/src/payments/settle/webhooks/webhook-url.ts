// Secret webhook URLs. They authenticate the providers that do not sign their webhooks.
import type { App } from '../../../platform/app.ts'
import { createSecrets, type Secrets, secretsEqual } from '../../../platform/secrets.ts'
import type { RailName } from '../../channels.ts'
import { providers } from '../../rails/accounts.ts'

/** The webhook URL of a rail. */
export const webhookUrl = (app: App, rail: RailName): string => urlWithToken(app, 'rail', rail)

/** The base of the URLs for payments by hand at the paybill of M-Pesa. */
export const paybillUrl = (app: App): string => urlWithToken(app, 'paybill', 'daraja')

function urlWithToken(app: App, folder: 'rail' | 'paybill', rail: RailName): string {
  const token = configuredToken(app, rail) ?? derivedToken(app.secrets, rail)
  return `${app.config.baseUrl}/webhooks/${folder}/${encodeURIComponent(token)}`
}

/**
 * The webhook URL for one payment. Daraja gets one per payment: it identifies payments by its own ids, and if its reply with
 * the id is lost, only the URL identifies the payment.
 */
export function webhookUrlFor(app: App, rail: RailName, reference: string): string {
  if (rail !== 'daraja') return webhookUrl(app, rail)
  return `${app.config.baseUrl}/webhooks/rail/${paymentToken(app.secrets, reference)}`
}

/** The payment of a token; null for tokens of a rail and for unknown tokens. */
export function paymentOfToken(app: App, token: string): string | null {
  const [, digits] = PAYMENT_TOKEN.exec(token) ?? []
  if (digits === undefined) return null
  const reference = Buffer.from(digits, 'hex').toString('latin1')
  const isOurs = [app.secrets, ...previousSecrets(app)].some((secrets) =>
    secretsEqual(token, paymentToken(secrets, reference)),
  )
  return isOurs ? reference : null
}

/** The rail of a token; null for unknown tokens. Constant time, to reveal nothing about valid tokens. */
export function railOfToken(app: App, token: string): RailName | null {
  let found: RailName | null = paymentOfToken(app, token) === null ? null : 'daraja'
  for (const { name } of providers)
    for (const known of validTokens(app, name)) if (secretsEqual(token, known)) found ??= name
  return found
}

/** Whether this is the token of a rail, and not of a payment. */
export const isRailToken = (app: App, rail: RailName, token: string): boolean =>
  validTokens(app, rail).some((known) => secretsEqual(token, known))

/** All valid tokens. A payment can stay pending for days while an operator changes the token or the service secret. */
function validTokens(app: App, rail: RailName): string[] {
  const configured = configuredToken(app, rail)
  const derived = [app.secrets, ...previousSecrets(app)].map((secrets) => derivedToken(secrets, rail))
  return configured === null ? derived : [configured, ...derived]
}

function configuredToken({ config: { webhookTokens } }: App, rail: RailName): string | null {
  if (rail === 'daraja') return webhookTokens.mpesa
  return rail === 'momo' ? webhookTokens.momo : null
}

// 160 bits in hexadecimal: Daraja rejects URLs that contain words such as "exe" or "sql".
const derivedToken = (secrets: Secrets, rail: RailName): string =>
  Buffer.from(secrets.digest(rail, 'webhook address of a rail'), 'base64url').subarray(0, 20).toString('hex')

// A 128-bit MAC, then the reference in hexadecimal for the same reason.
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
