// The Markdown of the guides as HTML: headings, paragraphs, lists, tables, fenced code, and `code`, **strong** and [links](…) in
// a line. All text is escaped. Code stands beside the text before it.
import { type Html, html } from '../../../../kernel/html.ts'
import { codeTokens } from './code-tokens.ts'
import { SAMPLE_LANGUAGES, type SampleLanguage } from './print-sample.ts'

export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string; readonly id: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly string[] }
  | { readonly kind: 'table'; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }

const FENCE = /^```(\S*)\s*$/
const HEADING = /^(#{1,3}) (.+)$/
const ITEM = /^(?:-|\d+\.) (.*)$/
const ROW = /^\|(.+)\|$/
const DIVIDER = /^\|(?:\s*:?-+:?\s*\|)+$/

export function parseMarkdown(source: string): Block[] {
  const lines = source.split('\n')
  const blocks: Block[] = []
  let at = 0
  const line = (): string => lines[at] ?? ''
  const takeWhile = (accepts: (text: string) => boolean): string[] => {
    const taken: string[] = []
    while (at < lines.length && accepts(line())) taken.push(lines[at++] ?? '')
    return taken
  }
  while (at < lines.length) {
    const [, fence] = FENCE.exec(line()) ?? []
    const [, marks = '', title = ''] = HEADING.exec(line()) ?? []
    if (line().trim() === '') at += 1
    else if (fence !== undefined) {
      at += 1
      const text = takeWhile((each) => !FENCE.test(each)).join('\n')
      at += 1
      blocks.push({ kind: 'code', language: fence, text })
    } else if (title !== '') {
      at += 1
      blocks.push({ kind: 'heading', level: marks.length, text: title, id: slugOf(title) })
    } else if (ROW.test(line())) {
      const rows = takeWhile((each) => ROW.test(each)).filter((row) => !DIVIDER.test(row))
      blocks.push({ kind: 'table', rows: rows.map(cellsOf) })
    } else if (ITEM.test(line())) blocks.push(listFrom(takeWhile((each) => each.trim() !== '')))
    else blocks.push({ kind: 'paragraph', text: takeWhile(isPlain).join(' ') })
  }
  return blocks
}

const isPlain = (text: string): boolean =>
  text.trim() !== '' && ![FENCE, HEADING, ITEM, ROW].some((pattern) => pattern.test(text))

/** An indented line continues the item before it. */
function listFrom(lines: readonly string[]): Block {
  const items: string[] = []
  for (const text of lines) {
    const [, item] = ITEM.exec(text) ?? []
    if (item === undefined) items.push(`${items.pop() ?? ''} ${text.trim()}`)
    else items.push(item)
  }
  return { kind: 'list', ordered: /^\d/.test(lines[0] ?? ''), items }
}

/** A vertical bar inside `code` does not divide cells. */
const cellsOf = (row: string): string[] =>
  (row.slice(1, -1).match(/(?:`[^`]*`|[^|`])+/g) ?? []).map((cell) => cell.trim())

export const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

/** The blocks in steps: text, and beside it the code that follows. */
export function renderBlocks(blocks: readonly Block[], outputTitle: string): Html {
  const steps: { text: Html[]; code: Html[] }[] = []
  for (let at = 0; at < blocks.length; at++) {
    const block = blocks[at]
    if (!block) break
    const last = steps.at(-1)
    const opens = block.kind === 'heading' || (last?.code.length ?? 0) > 0
    const step = last && (block.kind === 'code' || !opens) ? last : { text: [], code: [] }
    if (step !== last) steps.push(step)
    if (block.kind !== 'code') {
      step.text.push(textBlock(block))
      continue
    }
    const samples = samplesFrom(blocks.slice(at))
    if (samples.length > 0) {
      step.code.push(sampleSet(samples))
      at += samples.length - 1
    } else step.code.push(plainBlock(block, outputTitle))
  }
  return html`${steps.map(({ text, code }) => html`<section class="step"><div class="text">${text}</div>${code.length > 0 ? html`<div class="side">${code}</div>` : html``}</section>`)}`
}

const TITLES: Readonly<Record<string, string>> = { console: 'Terminal', yaml: 'YAML' }

function plainBlock({ text, language }: { text: string; language: string }, outputTitle: string): Html {
  if (language === 'text')
    return codeBlock(text, outputTitle, /^[{[]/.test(text) ? 'json' : 'text', ' output')
  return codeBlock(text, TITLES[language] ?? language, language)
}

type Sample = { readonly language: SampleLanguage; readonly text: string }

/** The samples at the start of the blocks, one per language. */
function samplesFrom(blocks: readonly Block[]): Sample[] {
  const samples: Sample[] = []
  for (const block of blocks) {
    if (block.kind !== 'code' || !Object.hasOwn(SAMPLE_LANGUAGES, block.language)) break
    if (samples.some(({ language }) => language === block.language)) break
    samples.push({ language: block.language as SampleLanguage, text: block.text })
  }
  return samples
}

/** Several languages of one request. The style sheet shows the chosen one. A single sample is always shown. */
export function sampleSet(samples: readonly Sample[], title = ''): Html {
  if (samples.length === 1 && samples[0])
    return codeBlock(samples[0].text, SAMPLE_LANGUAGES[samples[0].language], samples[0].language)
  const labels = samples.map(
    ({ language }) =>
      html`<label for="in-${language}" class="${language}">${SAMPLE_LANGUAGES[language]}</label>`,
  )
  const named = title === '' ? html`` : html`<p class="request">${title}</p>`
  return html`<div class="samples code"><div class="choice"><span aria-hidden="true">${labels}</span></div>${named}${samples.map(({ language, text }) => html`<pre class="${language}" tabindex="0" aria-label="${SAMPLE_LANGUAGES[language]}"><code>${coloured(text, language)}</code></pre>`)}</div>`
}

const codeBlock = (text: string, title: string, language: string, kind = ''): Html =>
  html`<figure class="block code${kind}">${title === '' ? html`` : html`<figcaption>${title}</figcaption>`}<pre tabindex="0"><code>${coloured(text, language)}</code></pre></figure>`

/** The code with its strings, keywords and comments marked. */
export function coloured(text: string, language: string): Html[] {
  return codeTokens(text, language).map(([element, token]) => {
    if (element === 'i') return html`<i>${token}</i>`
    if (element === 'b') return html`<b>${token}</b>`
    return element === 'em' ? html`<em>${token}</em>` : html`${token}`
  })
}

function textBlock(block: Exclude<Block, { kind: 'code' }>): Html {
  switch (block.kind) {
    case 'heading': {
      if (block.level === 1) return html`<h1>${inline(block.text)}</h1>`
      const link = html`<a href="#${block.id}">${inline(block.text)}</a>`
      return block.level === 2
        ? html`<h2 id="${block.id}">${link}</h2>`
        : html`<h3 id="${block.id}">${link}</h3>`
    }
    case 'paragraph':
      return html`<p>${inline(block.text)}</p>`
    case 'list': {
      const items = block.items.map((item) => html`<li>${inline(item)}</li>`)
      return block.ordered ? html`<ol>${items}</ol>` : html`<ul>${items}</ul>`
    }
    case 'table': {
      const [head = [], ...rows] = block.rows
      const body = rows.map((row) => html`<tr>${row.map((cell) => html`<td>${inline(cell)}</td>`)}</tr>`)
      return html`<div class="table" tabindex="0"><table><thead><tr>${head.map((cell) => html`<th scope="col">${inline(cell)}</th>`)}</tr></thead><tbody>${body}</tbody></table></div>`
    }
  }
}

const MARKS = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^)\s]+)\)/g

/** Links lead to this site or to https only. */
export function inline(text: string): Html {
  const parts: Html[] = []
  let end = 0
  for (const match of text.matchAll(MARKS)) {
    const [whole, code, strong, label, target] = match
    parts.push(html`${text.slice(end, match.index)}`)
    if (code !== undefined) parts.push(html`<code>${code}</code>`)
    else if (strong !== undefined) parts.push(html`<strong>${strong}</strong>`)
    else if (/^(?:\/(?!\/)|#|https:\/\/)/.test(target ?? ''))
      parts.push(html`<a href="${target ?? ''}">${label ?? ''}</a>`)
    else parts.push(html`${whole}`)
    end = match.index + whole.length
  }
  return html`${[...parts, html`${text.slice(end)}`]}`
}
