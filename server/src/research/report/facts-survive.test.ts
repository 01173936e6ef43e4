// From a page to the report files, facts are repeated character for character.

import { rounds } from '@cowrie/testkit/harness/soak.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkFindings } from '../evidence/check-findings.ts'
import { run as checkAnswer } from '../evidence/check-findings-task.ts'
import { run as readHtml } from '../reading/html/html-task.ts'
import type { ReportSource, ResearchFinding, ResearchPlan, SourcePage } from '../types.ts'
import { composeReport } from './report-files.ts'
import { verifyDraft } from './verify-draft.ts'

const FACTS = [
  ...['*170#', '*170*1#', '*737*1*500#', '*#06#', '##002#', '**21*0241234567#', '*920*44#', '*384*96#'],
  ...['+233 24 123 4567', '0800-123-456', '+254 (0)20 123-4567', '024-123-4567'],
  ...['snake_case_name', '__init__', '_private', 'MAX_VALUE_', '**kwargs', '*args', '2*3*4', 'a_b*c_d'],
  ...[
    '`npm`',
    '```',
    'List<String>',
    'Vec<u8>',
    '<PIN>',
    '*170*<PIN>#',
    'a|b',
    'x||y',
    'C#',
    '#general',
    'F#',
  ],
  ...[
    'items[0]',
    'map[string]int',
    '~/bin',
    '~~old~~',
    'C:\\temp\\new',
    'a\\*b',
    'x^2',
    '$HOME',
    'R&D',
    '50%',
  ],
  ...[
    'fn(a, b)',
    '--force',
    '-v',
    'key=value',
    '@acme/pay',
    "d'Ivoire",
    'AT&T',
    '1.',
    '=',
    '>= 5',
    '!important',
  ],
  ...['₦5,000.50', 'GH₵20', 'KSh 1,500/=', '€1.234,56', '10 000 FCFA', '$1.2m', '-5', '25 °C', '½', '10⁶'],
  ...[
    '03/04/2026',
    '2026-04-03',
    '09:30',
    '1.2.3',
    '192.168.1.1',
    '٠٢٤١٢٣٤٥٦٧',
    '٣٫٥٪',
    '۱۴۰۳',
    '١٬٢٥٠ جنيه',
  ],
]

const SIGNS = ['*', '_', '#', '`', '<', '>', '|', '~', '[', ']', '\\', '-', '=', '&']
const word = fc.stringMatching(/^[a-z0-9]{1,6}$/)
const built = fc
  .tuple(
    word,
    fc.array(fc.tuple(fc.constantFrom(...SIGNS), word), { minLength: 1, maxLength: 4 }),
    fc.constantFrom('', ...SIGNS),
  )
  .map(([first, rest, last]) => `${first}${rest.flat().join('')}${last}`)
  // Footnote marks are not part of a page, and HTML tags are removed.
  .filter((text) => !/\[\d|<[a-z]+[>&]|<[a-z]+$|\[f\d|\]$/.test(text))
const fact = fc.oneof(fc.constantFrom(...FACTS), built)

const escapedHtml = (text: string) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)
const sentenceWith = (text: string) =>
  `Customers of the network type ${text} to see the balance of their account`

/** Reads a page, makes a claim and checks it, as a run does. */
function findingFrom(text: string): {
  page: SourcePage
  plan: ResearchPlan
  finding: ResearchFinding | undefined
} {
  const said = sentenceWith(text)
  const bytes = Buffer.from(`<!doctype html><title>Balance: ${escapedHtml(text)}</title><main><h1>Balance</h1>
    <p>The network has served millions of customers for years.</p><p>${escapedHtml(said)}.</p></main>`)
  const read = readHtml({ bytes, charset: 'utf-8', isXml: false, isWhole: true })
  if (!('text' in read)) throw new Error(`the page was not read: ${read.reason}`)
  const plan = {
    subquestions: [{ question: 'How do customers of the network see their balance?', queries: [] }],
  }
  const page = { n: 1, title: read.title, url: 'https://network.example/balance', text: read.text }
  const claim = { n: 1, sub: 0, claim: `${said}.`, quote: said, kind: 'fact' } as const
  const { added } = checkFindings([claim], [page], [], { plan, perRunMax: 10 })
  return { page, plan, finding: added[0] }
}

