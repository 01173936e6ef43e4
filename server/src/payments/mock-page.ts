// The page on which a person plays the payer: approve or decline. It exists outside production only.
import { createHash } from 'node:crypto'
import { ApiError } from '../kernel/errors.ts'
import { type Html, html, Html as Markup } from '../kernel/html.ts'
import { format, money } from '../kernel/money.ts'
import type { App } from '../platform/app.ts'
import { type Answer, answer, redirect } from '../platform/http/answer.ts'
import { pageHeaders } from '../platform/http/headers.ts'
import { checkPayment } from './ask.ts'
import { channelByName } from './channels.ts'
import type { Decision } from './rails/mock.ts'
import * as sql from './sql.ts'

type MockTopup = NonNullable<Awaited<ReturnType<typeof sql.mockTopup>>>

export async function mockPage(app: App, reference: string): Promise<Answer> {
  const topup = await find(app, reference)
  const style = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`
  return answer(200, pageOf(topup).markup, pageHeaders({ style }))
}

/** The payer's decision, once; then back to where a provider would send them. */
export async function decideMock(app: App, reference: string, decision: Decision): Promise<Answer> {
  await find(app, reference)
  await app.db.tx('platform', (tx) => sql.decide(tx, reference, decision))
  await checkPayment(app, reference, 'mock')
  return redirect(walletPath(reference))
}

/** Where the browser goes after a payment. A path, so that it stays on the origin that it is on. */
export const walletPath = (reference: string): string => `/app/wallet?reference=${reference}`

async function find(app: App, reference: string): Promise<MockTopup> {
  const isMockAllowed = app.config.environment !== 'production'
  const topup = isMockAllowed && (await app.db.tx('platform', (tx) => sql.mockTopup(tx, reference)))
  if (!topup) throw new ApiError('not_found')
  return topup
}

// A style of one's own must be named to the browser by its hash; there is no script.
const STYLE = `:root{color-scheme:light dark}
body{max-width:28rem;margin:3rem auto;padding:0 1.25rem;font:16px/1.5 system-ui,sans-serif}
strong{font-size:2rem;display:block}
form{display:flex;gap:.75rem;margin-top:1.5rem}
button{flex:1;padding:.9rem;font:inherit;font-weight:600;border-radius:.5rem;border:1px solid currentColor;background:none;color:inherit}
button.yes{background:#0f5f4c;border-color:#0f5f4c;color:#fff}`

function pageOf(topup: MockTopup): Html {
  const { amountMinor, currency, channel, reference } = topup
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Mock payment</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<main>
<h1>Mock payment</h1>
<p><strong>${format(money(amountMinor, currency))}</strong> with ${channelByName(channel).label}</p>
<p>This is play money: no provider is asked and nothing is charged. Reference ${reference}.</p>
${
  isUndecided(topup)
    ? choice(reference)
    : html`<p>This payment is ${wordFor(topup)}.</p>
<p><a href="${walletPath(reference)}">Back to the wallet</a></p>`
}
</main>
</body>
</html>
`
}

const isUndecided = ({ status, decision }: MockTopup): boolean => status === 'pending' && decision === null

const choice = (reference: string): Html => html`<form method="post" action="/pay/mock/${reference}">
<button class="yes" name="decision" value="approved">Approve</button>
<button name="decision" value="declined">Decline</button>
</form>`

const wordFor = ({ status, decision }: MockTopup): string =>
  status === 'pending' && decision ? decision : status
