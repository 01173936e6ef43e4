// Exchanges the code at GitHub for the person: the permanent id and the verified primary address.
import { z } from 'zod'
import { normaliseEmail } from '../../kernel/email.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import { EgressError, egressRules, fetchExternal } from '../../platform/egress/egress.ts'
import type { GithubLoginConfig } from '../../platform/environment/github-login.ts'
import { email as addressShape } from '../../platform/http/shapes.ts'

export type GithubPerson = { subject: string; login: string; email: string | null }

const Token = z.object({ access_token: z.string().regex(/^[\x21-\x7e]{1,500}$/) })
const User = z.object({ id: z.int().positive(), login: z.string().regex(/^[\w-]{1,100}$/) })
const Emails = z
  .array(z.object({ email: z.string().max(320), primary: z.boolean(), verified: z.boolean() }))
  .max(1_000)

/** Throws `sso_failed`, or `sso_unreachable` when GitHub does not answer. */
export async function fetchPerson(
  app: App,
  config: GithubLoginConfig,
  { code, verifier, redirectUri }: { code: string; verifier: string; redirectUri: string },
): Promise<GithubPerson> {
  const { access_token } = await call(app, Token, `${config.webUrl}/login/oauth/access_token`, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify({
      client_id: config.clientId,
      client_secret: config.clientSecret,
      redirect_uri: redirectUri,
      code,
      code_verifier: verifier,
    }),
  })
  const headers = {
    accept: 'application/vnd.github+json',
    authorization: `Bearer ${access_token}`,
    'user-agent': 'cowrie',
  }
  const user = await call(app, User, `${config.apiUrl}/user`, { method: 'GET', headers })
  const emails = await call(app, Emails, `${config.apiUrl}/user/emails`, { method: 'GET', headers })
  return { subject: String(user.id), login: user.login, email: primaryAddress(emails) }
}

/** Only the primary address counts, and only when it is verified. */
function primaryAddress(emails: z.infer<typeof Emails>): string | null {
  const primaries = emails.filter(({ primary, verified }) => primary && verified)
  const [only] = primaries
  if (!only || primaries.length !== 1) return null
  const address = normaliseEmail(only.email)
  return address.isWellFormed() && addressShape.safeParse(address).success ? address : null
}

async function call<T>(
  app: App,
  shape: z.ZodType<T>,
  url: string,
  request: { method: string; headers: Record<string, string>; body?: string },
): Promise<T> {
  let reason = 'the reply has another shape'
  try {
    const reply = await fetchExternal(url, request, egressRules(app))
    if (reply.status >= 500) throw new EgressError('unreachable', `status ${reply.status}`)
    const parsed = shape.safeParse(await reply.json())
    if (reply.status === 200 && parsed.success) return parsed.data
  } catch (error) {
    reason = error instanceof Error ? error.message.slice(0, 300) : 'unknown'
    if (error instanceof EgressError && error.kind === 'unreachable') {
      app.log.warn({ reason }, 'sign_in.github.unreachable')
      throw new ApiError('sso_unreachable')
    }
  }
  app.log.warn({ reason }, 'sign_in.github.failed')
  throw new ApiError('sso_failed')
}
