// All prices in the currency of the visitor: models, plans and payment channels.
import { type Html, html } from '../../kernel/html.ts'
import type { Figures, ModelPrice } from '../facts/figures.ts'
import { amount, currencyName, formatAmount, formatCount } from './format.ts'
import { NOTHING, type PageContext, renderPage } from './layout.ts'

export function pricingPage(context: PageContext, figures: Figures): string {
  const { texts, visitor } = context
  const { pricing } = texts
  const { task, currency } = figures
  const tokens = formatCount(visitor, task.tokens)
  const [spent, max] = [task.spentMinor, task.maxMinor].map((minor) => formatAmount(visitor, minor, currency))
  return renderPage(context, {
    path: '/pricing',
    title: pricing.title,
    description: pricing.description,
    first: html`<article class="paper">
<h1>${pricing.title}</h1>
<p class="lead">${pricing.lead(currencyName(visitor, currency))}</p>
<h2 id="example">${pricing.exampleTitle}</h2>
<p>${pricing.example(tokens, spent ?? '', max ?? '')}</p>
${models(context, figures)}
${plans(context, figures)}
${channels(context, figures)}
<p>${pricing.balanceNote}</p>
</article>`,
  })
}

function models({ texts, visitor }: PageContext, { models: all, currency }: Figures): Html {
  const { pricing, home } = texts
  const { columns } = pricing
  const row = (model: ModelPrice): Html => {
    const cells = [model.inputMinor, model.cachedInputMinor, model.cacheWriteMinor, model.outputMinor]
    return html`<tr><th scope="row">${model.title ?? pricing.lanes[model.lane]}<small><code dir="ltr">${model.id}</code> · ${formatCount(visitor, model.contextTokens)} ${pricing.tokens}</small></th>${cells.map((minor) => html`<td>${amount(visitor, minor, currency)}</td>`)}</tr>`
  }
  const table = html`<div class="table" role="region" aria-labelledby="models" tabindex="0"><table>
<thead><tr><th scope="col">${columns.model}</th>${[columns.input, columns.cachedInput, columns.cacheWrite, columns.output].map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${all.map(row)}</tbody></table></div>`
  return html`<h2 id="models">${pricing.modelsTitle}</h2>
<p>${pricing.modelsText}</p>
${all.length > 0 ? table : html`<p>${home.noModels}</p>`}`
}

function plans({ texts: { pricing }, visitor }: PageContext, { plans: all, currency }: Figures): Html {
  const { planColumns: columns } = pricing
  const yearly = new Map(all.filter(({ interval }) => interval === 'year').map((plan) => [plan.code, plan]))
  const cell = (minor: bigint | undefined): Html =>
    minor === undefined || minor === 0n
      ? html`<td>${pricing.none}</td>`
      : html`<td>${amount(visitor, minor, currency)}</td>`
  const rows = all
    .filter(({ interval }) => interval === 'month')
    .map(
      (plan) =>
        html`<tr><th scope="row">${plan.name}</th><td>${amount(visitor, plan.amountMinor, currency)}</td><td>${amount(visitor, yearly.get(plan.code)?.amountMinor ?? 0n, currency)}</td>${cell(plan.includedUsageMinor)}<td><bdi>${plan.seatAllotment}</bdi></td>${cell(plan.seatPriceMinor)}</tr>`,
    )
  const names = [columns.plan, columns.month, columns.year, columns.included, columns.seats, columns.seat]
  return html`<h2 id="plans">${pricing.plansTitle}</h2>
<p>${pricing.plansText}</p>
<div class="table" role="region" aria-labelledby="plans" tabindex="0"><table>
<thead><tr>${names.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>`
}

function channels({ texts, visitor }: PageContext, { channels: all, currency }: Figures): Html {
  const { pricing, home } = texts
  const { channelColumns: columns } = pricing
  const rows = all.map(
    ({ channel, label, minMinor, maxMinor }) =>
      html`<tr><th scope="row">${texts.channels[channel] ?? label}</th>${[minMinor, maxMinor, 0n].map((minor) => html`<td>${amount(visitor, minor, currency)}</td>`)}</tr>`,
  )
  const table = html`<div class="table" role="region" aria-labelledby="channels" tabindex="0"><table>
<thead><tr>${[columns.channel, columns.least, columns.most, columns.fee].map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>`
  return html`<h2 id="channels">${pricing.channelsTitle}</h2>
<p>${pricing.channelsText}</p>
${all.some(({ mode }) => mode === 'mock') ? html`<p class="test-money">${home.testMoney}</p>` : NOTHING}
${all.length > 0 ? table : html`<p>${home.noChannels}</p>`}`
}
