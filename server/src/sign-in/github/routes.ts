// Endpoints of sign-in with GitHub.
import { z } from 'zod'
import { ApiError } from '../../kernel/errors.ts'
import { currencies } from '../../kernel/money.ts'
import { type Answer, redirect } from '../../platform/http/answer.ts'
import { isPrefetch, wantsPage } from '../../platform/http/request/request-info.ts'
import { type RequestInfo, raw, route } from '../../platform/http/route.ts'
import { ok, text, timestamp } from '../../platform/http/shapes.ts'
import { Token } from '../schema.ts'
import {
  confirmGithub,
  findGithub,
  finishGithubLogin,
  linkGithub,
  refuseForeignStart,
  startGithubLogin,
  unlinkGithub,
} from './login.ts'

const DONE = { ok: true as const }

/** Browsers are redirected to the sign-in page with the problem. */
async function redirectBrowser(request: RequestInfo, destination: () => Promise<string>): Promise<Answer> {
  if (isPrefetch(request))
    throw new ApiError('bad_request', {
      error: 'A sign-in cannot be prefetched. Open the address in the browser.',
    })
  request.setHeader('cache-control', 'no-store')
  try {
    return redirect(await destination())
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'sso_failed' || !wantsPage(request)) throw error
    return redirect('/app/sign-in?problem=github_failed')
  }
}

export const githubRoutes = [
  route('auth.github.start', 'GET /auth/github', {
    summary: 'Start a sign-in with GitHub.',
    detail:
      'Only where `GET /auth/config` names the method. `next` is the path in the app to open afterwards.',
    access: 'none',
    rate: 'auth',
    head: false,
    query: z.object({ next: text(500).optional(), currency: z.enum(currencies).optional() }),
    reply: { 302: raw('', 'To GitHub, or to the app if another website sent a signed-in visitor.') },
    errors: ['not_found', 'outcome_unknown'],
    handle: ({ app, query, request }) =>
      redirectBrowser(
        request,
        async () => (await refuseForeignStart(app, request)) ?? startGithubLogin(app, request, query),
      ),
  }),

  route('auth.github.callback', 'GET /auth/github/callback', {
    summary: 'Complete a sign-in with GitHub.',
    access: 'none',
    rate: 'auth',
    head: false,
    query: z.object({
      code: text(500).optional(),
      state: text(100).optional(),
      error: text(100).optional(),
      error_description: text(1_000).optional(),
      error_uri: text(1_000).optional(),
    }),
    reply: { 302: raw('', 'To the app, to the second step, or to the sign-in page with the problem.') },
    errors: ['not_found', 'sso_failed', 'sso_unreachable', 'sso_required', 'outcome_unknown'],
    handle: ({ app, query, request }) =>
      redirectBrowser(request, () => finishGithubLogin(app, request, query)),
  }),

  route('auth.github.confirm', 'POST /auth/github/confirm', {
    summary: 'Link a GitHub account with the token in the mail.',
    detail: 'Opens no session. Sign in with GitHub afterwards.',
    access: 'none',
    rate: 'auth',
    audit: true,
    body: Token,
    reply: { 200: ok },
    errors: ['link_invalid'],
    handle: async ({ app, body, request }) => {
      await confirmGithub(app, request, body.token)
      return DONE
    },
  }),

  route('auth.github.get', 'GET /auth/github/account', {
    summary: 'Show the GitHub account that is linked to yours.',
    access: 'session',
    rate: 'global',
    reply: {
      200: z.object({
        github: z.object({ login: z.string(), linkedAt: timestamp, lastUsedAt: timestamp }).nullable(),
      }),
    },
    handle: ({ app, actor }) => findGithub(app, actor),
  }),

  route('auth.github.link', 'POST /auth/github/account', {
    summary: 'Start linking a GitHub account. Open the returned address in this browser.',
    access: 'session',
    rate: 'auth',
    carriesSecret: true,
    reply: { 200: z.object({ url: z.string() }) },
    errors: ['not_found', 'reauth_required'],
    handle: async ({ app, actor, request }) => ({ url: await linkGithub(app, actor, request) }),
  }),

  route('auth.github.unlink', 'DELETE /auth/github/account', {
    summary: 'Unlink your GitHub account.',
    access: 'session',
    rate: 'auth',
    audit: true,
    reply: { 200: ok },
    errors: ['not_found', 'reauth_required'],
    handle: async ({ app, actor, request }) => {
      await unlinkGithub(app, actor, request)
      return DONE
    },
  }),
]
