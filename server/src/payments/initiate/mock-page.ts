// The page on which a tester approves or declines a mock payment. It does not exist in production.
import { createHash } from 'node:crypto'
import { ApiError, invalidFields } from '../../kernel/errors.ts'
import { type Html, html, Html as Markup } from '../../kernel/html.ts'
import { format, money } from '../../kernel/money.ts'
import type { App } from '../../platform/app.ts'
import { type Answer, answer, redirect } from '../../platform/http/answer.ts'
import { pageHeaders } from '../../platform/http/reply/headers.ts'
import { channelByName } from '../channels.ts'
import type { MockDecision } from '../rails/mock/mock.ts'
import { reconcilePayment } from '../settle/reconcile.ts'
import { mockDecisionOf, type Payment, paymentByReference, setMockDecision } from '../sql/payments.ts'
import { returnPath } from './browser-return.ts'

type MockPayment = Payment & { readonly decision: MockDecision | null }

export async function mockPage(app: App, reference: string): Promise<Answer> {
  const payment = await find(app, reference)
  const style = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`
  return answer(200, pageOf(payment).markup, pageHeaders({ style }))
}

/** Stores the decision, settles the payment and redirects as a provider would. */
export async function submitMockDecision(
  app: App,
  reference: string,
  decision: MockDecision,
): Promise<Answer> {
  const payment = await find(app, reference)
  if (!choicesFor(payment).some(([choice]) => choice === decision))
    throw invalidFields({ path: 'decision', message: 'must be one of those on the page' })
  await app.db.tx('platform', (tx) => setMockDecision(tx, reference, decision))
  await reconcilePayment(app, reference, 'mock')
  return redirect(returnPath(payment.purpose, reference))
}

async function find(app: App, reference: string): Promise<MockPayment> {
  if (app.config.environment === 'production') throw new ApiError('not_found')
  return app.db.tx('platform', async (tx) => {
    const payment = await paymentByReference(tx, reference)
    if (payment?.mode !== 'mock') throw new ApiError('not_found')
    return { ...payment, decision: await mockDecisionOf(tx, reference) }
  })
}

// The content security policy allows this style by its hash. The page has no script.
const STYLE = `:root{color-scheme:light dark}
body{max-width:28rem;margin:3rem auto;padding:0 1.25rem;font:16px/1.5 system-ui,sans-serif}
strong{font-size:2rem;display:block}
form{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:1.5rem}
button{flex:1 1 8rem;padding:.9rem;font:inherit;font-weight:600;border-radius:.5rem;border:1px solid currentColor;background:none;color:inherit}
button.yes{background:#0f5f4c;border-color:#0f5f4c;color:#fff}`

function pageOf(payment: MockPayment): Html {
  const { amountMinor, currency, channel, reference } = payment
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
<p>This is test money: no provider is called and nothing is charged. Reference ${reference}.</p>
${
  isUndecided(payment)
    ? decisionForm(payment)
    : html`<p>This payment is ${describeState(payment)}.</p>
<p><a href="${returnPath(payment.purpose, reference)}">Back to the ${payment.purpose === 'topup' ? 'wallet' : 'app'}</a></p>`
}
</main>
</body>
</html>
`
}

const isUndecided = ({ status, decision }: MockPayment): boolean => status === 'pending' && decision === null

const decisionForm = (
  payment: MockPayment,
): Html => html`<form method="post" action="/pay/mock/${payment.reference}">
${choicesFor(payment).map(
  ([value, label], place) =>
    html`<button${place === 0 ? new Markup(' class="yes"') : ''} name="decision" value="${value}">${label}</button>
`,
)}</form>`

/** A payment that stores a card also chooses how the card behaves later. */
const choicesFor = ({ purpose, cardId }: MockPayment): readonly (readonly [MockDecision, string])[] =>
  purpose === 'topup' || cardId !== null
    ? [APPROVE, DECLINE]
    : [
        APPROVE,
        ['approved_then_declines', 'Approve with a card that is declined later'],
        ['approved_then_asks', 'Approve with a card whose bank asks'],
        DECLINE,
      ]
const APPROVE = ['approved', 'Approve'] as const
const DECLINE = ['declined', 'Decline'] as const

const describeState = ({ status, decision }: MockPayment): string =>
  status === 'pending' && decision ? (decision === 'declined' ? 'declined' : 'approved') : status
