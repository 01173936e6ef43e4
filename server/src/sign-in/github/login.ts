// Sign-in with GitHub: OAuth with state and PKCE. The identity is the permanent id at GitHub. An existing account is never
// opened by its address alone: its owner links it when signed in, or confirms once by mail.
import { createHash, hash, randomBytes } from 'node:crypto'
import { record } from '../../audit/audit.ts'
import {
  endGithubSessionsOf,
  endSessions,
  findOpenSession,
  gate,
  lockUser,
  NotSignedIn,
  openAccount,
  requireRecentSignIn,
  signIn,
  type User,
  userByEmail,
} from '../../identity/identity.ts'
import { after } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { Id, UserId } from '../../kernel/ids.ts'
import type { Currency } from '../../kernel/money.ts'
import { homeOrg } from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { GithubLoginConfig } from '../../platform/environment/github-login.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { localPath } from '../../platform/http/answer.ts'
import { wantsPage } from '../../platform/http/request/request-info.ts'
import type { RequestInfo } from '../../platform/http/route.ts'
import { plainMail } from '../../platform/mail/mail.ts'
import { signupsEnabled } from '../../platform/settings/platform-settings.ts'
import { acceptedLanguage } from '../../platform/texts/language.ts'
import { confirmAddress } from '../password/registration.ts'
import { createChallenge, dropChallenges } from '../second-factor/challenge.ts'
import { completeSecurityChange, sendSecurityMail } from '../security-change.ts'
import { announceVerification } from '../verification.ts'
import { fetchPerson, type GithubPerson } from './profile.ts'
import * as sql from './sql.ts'

const COOKIE = 'service_github'
const FORM = /^[\w-]{43}$/
const LIFETIME = { minutes: 10 }
const CONFIRM_WITHIN = { minutes: 15 }
const VERIFIER_CONTEXT = 'github code verifier'
const SECURITY = '/app/security'

export function requireConfig({ config }: App): GithubLoginConfig {
  if (!config.githubLogin) throw new ApiError('not_found')
  return config.githubLogin
}

const redirectUri = ({ config }: App): string => `${config.baseUrl}/auth/github/callback`

/**
 * Where to send a signed-in visitor whom another website sent here: GitHub could sign them in to the account of a stranger,
 * who would then see their work. Null if the sign-in may start.
 */
export async function refuseForeignStart(app: App, request: RequestInfo): Promise<string | null> {
  const { 'sec-fetch-site': site, cookie } = request.headers
  if (site !== 'cross-site' && site !== 'same-site') return null
  const actor = await gate.authenticate(
    app,
    { authorization: undefined, cookie: cookie?.toString() },
    request.address,
  )
  return actor && `${SECURITY}?problem=github_other_site`
}

/** Starts a flow, bound to this browser by a cookie, and returns the address at GitHub. `next` is untrusted. */
export async function startGithubLogin(
  app: App,
  request: RequestInfo,
  {
    next,
    currency = 'NGN',
    userId = null,
    sessionId = null,
  }: {
    next?: string | undefined
    currency?: Currency | undefined
    userId?: UserId | null
    sessionId?: Id<'ses'> | null
  },
): Promise<string> {
  const { clientId, webUrl } = requireConfig(app)
  const browser = readCookie(request) ?? newSecret()
  const [state, verifier] = [newSecret(), newSecret()]
  await sql.insertFlow(app.db.direct, {
    keyHash: hashOf(state),
    browserHash: hashOf(browser),
    verifier: app.secrets.seal(verifier, VERIFIER_CONTEXT),
    next: localPath(next),
    currency,
    userId,
    sessionId,
    expiresAt: after(app.clock.now(), LIFETIME),
  })
  const secure = app.config.baseUrl.startsWith('https:') ? '; Secure' : ''
  request.setCookie(
    `${COOKIE}=${browser}; Path=/auth/github; HttpOnly; SameSite=Lax${secure}; Max-Age=${LIFETIME.minutes * 60}`,
  )
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri(app),
    scope: 'user:email',
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  return `${webUrl}/login/oauth/authorize?${query}`
}

export async function linkGithub(app: App, actor: Actor, request: RequestInfo): Promise<string> {
  requireRecentSignIn(app, actor)
  const { userId, sessionId } = actor
  return startGithubLogin(app, request, { next: SECURITY, userId, sessionId })
}

/** The outcome without a session, for the sign-in page. */
type Onward = { problem?: string; done?: string; challenge?: string }

