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
  const names = [columns.model, columns.input, columns.cachedInput, columns.cacheWrite, columns.output]
  const rows = all.map((model: ModelPrice) => ({
    head: html`${model.title ?? pricing.lanes[model.lane]}<small><code dir="ltr">${model.id}</code> &middot; ${formatCount(visitor, model.contextTokens)} ${pricing.tokens}</small>`,
    cells: [model.inputMinor, model.cachedInputMinor, model.cacheWriteMinor, model.outputMinor].map((minor) =>
      amount(visitor, minor, currency),
    ),
  }))
  return html`<h2 id="models">${pricing.modelsTitle}</h2>
<p>${pricing.modelsText}</p>
${all.length > 0 ? table('models', names, rows) : html`<p>${home.noModels}</p>`}`
}

function plans({ texts: { pricing }, visitor }: PageContext, { plans: all, currency }: Figures): Html {
  const { planColumns: columns } = pricing
  const yearly = new Map(all.filter(({ interval }) => interval === 'year').map((plan) => [plan.code, plan]))
  const none = html`${pricing.none}`
  const priceOrNone = (minor: bigint): Html => (minor === 0n ? none : amount(visitor, minor, currency))
  const rows = all
    .filter(({ interval }) => interval === 'month')
    .map((plan) => ({
      head: html`${plan.name}`,
      cells: [
        amount(visitor, plan.amountMinor, currency),
        amount(visitor, yearly.get(plan.code)?.amountMinor ?? 0n, currency),
        priceOrNone(plan.includedUsageMinor),
        html`<bdi>${plan.seatAllotment}</bdi>`,
        priceOrNone(plan.seatPriceMinor),
      ],
    }))
  const names = [columns.plan, columns.month, columns.year, columns.included, columns.seats, columns.seat]
  return html`<h2 id="plans">${pricing.plansTitle}</h2>
<p>${pricing.plansText}</p>
${table('plans', names, rows)}`
}

function channels({ texts, visitor }: PageContext, { channels: all, currency }: Figures): Html {
  const { pricing, home } = texts
  const { channelColumns: columns } = pricing
  const rows = all.map(({ channel, label, minMinor, maxMinor }) => ({
    head: html`${texts.channels[channel] ?? label}`,
    cells: [minMinor, maxMinor, 0n].map((minor) => amount(visitor, minor, currency)),
  }))
  const names = [columns.channel, columns.least, columns.most, columns.fee]
  return html`<h2 id="channels">${pricing.channelsTitle}</h2>
<p>${pricing.channelsText}</p>
${all.some(({ mode }) => mode === 'mock') ? html`<p class="test-money">${home.testMoney}</p>` : NOTHING}
${all.length > 0 ? table('channels', names, rows) : html`<p>${home.noChannels}</p>`}`
}

/** `id`: the heading of the table. Phones show each row as a group, in which every cell has its name. */
const table = (
  id: string,
  [first = '', ...names]: readonly string[],
  rows: readonly { readonly head: Html; readonly cells: readonly Html[] }[],
): Html => html`<table aria-labelledby="${id}">
<thead><tr><th scope="col">${first}</th>${names.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows.map(({ head, cells }) => html`<tr><th scope="row">${head}</th>${cells.map((cell, i) => html`<td data-label="${names[i] ?? ''}">${cell}</td>`)}</tr>`)}</tbody></table>`
