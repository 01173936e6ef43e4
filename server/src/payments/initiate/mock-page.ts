// The page on which a tester approves or declines a mock payment. It does not exist in production.
import { createHash } from 'node:crypto'
import { ApiError, invalidFields } from '../../kernel/errors.ts'
import { type Html, html, Html as Markup } from '../../kernel/html.ts'
import { money } from '../../kernel/money.ts'
import type { App } from '../../platform/app.ts'
import { type Answer, answer, redirect } from '../../platform/http/answer.ts'
import { pageHeaders } from '../../platform/http/reply/headers.ts'
import { directionOf, type Language } from '../../platform/texts/language.ts'
import { formatMoney, translated, type Writer, writerIn } from '../../platform/texts/texts.ts'
import { channelByName } from '../channels.ts'
import type { MockDecision } from '../rails/mock/mock.ts'
import { reconcilePayment } from '../settle/reconcile.ts'
import { mockDecisionOf, type Payment, paymentByReference, setMockDecision } from '../sql/payments.ts'
import { returnPath } from './browser-return.ts'

type MockPayment = Payment & { readonly decision: MockDecision | null }

export async function mockPage(app: App, reference: string, language: Language): Promise<Answer> {
  const payment = await find(app, reference)
  const style = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`
  return answer(200, pageOf(payment, language).markup, {
    ...pageHeaders({ style }),
    vary: 'accept-language',
  })
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
const STYLE = `:root{color-scheme:light dark;--paper:light-dark(#fbfaf7,#15171f);--ink:light-dark(#1b1d2a,#efede8);--ink-2:light-dark(#55586a,#b0b2bd);--rule:light-dark(#dedad2,#343744);--accent:light-dark(#33308a,#b3b5ff);--on-accent:light-dark(#fff,#1a1a3d);--warn:light-dark(#8a4b10,#f0b878)}
*{box-sizing:border-box;margin:0}
body{max-width:440px;margin:0 auto;padding:48px 20px;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
h1{display:flex;align-items:center;gap:8px;font-size:20px;line-height:1.2}
svg{fill:var(--accent)}
.lips{fill:var(--paper)}
main>p{margin-top:16px}
strong{display:block;font-size:40px;line-height:1.25;letter-spacing:-.02em}
.test{padding:8px 12px;border-inline-start:3px solid var(--warn)}
.quiet{font-size:14px;color:var(--ink-2)}
form{display:flex;flex-wrap:wrap;gap:12px;margin-top:24px}
button{min-height:44px;padding:8px 16px;font:inherit;font-weight:600;border-radius:6px;border:1px solid var(--rule);background:none;color:inherit;cursor:pointer}
button.yes{background:var(--accent);border-color:transparent;color:var(--on-accent)}
a{color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
@media (max-width:400px){body{padding-top:24px}button{flex:1 1 8rem}}`

/** The cowrie shell of the app. */
const MARK = new Markup(
  '<svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true"><path d="M16.5 1.5c8 0 11.5 7 11.5 14.2S23.5 30.5 16 30.5 4 23.2 4 15.7 8.5 1.5 16.5 1.5Z"/><path class="lips" d="M16.8 4.5c-5.2 6-5.2 17-.8 23 5.2-6 5.6-17 .8-23Z"/></svg>',
)

function pageOf(payment: MockPayment, language: Language): Html {
  const t = writerIn(language)
  const { amountMinor, currency, channel, reference } = payment
  return html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${t('Test bank')} &middot; Cowrie</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<main>
<h1>${MARK} ${t('Test bank')}</h1>
<p><strong>${formatMoney(language, money(amountMinor, currency))}</strong> ${t('with {channel}', { channel: translated(language, channelByName(channel).label) })}</p>
<p class="test">${t('This is test money: no provider is called and nothing is charged.')}</p>
<p class="quiet">${t('Reference')} <bdi dir="ltr">${reference}</bdi></p>
${
  isUndecided(payment)
    ? decisionForm(payment, t)
    : html`<p>${t(stateOf(payment))}</p>
<p><a href="${returnPath(payment.purpose, reference)}">${t(payment.purpose === 'topup' ? 'Back to the wallet' : 'Back to the app')}</a></p>`
}
</main>
</body>
</html>
`
}

const isUndecided = ({ status, decision }: MockPayment): boolean => status === 'pending' && decision === null

const decisionForm = (
  payment: MockPayment,
  t: Writer,
): Html => html`<form method="post" action="/pay/mock/${payment.reference}">
${choicesFor(payment).map(
  ([value, label], place) =>
    html`<button${place === 0 ? new Markup(' class="yes"') : ''} name="decision" value="${value}">${t(label)}</button>
`,
)}</form>`

/** A payment that stores a card also chooses how the card behaves later. */
const choicesFor = ({ purpose, cardId }: MockPayment): readonly (readonly [MockDecision, Label])[] =>
  purpose === 'topup' || cardId !== null
    ? [APPROVE, DECLINE]
    : [
        APPROVE,
        ['approved_then_declines', 'Approve with a card that is declined later'],
        ['approved_then_asks', 'Approve with a card whose bank asks'],
        DECLINE,
      ]
type Label =
  | 'Approve'
  | 'Decline'
  | 'Approve with a card that is declined later'
  | 'Approve with a card whose bank asks'
const APPROVE = ['approved', 'Approve'] as const
const DECLINE = ['declined', 'Decline'] as const

const STATES = {
  approved: 'This payment is approved.',
  declined: 'This payment is declined.',
  settled: 'This payment is settled.',
  failed: 'This payment is failed.',
  expired: 'This payment is expired.',
  review: 'This payment is under review.',
} as const

const stateOf = ({ status, decision }: MockPayment): (typeof STATES)[keyof typeof STATES] =>
  status === 'pending' ? STATES[decision === 'declined' ? 'declined' : 'approved'] : STATES[status]