/** Consumes the flow before calling GitHub, so that a state works once whatever GitHub replies. Returns the path to open. */
export async function finishGithubLogin(
  app: App,
  request: RequestInfo,
  {
    code,
    state,
    error,
  }: { code?: string | undefined; state?: string | undefined; error?: string | undefined },
): Promise<string> {
  const config = requireConfig(app)
  const browser = readCookie(request)
  const flow =
    browser && state && FORM.test(state)
      ? await sql.consumeFlow(app.db.direct, hashOf(state), hashOf(browser), app.clock.now())
      : undefined
  if (!flow) throw new ApiError('sso_failed')
  if (error || !code) return onwardPath(flow, { problem: 'github_denied' })
  const verifier = app.secrets.open(flow.verifier, VERIFIER_CONTEXT)
  try {
    const person = await fetchPerson(app, config, { code, verifier, redirectUri: redirectUri(app) })
    if (flow.userId) return onwardPath(flow, await linkToAccount(app, request, flow, person))
    const account = await signIn<Onward>(app, request, async (tx) => {
      const user = await resolveUser(app, tx, request, person, flow.currency)
      if (!('email' in user)) return new NotSignedIn(user)
      if (!user.mfaEnabled) return { user, method: 'github' }
      const { challenge } = await createChallenge(tx, user, 'github')
      return new NotSignedIn({ challenge })
    })
    return account instanceof NotSignedIn ? onwardPath(flow, account.outcome) : flow.next
  } catch (failure) {
    const problem = failure instanceof ApiError ? PROBLEMS[failure.code] : undefined
    if (problem === undefined || !wantsPage(request)) throw failure
    return onwardPath(flow, { problem })
  }
}

const PROBLEMS: Readonly<Record<string, string>> = {
  sso_failed: 'github_failed',
  sso_unreachable: 'sso_unreachable',
  sso_required: 'sso_required',
}

/** The page for an outcome, with the return address, so that the person can continue in another way. */
function onwardPath({ userId, next }: sql.GithubFlow, { challenge, ...outcome }: Onward): string {
  if (userId) return `${SECURITY}${outcome.problem ? `?${new URLSearchParams(outcome)}` : ''}`
  const query = new URLSearchParams({ ...outcome, ...(next !== '/app' && { next }) }).toString()
  const path = `/app/sign-in${challenge ? '/second-factor' : ''}${query && `?${query}`}`
  return challenge ? `${path}#challenge=${challenge}` : path
}

async function resolveUser(
  app: App,
  tx: Tx,
  request: RequestInfo,
  person: GithubPerson,
  currency: Currency,
): Promise<User | Onward> {
  await sql.lockSubject(tx, person.subject)
  const known = await sql.findUserBySubject(tx, person.subject)
  if (known) {
    // The link may have been removed while this waited for the lock.
    const user = await lockUser(tx, known)
    return user && (await sql.touchIdentity(tx, person.subject, user.id))
      ? user
      : { problem: 'github_failed' }
  }
  const { email } = person
  if (!email) return { problem: 'github_email' }
  const existing = await userByEmail(tx, email)
  const user = existing && (await lockUser(tx, existing.id))
  if (user?.verified) return mailConfirmation(app, tx, user, person)
  if (user) {
    // Never confirmed: a stranger may have set its password. This removes it.
    await confirmAddress(app, tx, request, user, 'other method')
    await endSessions(tx, user.id)
    await addIdentity(tx, request, user, person)
    return { ...user, verified: true, passwordHash: null }
  }
  if (!app.settings.get(signupsEnabled)) return { problem: 'signups_disabled' }
  const opened = await openAccount(tx, {
    email,
    verified: true,
    currency,
    language: acceptedLanguage(request.headers['accept-language']),
  })
  const created = opened && (await lockUser(tx, opened.userId))
  if (!created) throw new ApiError('sso_failed')
  await announceVerification(app, tx, request, { ...created, verified: false })
  await addIdentity(tx, request, created, person)
  return created
}

async function addIdentity(tx: Tx, request: RequestInfo, user: User, person: GithubPerson): Promise<void> {
  if (!(await sql.insertIdentity(tx, person, user.id))) throw new ApiError('sso_failed')
  await record(tx, {
    orgId: await homeOrg(tx, user.id),
    actor: { kind: 'user', userId: user.id, email: user.email },
    ip: request.address,
    action: 'auth.github.link',
    target: user.id,
    metadata: { login: person.login, subject: person.subject },
  })
}

