// The PDF and the office document say what the other files say, character for character, and are the same each time.

import { rounds } from '@cowrie/testkit/harness/soak.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { run as readDocx } from '../../reading/docx-task.ts'
import { run as readPdf } from '../../reading/pdf-task.ts'
import type { ResearchFinding } from '../../types.ts'
import { run as drawExports } from './exports-task.ts'

const FACTS = [
  '*170#',
  '**21*0241234567#',
  '+233 24 123 4567',
  '₦5,000.50',
  'GH₵20',
  '€1.234,56',
  '03/04/2026',
  'a|b',
]
const CODE = [
  'List<String>',
  'items[0]',
  'R&D',
  'C:\\temp\\new',
  '"quoted"',
  "d'Ivoire",
  '--force',
  '5 < 6',
  '`npm`',
]

const inputFor = (text: string, question = 'How is it used?') => {
  const said = `Customers of the network type ${text} to see the balance`
  const finding: ResearchFinding = {
    id: 'F1',
    sub: 0,
    claim: `${said}.`,
    quote: said,
    kind: 'fact',
    sources: [1],
  }
  const source = {
    n: 1,
    url: 'https://network.example/?a=1&b=2',
    title: `About ${text}`,
    status: 'read' as const,
    reason: null,
  }
  return {
    said,
    input: {
      report: {
        ...{ question, askedOn: '2026-03-04', depth: 'quick' as const, stopReason: 'completed' as const },
        plan: { subquestions: [{ question: 'How do customers see the balance?', queries: [] }] },
        findings: [finding],
        sources: [{ ...source, sha256: 'ab', fetchedAt: new Date('2026-03-04') }],
      },
      markdown: `## Answer\n${said} [F1].\n\n1. ${said} [F1].\n2. ${said} [F1].\n\n| Customers | Balance |\n|---|---|\n| Customers of the network | type ${text.replaceAll('|', '\\|')} to see the balance [F1] |`,
      repairs: [],
    },
  }
}
const textOf = (page: object): string => {
  if (!('text' in page) || typeof page.text !== 'string') throw new Error('the file was not read')
  return page.text.replaceAll(/\s+/g, ' ').replaceAll(/ ?\[1\]/g, '')
}

test('facts are the same in both files', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...FACTS, ...CODE), async (text) => {
      const { said, input } = inputFor(text)
      const [pdf, docx] = await drawExports(input)
      for (const shown of [
        textOf(await readPdf({ bytes: pdf?.bytes ?? new Uint8Array() })),
        textOf(readDocx({ bytes: docx?.bytes ?? new Uint8Array() })),
      ]) {
        // The answer, two items of a list, the claim and the quote.
        expect(shown.split(said).length - 1, shown).toBeGreaterThanOrEqual(5)
        expect(shown).toContain(`About ${text}`)
      }
    }),
    { numRuns: rounds(6, 60) },
  )
})

test('an Arabic report is read with its codes, numbers and ligatures in order', async () => {
  const said = 'يتصل عملاء الشبكة بالرقم *170# لمعرفة الرصيد الآن عبر MTN Ghana'
  const { input } = inputFor('*170#', 'كيف يُعرف الرصيد؟')
  const [pdf, docx] = await drawExports({ ...input, markdown: `## الجواب\n\n${said} [F1].` })
  const read = textOf(await readPdf({ bytes: pdf?.bytes ?? new Uint8Array() }))
  expect(read).toContain(said)
  expect(read).toContain('كيف يُعرف الرصيد؟')
  expect(textOf(readDocx({ bytes: docx?.bytes ?? new Uint8Array() }))).toContain(said)
})

test('characters that the fonts of the PDF lack are written in other characters', async () => {
  const { input } = inputFor('10⁶ m₂ ≥ 5 → 中 1\u202f000')
  const [pdf] = await drawExports({ ...input, markdown: null })
  const shown = textOf(await readPdf({ bytes: pdf?.bytes ?? new Uint8Array() }))
  expect(shown).toContain('type 10^6 m_2 >= 5 -> [U+4E2D] 1 000 to see the balance')
})

test('the same report gives the same bytes', async () => {
  const { input } = inputFor('*170#')
  const [one, other] = [await drawExports(input), await drawExports(input)]
  expect(one.map(({ name }) => name)).toEqual(['report.pdf', 'report.docx'])
  for (const [at, { bytes }] of one.entries())
    expect(Buffer.from(bytes).equals(Buffer.from(other[at]?.bytes ?? []))).toBe(true)
})

test('a report without a draft lists its findings', async () => {
  const { said, input } = inputFor('*170#')
  const [, docx] = await drawExports({ ...input, markdown: null })
  expect(textOf(readDocx({ bytes: docx?.bytes ?? new Uint8Array() }))).toContain(said)
})

test('broken office documents are unreadable', () => {
  for (const bytes of [
    Buffer.from(''),
    Buffer.from('PK\x05\x06'),
    Buffer.alloc(200, 'PK\x05\x06'),
    Buffer.from('no zip'),
  ])
    expect(readDocx({ bytes })).toEqual({ reason: 'unreadable' })
})
