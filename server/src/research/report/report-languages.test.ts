// The fixed texts of a report have the language of its question, in every format.
import { describe, expect, test } from 'vitest'
import { LANGUAGE_CODES } from '../../platform/texts/language.ts'
import { RESEARCH } from '../../platform/texts/research.ts'
import { run as readDocx } from '../reading/docx-task.ts'
import { run as readPdf } from '../reading/pdf-task.ts'
import type { ReportSource } from '../types.ts'
import { run as drawExports } from './export/exports-task.ts'
import { run as writeFiles } from './report-files-task.ts'

const QUESTIONS = {
  en: 'What does mobile money cost in Dakar?',
  fr: 'Combien coûte le mobile money à Dakar ?',
  sw: 'Je, gharama za pesa za simu ni kiasi gani?',
  ar: 'كم تكلفة الأموال عبر الهاتف في داكار؟',
} as const
const SKIPS = [
  'timeout robots private_address port_refused bad_address not_text too_large too_many_redirects unreachable',
  'empty paywall unreadable low_relevance budget deadline cancelled http_403 duplicate_of_1 strange',
]
  .join(' ')
  .split(' ')
const CLAIM = 'Wave 1 % 2024'

const source = (n: number, more: Partial<ReportSource>): ReportSource => ({
  n,
  url: `https://s${n}.example/`,
  title: `T${n}`,
  status: 'read',
  reason: null,
  sha256: 'ab',
  fetchedAt: new Date('2026-03-04T00:00:00Z'),
  ...more,
})
const inputIn = (language: keyof typeof QUESTIONS) => ({
  report: {
    question: QUESTIONS[language],
    askedOn: '2026-03-04',
    depth: 'exhaustive' as const,
    searchWeb: false,
    stopReason: 'budget' as const,
    plan: { subquestions: [QUESTIONS[language], '2?'].map((question) => ({ question, queries: [] })) },
    findings: [
      { id: 'F1', sub: 0, claim: CLAIM, quote: CLAIM, kind: 'fact' as const, sources: [1] },
      {
        id: 'F2',
        sub: 0,
        claim: 'Wave 3 % 2024',
        quote: 'Wave 3 % 2024',
        kind: 'number' as const,
        sources: [2],
      },
    ],
    sources: [
      source(1, { title: 'Wave (Dakar), 2024' }),
      source(2, { url: 'document:d1', title: '' }),
      source(3, { url: 'repository:wave/a.ts', title: '' }),
      source(4, { fetchedAt: null }),
      ...SKIPS.map((reason, at) => source(at + 5, { status: 'failed', reason, fetchedAt: null })),
      source(40, { status: 'skipped', reason: 'low_relevance', fetchedAt: null, url: 'strange:' }),
    ],
  },
  markdown: `${CLAIM} [F1]. Unsupported words stay away.`,
  repairs: [],
})
const textOf = (page: object): string => {
  if (!('text' in page) || typeof page.text !== 'string') throw new Error('the file was not read')
  return page.text
}
async function filesIn(language: keyof typeof QUESTIONS) {
  const [markdown, page] = writeFiles(inputIn(language))
  const [pdf, docx] = await drawExports(inputIn(language))
  return {
    markdown: markdown?.text ?? '',
    page: page?.text ?? '',
    pdf: textOf(await readPdf({ bytes: pdf?.bytes ?? new Uint8Array() })),
    docx: textOf(readDocx({ bytes: docx?.bytes ?? new Uint8Array() })),
  }
}
/** The longest parts of each fixed text between its values, which a file shows as they are. */
const partsOf = (text: string): string[] => text.split(/\{\w+\}/).filter((part) => /\p{L}{3}/u.test(part))
const ENGLISH = Object.keys(RESEARCH).filter((text) => text.split(' ').length > 2)

describe.for(LANGUAGE_CODES.filter((language) => language !== 'en'))('a report in %s', (language) => {
  const files = filesIn(language)

  test.for(['markdown', 'page', 'pdf', 'docx'] as const)('has no English text in its %s', async (format) => {
    const shown = (await files)[format].replaceAll(/\s+/g, ' ')
    expect(ENGLISH.filter((text) => partsOf(text).some((part) => shown.includes(part)))).toEqual([])
  })

  test('says each reason, note and heading in its language', async () => {
    const { markdown, docx } = await files
    const at = { fr: 0, sw: 1, ar: 2 }[language as 'fr' | 'sw' | 'ar']
    const missing = Object.entries(RESEARCH)
      .filter(([english]) => !NOT_SHOWN.test(english))
      .map(([, texts]) => texts[at] ?? '')
      .filter((text) =>
        partsOf(text).some((part) => !markdown.includes(part.trim()) || !docx.includes(part.trim())),
      )
    expect(missing).toEqual([])
  })
})

/** Texts of other cases: another depth or end, no conflict, no findings, words of queries. */
const NOT_SHOWN =
  /quick|standard|The run (?!reached its budget)|the run reached its time|Short answer|Nothing could|disagree|Another source|The rest is|^(?:overview|facts and figures|comparison|evidence|latest|explained|problems)$/

test('an Arabic report names its language and keeps the order of foreign parts', async () => {
  const { markdown, page, pdf, docx } = await filesIn('ar')
  expect(page).toContain('<html lang="ar" dir="rtl">')
  expect(page).toContain('<bdi dir="ltr">2026-03-04</bdi>')
  expect(page).toContain('Wave (Dakar), 2024</a></bdi> <span class="soft"><bdi>(s1.example)</bdi></span>')
  expect(markdown).toContain(
    '- **[1]** \u2068Wave (Dakar), 2024\u2069 <https://s1.example/> (\u2068s1.example\u2069، قُرئت',
  )
  expect(markdown).toContain('\u20682026-03-04\u2069')
  for (const shown of [pdf, docx]) {
    expect(shown).toContain('Wave (Dakar), 2024')
    expect(shown).toContain('2026-03-04')
    expect(shown).not.toMatch(/[\u2066-\u2069]|U\+/)
  }
})

test('a question without common words gets the language of its plan', () => {
  const { report, ...rest } = inputIn('fr')
  const [markdown] = writeFiles({ ...rest, report: { ...report, question: 'Wave 2024' } })
  expect(markdown?.text).toContain('## Références')
})

test('an Arabic title in an English report keeps its order', () => {
  const { report, ...rest } = inputIn('en')
  const sources = [source(1, { title: 'رسوم Wave في السنغال' }), ...report.sources.slice(1)]
  const [markdown] = writeFiles({ ...rest, report: { ...report, sources } })
  expect(markdown?.text).toContain(
    '- **[1]** \u2068رسوم Wave في السنغال\u2069 <https://s1.example/> (s1.example, read on',
  )
})
