// Limits of password guesses and of mails.
import { isKnownDevice, readDeviceCookie, type User } from '../../identity/identity.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { UserId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import {
  type AttemptLimit,
  checkAttempt,
  countAttempt,
  resetAttempts as forget,
} from '../../platform/attempts/attempts.ts'
import { bucketAddress } from '../../platform/http/access/client-address.ts'
import type { RequestInfo } from '../../platform/http/route.ts'

const QUARTER_HOUR = 900
const HOUR = 3_600

// Per account and network. A stranger locks out only their own network.
const ACCOUNT: AttemptLimit = { name: 'login.account', most: 10, withinSeconds: QUARTER_HOUR }
// Per account and known browser. A known browser keeps working while strangers guess from the same address.
const DEVICE: AttemptLimit = { name: 'login.device', most: 10, withinSeconds: QUARTER_HOUR }
// Per account over all networks, against guesses from thousands of addresses. It can lock out the owner for a
// while, but not in a known browser.
const EVERYWHERE: AttemptLimit = { name: 'login.everywhere', most: 100, withinSeconds: QUARTER_HOUR }
const CHANGE: AttemptLimit = { name: 'password.change', most: 10, withinSeconds: QUARTER_HOUR }

/** The counter of a guess. `network` is null for a known browser. */
export type GuessCounter = {
  email: string
  limit: AttemptLimit
  subject: string
  network: string | null
  isFirst: boolean
}

/** Selects the counter of a guess and throws when it is exhausted. Unknown addresses run the same queries. */
export async function beginGuess(
  app: App,
  email: string,
  user: User | undefined,
  request: RequestInfo,
): Promise<GuessCounter> {
  const counter = await selectCounter(app, email, user, request)
  const { limit, subject, network } = counter
  const first = await checkAttempt(app, app.db.direct, { ...limit, most: 1 }, subject)
  if (!first.allowed) throwIfExceeded(await checkAttempt(app, app.db.direct, limit, subject))
  if (network) throwIfExceeded(await checkAttempt(app, app.db.direct, sprayLimit(app), network))
  return { ...counter, email, isFirst: first.allowed }
}

/**
 * Counts the guess before the comparison, so that concurrent guesses cannot exceed the limit. It only checks
 * the limit over all networks; `countWrong` counts for that one, because a correct password must neither use
 * it nor reset it.
 */
export async function countGuess(app: App, { email, limit, subject, network }: GuessCounter): Promise<void> {
  if (network) throwIfExceeded(await checkAttempt(app, app.db.direct, EVERYWHERE, email))
  throwIfExceeded(await countAttempt(app, app.db.direct, limit, subject))
}

/**
 * Counts the account against the network once, and only after a wrong password: many users may share an
 * address.
 */
export async function countWrong(app: App, { email, network, isFirst }: GuessCounter): Promise<void> {
  if (!network) return
  await countAttempt(app, app.db.direct, EVERYWHERE, email)
  if (isFirst) await countAttempt(app, app.db.direct, sprayLimit(app), network)
}

/** Resets the counter after a correct password. */
export const forgetGuesses = (app: App, { limit, subject }: GuessCounter): Promise<void> =>
  forget(app, app.db.direct, limit, subject)

async function selectCounter(app: App, email: string, user: User | undefined, request: RequestInfo) {
  const device = readDeviceCookie(request)
  // Runs for unknown addresses too, so that the time does not reveal whether an account exists.
  if (device && (await isKnownDevice(app.db.direct, user?.id ?? UNKNOWN_USER, device)))
    return { limit: DEVICE, subject: `${email} ${device.toString('hex')}`, network: null }
  const network = bucketAddress(request.address)
  return { limit: ACCOUNT, subject: `${email} ${network}`, network }
}

const UNKNOWN_USER: UserId = 'usr_nobody'

export const countChange = async (app: App, userId: UserId): Promise<void> =>
  throwIfExceeded(await countAttempt(app, app.db.direct, CHANGE, userId))
export const forgetChanges = (app: App, userId: UserId): Promise<void> =>
  forget(app, app.db.direct, CHANGE, userId)

function throwIfExceeded({ allowed, retryAfter }: { allowed: boolean; retryAfter: number }): void {
  if (!allowed) throw new ApiError('too_many_attempts', { retryAfter })
}

// Accounts with a wrong password per network, against password spraying. A hundred in 15 minutes at the
// default rate limit, because whole cities share an address. It grows with the configured rate limit.
function sprayLimit({ config }: App): AttemptLimit {
  const { requests, seconds } = config.rateLimits.auth
  const most = Math.max(100, Math.floor((requests / seconds) * 300))
  return { name: 'login.address', most, withinSeconds: QUARTER_HOUR }
}

const MAILS: AttemptLimit = { name: 'mail.any', most: 8, withinSeconds: QUARTER_HOUR }

export type MailKind = 'register' | 'verify' | 'reset' | 'magic' | 'email_change'

/**
 * Whether this call may send a mail to an address. Beyond three mails of a kind and eight in total per 15
 * minutes, the reply is the same and no mail is sent. So a mailbox cannot be flooded, and the reply does not
 * reveal whether an account exists. A network with too many requests gets an error.
 */
export async function mayMail(
  app: App,
  kind: MailKind,
  email: string,
  request: RequestInfo,
): Promise<boolean> {
  throwIfExceeded(
    await countAttempt(app, app.db.direct, networkMailLimit(app), bucketAddress(request.address)),
  )
  const limit = { name: `mail.${kind}`, most: 3, withinSeconds: QUARTER_HOUR }
  // Mails that are not sent do not count for the other kinds.
  if (!(await countAttempt(app, app.db.direct, limit, email)).allowed) return false
  return (await countAttempt(app, app.db.direct, MAILS, email)).allowed
}

// Whole cities share one address of a mobile network. A quarter of the calls that the rate limit allows in an
// hour may send a mail: 300 at the default of 20 a minute.
const networkMailLimit = ({ config }: App): AttemptLimit => {
  const { requests, seconds } = config.rateLimits.auth
  return {
    name: 'mail.from',
    most: Math.max(60, Math.floor((requests / seconds) * 900)),
    withinSeconds: HOUR,
  }
}