/** The account has proven its address to us, so the mailbox decides, not GitHub. */
async function mailConfirmation(app: App, tx: Tx, user: User, person: GithubPerson): Promise<Onward> {
  const token = newSecret()
  const expiresAt = after(tx.now, CONFIRM_WITHIN)
  await sql.replaceConfirmation(tx, person, { tokenHash: hashOf(token), userId: user.id, expiresAt })
  await app.mail.send(tx, {
    to: user.email,
    ...plainMail(
      'Link GitHub to your Cowrie account',
      [
        `The GitHub account ${person.login} wants to sign in to your Cowrie account. Confirm only if it is yours: it can then open the account. The link works once, for 15 minutes.`,
        'If it is not yours, do not use the link: without it nothing happens.',
      ],
      { label: 'Link GitHub', url: `${app.config.baseUrl}/app/sign-in/link#token=${token}&kind=github` },
    ),
  })
  return { done: 'github_mail' }
}

/** Links after the mail. It opens no session: the person signs in with GitHub again, with the second factor where it is set. */
export async function confirmGithub(app: App, request: RequestInfo, token: string): Promise<void> {
  const linked = await app.db.tx('platform', async (tx) => {
    const found = await sql.useConfirmation(tx, hashOf(token))
    const user = found?.isOpen ? await lockUser(tx, found.userId) : undefined
    if (!found || !user?.verified || !(await sql.insertIdentity(tx, found, user.id))) return false
    await record(tx, {
      orgId: await homeOrg(tx, user.id),
      actor: { kind: 'user', userId: user.id, email: user.email },
      ip: request.address,
      action: 'auth.github.link',
      target: user.id,
      metadata: { login: found.login, subject: found.subject },
    })
    await sendSecurityMail(app, tx, user.email, LINKED, linkedMessage(found.login))
    return true
  })
  if (!linked) throw new ApiError('link_invalid')
}

const LINKED = 'GitHub was linked to your Cowrie account'
const linkedMessage = (login: string) => `The GitHub account ${login} can now sign in to your account.`

function linkToAccount(
  app: App,
  request: RequestInfo,
  { userId, sessionId }: sql.GithubFlow,
  person: GithubPerson,
): Promise<Onward> {
  return app.db.tx('platform', async (tx) => {
    await sql.lockSubject(tx, person.subject)
    const user = userId && (await lockUser(tx, userId))
    // A stolen session that was ended meanwhile must not leave another way in.
    if (!user || !sessionId || !(await findOpenSession(tx, sessionId))) throw new ApiError('sso_failed')
    if (!(await sql.insertIdentity(tx, person, user.id))) return { problem: 'github_taken' }
    await record(tx, {
      orgId: await homeOrg(tx, user.id),
      actor: { kind: 'user', userId: user.id, email: user.email },
      ip: request.address,
      action: 'auth.github.link',
      target: user.id,
      metadata: { login: person.login, subject: person.subject },
    })
    await sendSecurityMail(app, tx, user.email, LINKED, linkedMessage(person.login))
    return {}
  })
}

export const findGithub = async (app: App, actor: Actor) => ({
  github: (await sql.findIdentity(app.db.direct, actor.userId)) ?? null,
})

export async function unlinkGithub(app: App, actor: Actor, request: RequestInfo): Promise<void> {
  requireRecentSignIn(app, actor)
  await app.db.tx('platform', async (tx) => {
    await lockUser(tx, actor.userId)
    const removed = await sql.deleteIdentity(tx, actor.userId)
    if (!removed) throw new ApiError('not_found')
    await endGithubSessionsOf(tx, actor.userId, actor.sessionId)
    await dropChallenges(tx, actor.userId)
    await completeSecurityChange(app, tx, actor, request, {
      action: 'auth.github.unlink',
      target: actor.userId,
      metadata: { login: removed.login },
      subject: 'GitHub was unlinked from your Cowrie account',
      message: `The GitHub account ${removed.login} no longer opens your account.`,
    })
  })
}

/** For an account that its owner recovers: a thief may have linked GitHub. Returns the login that was linked. */
export async function removeGithubLink(tx: Tx, request: RequestInfo, user: User): Promise<string | null> {
  const removed = await sql.deleteIdentity(tx, user.id)
  if (!removed) return null
  await record(tx, {
    orgId: await homeOrg(tx, user.id),
    actor: { kind: 'user', userId: user.id, email: user.email },
    ip: request.address,
    action: 'auth.github.unlink',
    target: user.id,
    metadata: { login: removed.login },
  })
  return removed.login
}

function readCookie(request: RequestInfo): string | null {
  const value = request.cookie(COOKIE)
  return value && FORM.test(value) ? value : null
}

const newSecret = (): string => randomBytes(32).toString('base64url')
const hashOf = (secret: string): Buffer => hash('sha256', secret, 'buffer')
