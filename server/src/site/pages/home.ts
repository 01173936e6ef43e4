// The front page: what the service is, a recorded task, prices, payment channels, promises and tools.
import { type Html, html } from '../../kernel/html.ts'
import type { Figures } from '../facts/figures.ts'
import { RECORDED_TASK } from '../facts/recorded-task.ts'
import { amount, currencyName, formatAmount } from './format.ts'
import { NOTHING, type PageContext, renderPage } from './layout.ts'

/** Where each promise can be checked, in the order of the texts. */
export const PROOFS = ['/security#quotes', '/security#retries', '/terms#charges', '/security#ledger'] as const

export function homePage(context: PageContext, figures: Figures): string {
  const { home } = context.texts
  return renderPage(context, {
    path: '/',
    title: home.title,
    description: home.description,
    first: html`<div class="hero wide">
<div class="pitch">
<h1>${home.headline}</h1>
<p class="lead">${home.lead(currencyName(context.visitor, figures.currency))}</p>
${promptForm(context)}
</div>
${recordedTask(context, figures)}
</div>
${prices(context, figures)}`,
    rest: html`${promises(context)}
${tools(context)}`,
  })
}

function promptForm({ texts: { home }, visitor }: PageContext): Html {
  return html`<form class="prompt" action="/try" method="get">
<label for="prompt">${home.promptLabel}</label>
<textarea id="prompt" name="prompt" rows="2" maxlength="2000" required dir="auto" aria-describedby="prompt-help">${home.promptExample}</textarea>
<input type="hidden" name="country" value="${visitor.country}">
<button class="button primary">${home.promptButton}</button>
<p id="prompt-help" class="help">${home.promptHint}</p>
</form>`
}

/** The final state. A script plays it from the times in the attributes, and changes no text that it did not find here. */
function recordedTask({ texts: { home }, visitor }: PageContext, { task, currency }: Figures): Html {
  const { prompt, events, diff } = RECORDED_TASK
  const max = formatAmount(visitor, task.maxMinor, currency)
  const spent = formatAmount(visitor, task.spentMinor, currency)
  const steps = events.flatMap((event) => {
    const at = html` data-at="${event.afterMs}"`
    // The change below shows the edit.
    if (event.kind === 'tool' && event.tool !== 'edit')
      return [
        html`<li${at}><span class="mark" aria-hidden="true"></span>${home.tools[event.tool]}${event.subject ? html` <code dir="ltr">${event.subject}</code>` : NOTHING}</li>`,
      ]
    if (event.kind === 'change')
      return [
        html`<li class="diff"${at}><p class="file"><span><span class="mark" aria-hidden="true"></span>${home.tools.edit} <code dir="ltr">${event.path}</code></span> <bdi dir="ltr"><ins>+${event.added}</ins> <del>&minus;${event.removed}</del></bdi></p><pre dir="ltr"><code>${diff.map(diffLine)}</code></pre></li>`,
      ]
    if (event.kind === 'finished')
      return [
        html`<li class="passed"${at}><span class="mark" aria-hidden="true"></span>${home.testsPass(event.passed)}</li>`,
      ]
    return []
  })
  return html`<section class="task" aria-labelledby="task-title" data-play="${home.play}">
<header><h2 id="task-title">${home.recordedTitle}</h2></header>
<p class="ask" lang="en" dir="ltr">${prompt}</p>
<p class="most"><span>${home.atMost}</span> <b><bdi dir="ltr">${max}</bdi></b></p>
<ol>${steps}</ol>
<p class="spent" data-at="${events.at(-1)?.afterMs ?? 0}"><span>${home.cost}</span> <b><bdi dir="ltr">${spent}</bdi></b></p>
${weave(Number((task.spentMinor * 100n) / (task.maxMinor || 1n)), home.costOf(spent, max))}
<p class="help">${home.recordedNote}</p>
</section>`
}

function diffLine({ kind, text }: (typeof RECORDED_TASK.diff)[number]): Html {
  const line = `${{ same: ' ', removed: '-', added: '+' }[kind]} ${text}\n`
  if (kind === 'same') return html`<span>${line}</span>`
  return kind === 'added' ? html`<ins>${line}</ins>` : html`<del>${line}</del>`
}

/** Stitches for the share of the maximum that was spent. Attributes, because the policy allows no style attributes. */
const weave = (percent: number, label: string): Html =>
  html`<svg class="weave" role="img" aria-label="${label}" viewBox="0 0 100 2" preserveAspectRatio="none"><path class="rest" d="M0 1h100"/><path class="used" d="M0 1h${percent}"/></svg>`

function prices(context: PageContext, { task, models, plans, channels, currency }: Figures): Html {
  const { texts, visitor } = context
  const { home } = texts
  const open = models.find(({ lane, title }) => lane === 'open' && title === null) ?? models[0]
  const pro = plans.find(({ code, interval }) => code === 'pro' && interval === 'month')
  const figure = (minor: bigint, words: string) =>
    html`<div><dt>${words}</dt><dd>${amount(visitor, minor, currency)}</dd></div>`
  const labels = channels.map(({ channel, label }) => texts.channels[channel] ?? label)
  const least = channels.reduce<bigint | null>(
    (low, { minMinor }) => (low === null || minMinor < low ? minMinor : low),
    null,
  )
  const paid =
    least === null
      ? html`<p class="rails">${home.noChannels}</p>`
      : html`<p class="rails"><span>${home.paidBy}</span> ${labels.map((label) => html`<b>${label}</b>`)} <span>${home.from(formatAmount(visitor, least, currency))}</span></p>`
  return html`<section class="prices" aria-labelledby="prices-title"><div class="wide">
<h2 id="prices-title" class="hidden">${home.pricesTitle}</h2>
<dl>${figure(task.spentMinor, home.priceTask)}${open ? figure(open.inputMinor, home.priceTokens) : NOTHING}${pro ? figure(pro.amountMinor, home.pricePlan) : NOTHING}</dl>
<div class="paying">${paid}
<p class="more">${channels.some(({ mode }) => mode === 'mock') ? html`<span class="test-money">${home.testMoney}</span> ` : NOTHING}<a href="/pricing">${home.allPrices}</a></p></div>
</div></section>`
}

function promises({ texts: { home } }: PageContext): Html {
  const entries = home.promises.map(
    ({ title, text, proof }, i) =>
      html`<li><h3>${title}</h3><p>${text}</p><p><a href="${PROOFS[i] ?? '/security'}">${proof}</a></p></li>`,
  )
  return html`<section class="promises wide" aria-labelledby="promises-title">
<h2 id="promises-title">${home.promisesTitle}</h2>
<ul>${entries}</ul>
</section>`
}

function tools({ texts: { home }, assets }: PageContext): Html {
  return html`<section class="tools wide" aria-labelledby="tools-title">
<h2 id="tools-title">${home.toolsTitle}</h2>
<p>${home.toolsText}</p>
<ul dir="ltr">${assets.clients.map((name) => html`<li>${name}</li>`)}</ul>
</section>`
}
