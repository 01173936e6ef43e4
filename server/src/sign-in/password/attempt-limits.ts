// How often one may guess, and how many mails one may cause.
import { isKnownDevice, readDeviceCookie, type User } from '../../identity/identity.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { UserId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import {
  type AttemptLimit,
  forgetAttempts as forget,
  mayTry,
  tryOnce,
} from '../../platform/attempts/attempts.ts'
import { bucketAddress } from '../../platform/http/access/client-address.ts'
import type { RequestInfo } from '../../platform/http/route.ts'

const QUARTER_HOUR = 900
const HOUR = 3_600

// Of one account from one network. Guesses from elsewhere do not count, so a stranger locks out only their own network.
const ACCOUNT: AttemptLimit = { name: 'login.account', most: 10, withinSeconds: QUARTER_HOUR }
// A browser that was signed in to the account before has a count of its own and works on while strangers guess, also
// those behind the same address.
const DEVICE: AttemptLimit = { name: 'login.device', most: 10, withinSeconds: QUARTER_HOUR }
// Of one account from all networks together: who can call from thousands of them has no more guesses than that. It may
// keep the owner out too, for a while, but not from a browser that was signed in before.
const EVERYWHERE: AttemptLimit = { name: 'login.everywhere', most: 100, withinSeconds: QUARTER_HOUR }
const CHANGE: AttemptLimit = { name: 'password.change', most: 10, withinSeconds: QUARTER_HOUR }

/** The count that a guess falls into. `network` is null for a browser that was signed in before. */
export type GuessCounter = {
  email: string
  limit: AttemptLimit
  subject: string
  network: string | null
  isFirst: boolean
}

/**
 * Finds the count for guesses at an account, and refuses when it is used up. The same is asked of the database for an
 * address without an account.
 */
export async function beginGuess(
  app: App,
  email: string,
  user: User | undefined,
  request: RequestInfo,
): Promise<GuessCounter> {
  const guessing = await selectCounter(app, email, user, request)
  const { limit, subject, network } = guessing
  const first = await mayTry(app, app.db.direct, { ...limit, most: 1 }, subject)
  if (!first.allowed) throwIfExceeded(await mayTry(app, app.db.direct, limit, subject))
  if (network) throwIfExceeded(await mayTry(app, app.db.direct, sprayLimit(app), network))
  return { ...guessing, email, isFirst: first.allowed }
}

/**
 * Counts the guess before it is known to be wrong, so that many at once are no more than one after another. The ceiling
 * over all networks is looked at here and counted in `countWrong`: a right password must neither use it up nor lift it,
 * and no more can slip past it than passwords are compared at once.
 */
export async function countGuess(app: App, { email, limit, subject, network }: GuessCounter): Promise<void> {
  if (network) throwIfExceeded(await mayTry(app, app.db.direct, EVERYWHERE, email))
  throwIfExceeded(await tryOnce(app, app.db.direct, limit, subject))
}

/** Counts the account against the network, once. Not before it is wrong: many people may sign in from one address. */
export async function countWrong(app: App, { email, network, isFirst }: GuessCounter): Promise<void> {
  if (!network) return
  await tryOnce(app, app.db.direct, EVERYWHERE, email)
  if (isFirst) await tryOnce(app, app.db.direct, sprayLimit(app), network)
}

/** The password was right: the next wrong one is the first again. */
export const forgetGuesses = (app: App, { limit, subject }: GuessCounter): Promise<void> =>
  forget(app, app.db.direct, limit, subject)

async function selectCounter(app: App, email: string, user: User | undefined, request: RequestInfo) {
  const device = readDeviceCookie(request)
  // Asked for nobody as well: whether there is an account must not show in the time.
  if (device && (await isKnownDevice(app.db.direct, user?.id ?? UNKNOWN_USER, device)))
    return { limit: DEVICE, subject: `${email} ${device.toString('hex')}`, network: null }
  const network = bucketAddress(request.address)
  return { limit: ACCOUNT, subject: `${email} ${network}`, network }
}

const UNKNOWN_USER: UserId = 'usr_nobody'

export const countChange = async (app: App, userId: UserId): Promise<void> =>
  throwIfExceeded(await tryOnce(app, app.db.direct, CHANGE, userId))
export const forgetChanges = (app: App, userId: UserId): Promise<void> =>
  forget(app, app.db.direct, CHANGE, userId)

function throwIfExceeded({ allowed, retryAfter }: { allowed: boolean; retryAfter: number }): void {
  if (!allowed) throw new ApiError('too_many_attempts', { retryAfter })
}

// Accounts that one network gave wrong passwords for: a few for each of very many is a way of guessing too. A hundred in
// a quarter of an hour at the usual rate limit, as whole cities share an address; whoever has raised it serves more.
function sprayLimit({ config }: App): AttemptLimit {
  const { requests, seconds } = config.rateLimits.auth
  const most = Math.max(100, Math.floor((requests / seconds) * 300))
  return { name: 'login.address', most, withinSeconds: QUARTER_HOUR }
}

const MAILS: AttemptLimit = { name: 'mail.any', most: 8, withinSeconds: QUARTER_HOUR }

export type MailKind = 'register' | 'verify' | 'reset' | 'magic'

/**
 * Whether this call may cause a mail to an address, whoever it belongs to. Beyond three of a kind and eight of all kinds
 * in a quarter of an hour the answer is the same and no mail is sent: a mailbox cannot be flooded, and nobody learns
 * whose it is. A network that asks for too many is told so.
 */
export async function mayMail(
  app: App,
  kind: MailKind,
  email: string,
  request: RequestInfo,
): Promise<boolean> {
  throwIfExceeded(await tryOnce(app, app.db.direct, networkMailLimit(app), bucketAddress(request.address)))
  const limit = { name: `mail.${kind}`, most: 3, withinSeconds: QUARTER_HOUR }
  // Those that are not sent do not count for the other kinds.
  if (!(await tryOnce(app, app.db.direct, limit, email)).allowed) return false
  return (await tryOnce(app, app.db.direct, MAILS, email)).allowed
}

// Whole cities sign in through one address of a mobile network here. A quarter of the calls that its rate limit lets
// through in an hour may cause a mail: 300 at the usual 20 a minute.
const networkMailLimit = ({ config }: App): AttemptLimit => {
  const { requests, seconds } = config.rateLimits.auth
  return {
    name: 'mail.from',
    most: Math.max(60, Math.floor((requests / seconds) * 900)),
    withinSeconds: HOUR,
  }
}
