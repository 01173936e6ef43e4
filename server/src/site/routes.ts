// Routes of the public pages. They read no data of any organisation.
import { z } from 'zod'
import type { App } from '../platform/app.ts'
import { type Answer, answer, redirect } from '../platform/http/answer.ts'
import { type RequestInfo, type Route, raw, route } from '../platform/http/route.ts'
import { LANGUAGE_CODES } from '../platform/texts/language.ts'
import { readAssets } from './facts/assets.ts'
import { figuresIn } from './facts/figures.ts'
import { readStatus, STATUS_SECONDS } from './facts/status.ts'
import { COUNTRY_CODES, rememberChoice, visitorOf } from './facts/visitor.ts'
import { homePage } from './pages/home.ts'
import { type PageContext, textsOf } from './pages/layout.ts'
import { legalPage } from './pages/legal-page.ts'
import { robotsText, securityText, sitemapXml } from './pages/machine-files.ts'
import { pricingPage } from './pages/pricing.ts'
import { statusPage } from './pages/status-page.ts'
import { sendPage } from './send-page.ts'

const ChoiceQuery = z.object({
  lang: z.enum(LANGUAGE_CODES).optional(),
  country: z.enum(COUNTRY_CODES).optional(),
})
const HomeQuery = ChoiceQuery.extend({ home: z.literal('1').optional() })
const PROMPT_CHARACTERS_MAX = 2_000
const TryQuery = ChoiceQuery.extend({ prompt: z.string().trim().max(PROMPT_CHARACTERS_MAX).default('') })

const HTML = 'text/html; charset=utf-8'
const TEXT = 'text/plain; charset=utf-8'
const PAGE = {
  200: raw(HTML, 'The page, in the language of the visitor.'),
  304: raw('', 'The copy of the browser is current.'),
}
/** Files that change only with a release. */
const HOUR = { 'cache-control': 'public, max-age=3600' }

export const siteRoutes = [
  route('site.home', 'GET /', {
    summary: 'Show the front page, or lead a signed-in person to the app.',
    access: 'none',
    rate: 'global',
    hidden: true,
    query: HomeQuery,
    reply: { ...PAGE, 302: raw('', 'To /app, for a person with a session.') },
    handle: ({ app, query, request }) => {
      const hasChoice = query.lang !== undefined || query.country !== undefined || query.home !== undefined
      if (visitorOf(request, query).isSignedIn && !hasChoice)
        return answer(302, '', { location: '/app', vary: 'cookie' })
      return pageReply(app, request, query, (context) =>
        homePage(context, figuresIn(app, context.visitor.currency)),
      )
    },
  }),

  route('site.try', 'GET /try', {
    summary: 'Lead from the front page to the sample task, with the prompt.',
    access: 'none',
    rate: 'global',
    hidden: true,
    query: TryQuery,
    reply: { 302: raw('', 'To a new task in the app, or first to the registration.') },
    handle: ({ query, request }) => {
      const task = `/app/tasks/new?${new URLSearchParams({ sample: '1', ...(query.prompt && { prompt: query.prompt }) })}`
      if (visitorOf(request, query).isSignedIn) return redirect(task)
      const country = query.country ? { country: query.country } : {}
      return redirect(`/app/register?${new URLSearchParams({ ...country, next: task })}`)
    },
  }),

  page('site.pricing', 'GET /pricing', 'Show all prices.', (app, context) =>
    pricingPage(context, figuresIn(app, context.visitor.currency)),
  ),
  page('site.terms', 'GET /terms', 'Show the terms of service.', (_, context) => legalPage(context, 'terms')),
  page('site.privacy', 'GET /privacy', 'Show the privacy notice.', (_, context) =>
    legalPage(context, 'privacy'),
  ),
  page('site.security', 'GET /security', 'Show how the service protects code and money.', (_, context) =>
    legalPage(context, 'security'),
  ),
  page(
    'site.status',
    'GET /status',
    'Show whether the service works.',
    async (app, context) => statusPage(context, await readStatus(app)),
    STATUS_SECONDS,
  ),

  route('site.robots', 'GET /robots.txt', {
    summary: 'Say what crawlers may read.',
    access: 'none',
    rate: 'global',
    hidden: true,
    reply: { 200: raw(TEXT, 'robots.txt') },
    handle: ({ app }) => answer(200, robotsText(app.config.baseUrl), HOUR),
  }),

  route('site.sitemap', 'GET /sitemap.xml', {
    summary: 'List the public pages for search engines.',
    access: 'none',
    rate: 'global',
    hidden: true,
    reply: { 200: raw('application/xml; charset=utf-8', 'The sitemap.') },
    handle: ({ app }) => answer(200, sitemapXml(app.config.baseUrl), HOUR),
  }),

  route('site.securityContact', 'GET /.well-known/security.txt', {
    summary: 'Say how to report a security problem.',
    access: 'none',
    rate: 'global',
    hidden: true,
    reply: { 200: raw(TEXT, 'RFC 9116') },
    handle: ({ app }) => answer(200, securityText(app.config.baseUrl, app.clock.now()), HOUR),
  }),

  route('site.worker', 'GET /site-worker.js', {
    summary: 'The service worker of the public pages, which keeps them readable without a network.',
    access: 'none',
    rate: 'global',
    hidden: true,
    reply: { 200: raw('text/javascript; charset=utf-8', 'The script.') },
    // A worker gets the policy of its script. It requests only this origin.
    handle: () =>
      answer(200, readAssets().worker, {
        'cache-control': 'no-cache',
        'content-security-policy': "default-src 'none'; connect-src 'self'",
      }),
  }),
]

function page(
  name: string,
  address: `GET /${string}`,
  summary: string,
  render: (app: App, context: PageContext) => string | Promise<string>,
  maxAgeSeconds = 0,
): Route {
  return route(name, address, {
    summary,
    access: 'none',
    rate: 'global',
    hidden: true,
    query: ChoiceQuery,
    reply: PAGE,
    handle: ({ app, query, request }) =>
      pageReply(app, request, query, (context) => render(app, context), maxAgeSeconds),
  })
}

async function pageReply(
  app: App,
  request: RequestInfo,
  choice: z.output<typeof ChoiceQuery>,
  render: (context: PageContext) => string | Promise<string>,
  maxAgeSeconds = 0,
): Promise<Answer> {
  const { baseUrl, seller } = app.config
  const visitor = visitorOf(request, choice)
  const assets = readAssets()
  rememberChoice(request, choice, baseUrl.startsWith('https:'))
  const rendered = await render({ visitor, texts: textsOf(visitor), assets, baseUrl, seller: seller.name })
  return sendPage(request, assets, rendered, maxAgeSeconds)
}