const SIGN_NAMES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&' }
/** The visible text of Markdown with escapes, code and entities. */
const seenInMarkdown = (markdown: string): string =>
  markdown.replace(
    /\\([!-/:-@[-`{-~])|`([^`\n]+)`|&(lt|gt|amp);/g,
    (_, escaped?: string, code?: string, sign?: string) => escaped ?? code ?? SIGN_NAMES[sign ?? ''] ?? '',
  )
const seenInHtml = (page: string): string =>
  page.replace(/<[^>]*>/g, '').replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))

function filesFor(text: string, draft: string | null) {
  const { page, plan, finding } = findingFrom(text)
  if (!finding) throw new Error('the claim was not accepted')
  const source: ReportSource = {
    ...{ n: 1, url: page.url, title: page.title, status: 'read', reason: null, sha256: 'ab'.repeat(32) },
    fetchedAt: new Date('2026-03-04T05:06:07Z'),
  }
  const verified = draft === null ? null : verifyDraft(draft, [finding], plan)
  const [markdown, html, sources] = composeReport({
    ...{ question: `How is ${text} used`, askedOn: '2026-03-04', depth: 'quick', plan, verified },
    ...{ findings: [finding], sources: [source], stopReason: 'completed' },
  })
  return {
    finding,
    verified,
    markdown: seenInMarkdown(markdown?.text ?? ''),
    html: seenInHtml(html?.text ?? ''),
    sources: JSON.parse(sources?.text ?? '') as {
      sources: { title: string; quotes: { claim: string; quote: string }[] }[]
    },
  }
}

/** As title, statement, quote and source. */
function expectEverywhere(text: string, draft: string | null): void {
  const { finding, verified, markdown, html, sources } = filesFor(text, draft)
  const said = sentenceWith(text)
  expect([finding.claim, finding.quote]).toEqual([`${said}.`, said])
  if (draft !== null) expect(verified?.unsupported, draft).toEqual([])
  for (const shown of [markdown, html]) {
    // In the text with its citation, and in the evidence with its quote.
    expect(
      shown.replaceAll(/\s?\[1\]/g, '').split(said).length - 1,
      `${draft}\n${shown}`,
    ).toBeGreaterThanOrEqual(3)
    expect(shown).toContain(`How is ${text} used`)
    expect(shown).toContain(`Balance: ${text}`)
  }
  expect(sources.sources).toMatchObject([
    { title: `Balance: ${text}`, quotes: [{ claim: `${said}.`, quote: said }] },
  ])
}

test.for(FACTS)('%s is the same in the page, the finding and all files of the report', (text) => {
  expectEverywhere(text, null)
  expectEverywhere(text, `## Short answer\n${sentenceWith(text)} [F1].`)
})

const PLACES = [
  (text: string) => `${text} is what customers of the network use to see the balance of their account`,
  (text: string) => `To see the balance of their account customers of the network use ${text}`,
  (text: string) =>
    `Customers of the network see the balance of their account with a code (${text}) on any phone`,
  (text: string) => `Balance of the account for customers of the network: ${text}`,
] as const
const [PLACE] = PLACES
const ELEMENTS = ['p', 'li', 'pre', 'h2', 'td'] as const

test('a quote keeps the first and the last sign of its page, in any element', () => {
  const elements = fc.tuple(fact, fc.constantFrom(...PLACES), fc.constantFrom(...ELEMENTS))
  fc.assert(
    fc.property(elements, ([text, place, element]) => {
      const said = place(text)
      const row = element === 'td' ? ['<table><tr>', '</tr></table>'] : ['', '']
      const bytes = Buffer.from(`<!doctype html><title>Balance</title><main><h1>Balance</h1>
        <p>The network has served millions of customers for years.</p>
        ${row[0]}<${element}>${escapedHtml(said)}</${element}>${row[1]}<p>More follows here.</p></main>`)
      const read = readHtml({ bytes, charset: 'utf-8', isXml: false, isWhole: true })
      if (!('text' in read)) throw new Error(`the page was not read: ${read.reason}`)
      const plan = { subquestions: [{ question: 'How do customers see their balance?', queries: [] }] }
      const page = { n: 1, title: 'Balance', url: 'https://network.example/balance', text: read.text }
      const answer = JSON.stringify({
        findings: [{ n: 1, sub: 1, claim: `${said}.`, quote: said, kind: 'fact' }],
      })
      const checked = checkAnswer({ question: 'How?', plan, pages: [page], known: [], answer })
      expect(checked?.added).toMatchObject([{ claim: `${said}.`, quote: said }])
    }),
    { numRuns: rounds(60, 600), examples: ['>= 5', '```'].map((text) => [[text, PLACE, 'p']]) },
  )
})

test('any such word survives if the writer repeats it', () => {
  fc.assert(
    fc.property(fact, (text) => expectEverywhere(text, `${sentenceWith(text)} [F1].`)),
    { numRuns: rounds(60, 300) },
  )
})

describe('the writer may also', () => {
  const escaped = (text: string) => text.replace(/[!-/:-@[-`{-~]/g, '\\$&')
  test.for(['*170#', '*170*1#', 'snake_case_', 'List<String>', 'a|b', '~~old~~', 'items[0]', '`npm`'])(
    'escape %s',
    (text) => expectEverywhere(text, `${sentenceWith(escaped(text))} [F1].`),
  )
  test.for(['*170#', '*170*1#', '__init__', 'List<String>', 'a|b', 'items[0]', '~~old~~'])(
    'write %s as code',
    (text) => expectEverywhere(text, `${sentenceWith(`\`${text}\``)} [F1].`),
  )
  test.for(['*170#', '*737*1*500#', '2*3*4', 'my_name'])('put %s in bold', (text) =>
    expectEverywhere(text, `${sentenceWith(`**${text}**`)} [F1].`),
  )
  test('put it into a table', () => {
    const draft = `| Network | Customers type |\n|---|---|\n| The network | customers type a\\|b to see the balance [F1] |`
    expect(filesFor('a|b', draft).html).toContain('customers type a|b to see the balance')
  })
})

test('a USSD code without its star is another code, and is dropped', () => {
  const { verified, markdown } = filesFor('*170#', `${sentenceWith('170#')} [F1].`)
  expect(verified?.unsupported).toMatchObject([{ reason: 'number' }])
  expect(markdown).not.toContain('type 170#')
})
