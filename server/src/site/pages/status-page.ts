// The state of the service in words and shapes.
import { type Html, html } from '../../kernel/html.ts'
import type { ServiceStatus, State } from '../facts/status.ts'
import { COUNTRY_CODES } from '../facts/visitor.ts'
import type { SiteTexts } from '../text/texts.ts'
import { countryName, formatTime } from './format.ts'
import { NOTHING, type PageContext, renderPage } from './layout.ts'

const PARTS = ['service', 'database', 'models', 'mail'] as const

export function statusPage(context: PageContext, status: ServiceStatus): string {
  const { texts, visitor } = context
  const { status: words } = texts
  const states = PARTS.map((part) => status[part])
  const channels = [...status.payments.values()].flat()
  const isDown = states.includes('down')
  const isLimited = states.includes('limited') || channels.some(({ state }) => state === 'paused')
  const verdict = isDown ? words.someDown : isLimited ? words.someLimited : words.allWork
  const rank = isDown ? 'down' : isLimited ? 'limited' : 'works'
  // The home country of the visitor comes first.
  const countries = [visitor.country, ...COUNTRY_CODES.filter((code) => code !== visitor.country)]
  return renderPage(context, {
    path: '/status',
    title: words.title,
    description: words.description,
    first: html`<article class="paper">
<h1 class="state ${rank}"><span class="mark" aria-hidden="true"></span>${verdict}</h1>
${status.notice ? html`<section class="notice"><h2>${words.noticeTitle}</h2><p dir="auto">${status.notice}</p></section>` : NOTHING}
<dl class="states">${PARTS.map((part) => entry(words.parts[part], status[part], words.states[status[part]], noteOf(words, part, status[part])))}</dl>
<h2>${words.paymentsTitle}</h2>
<div class="countries">${countries.map((country) => {
      const all = status.payments.get(country) ?? []
      return html`<section><h3>${countryName(visitor, country)}</h3>${
        all.length === 0
          ? html`<p class="help">${words.noChannels}</p>`
          : html`<dl class="states">${all.map(({ channel, label, state }) => entry(texts.channels[channel] ?? label, CHANNEL_STATE[state], words.channelStates[state], ''))}</dl>`
      }</section>`
    })}</div>
<p>${words.help}</p>
<p class="help">${words.readAt(formatTime(status.at))}</p>
</article>`,
  })
}

const CHANNEL_STATE = { live: 'works', test: 'test', paused: 'limited' } as const

const entry = (name: string, state: State, word: string, note: string): Html =>
  html`<div class="state ${state}"><dt>${name}</dt><dd><span class="mark" aria-hidden="true"></span>${word}${note ? html`<small>${note}</small>` : NOTHING}</dd></div>`

function noteOf({ notes }: SiteTexts['status'], part: (typeof PARTS)[number], state: State): string {
  if (part === 'service' && state === 'limited') return notes.maintenance
  if (part === 'mail' && state === 'test') return notes.mailTest
  if (part !== 'models') return ''
  return { works: '', test: notes.modelsTest, limited: notes.modelsLimited, down: notes.modelsDown }[state]
}
