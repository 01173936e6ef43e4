// Rules for every report: its citations refer to pages that were read, and its quotes occur there.
import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import type { Person } from '../harness/harness.ts'
import type { ResearchWorld, RunDetail } from './world.ts'

/** Returns how many citations and quotes were checked, in both formats together. */
export async function requireValidCitations(
  world: ResearchWorld,
  as: Person,
  run: RunDetail,
): Promise<{ citations: number; quotes: number }> {
  const texts = await textsOf(world, as, run)
  for (const { quote, sources } of run.findings)
    for (const n of sources) expect(texts.get(n), `[${n}]`).toContain(quote)
  const forms = [inMarkdown(await world.file(as, run, 'report.md')), inPage(await page(world, as, run))]
  for (const { citations, quotes } of forms) {
    for (const n of citations) expect([...texts.keys()], 'the sources that were read').toContain(n)
    for (const { quote, sources } of quotes) {
      expect(sources.length, quote).toBeGreaterThan(0)
      for (const n of sources)
        expect(onlyLettersAndDigits(texts.get(n) ?? '')).toContain(onlyLettersAndDigits(quote))
    }
  }
  const [markdown, html] = forms
  expect(html?.quotes.length).toBe(markdown?.quotes.length)
  return {
    citations: forms.reduce((sum, { citations }) => sum + citations.length, 0),
    quotes: forms.reduce((sum, { quotes }) => sum + quotes.length, 0),
  }
}

/** The stored text of each read source, with its hash checked. */
async function textsOf(world: ResearchWorld, as: Person, run: RunDetail): Promise<Map<number, string>> {
  const texts = new Map<number, string>()
  for (const { n, status } of run.sources) {
    const path = `/research/${run.id}/sources/${n}`
    const reply = await world.server.call<{ text: string; sha256: string }>('GET', path, { as })
    expect([reply.status, n]).toEqual([status === 'read' ? 200 : 404, n])
    if (status !== 'read') continue
    const { text, sha256 } = reply.body
    expect(createHash('sha256').update(text).digest('hex')).toBe(sha256)
    texts.set(n, text)
  }
  return texts
}

type ReportCitations = { citations: number[]; quotes: { quote: string; sources: number[] }[] }

// A literal bracket is escaped with a backslash.
const CITATION = /(?<!\\)\[(\d+)\]/g
const numbersIn = (text: string): number[] => [...text.matchAll(CITATION)].map(([, n]) => Number(n))

/** A quote follows the claim that cites it. */
function inMarkdown(text: string): ReportCitations {
  const blocks = text.split('\n\n')
  const quotes = blocks.flatMap((block, at) =>
    block.startsWith('>') ? [{ quote: block, sources: numbersIn(blocks[at - 1] ?? '') }] : [],
  )
  return { citations: numbersIn(text), quotes }
}

function inPage(html: string): ReportCitations {
  const citations = [...html.matchAll(/href="#source-(\d+)"/g)].map(([, n]) => Number(n))
  for (const n of citations) expect(html).toContain(`id="source-${n}"`)
  const quotes = [
    ...html.matchAll(/<p dir="auto">([^\n]*)<\/p>\n<blockquote dir="auto">([^<]*)<\/blockquote>/g),
  ]
  return {
    citations,
    quotes: quotes.map(([, claim = '', quote = '']) => ({ quote, sources: numbersIn(claim) })),
  }
}

/** The HTML page, which loads nothing and links only to its sources. */
async function page(world: ResearchWorld, as: Person, run: RunDetail): Promise<string> {
  const html = await world.file(as, run, 'report.html')
  expect(html).not.toMatch(/<(script|img|iframe|object|embed|link|form|svg|base|audio|video|input)\b/i)
  expect(html).not.toMatch(/<[^>]*\s(on\w+|src|srcset|style|action|ping)\s*=/i)
  const listed = run.sources.map(({ url }) => new URL(url).href)
  for (const [, target = ''] of html.matchAll(/href="([^"]*)"/g))
    if (!target.startsWith('#')) expect(listed).toContain(target.replaceAll('&amp;', '&'))
  return html
}

/** Letters and digits only, because formats escape other characters differently. */
const onlyLettersAndDigits = (text: string): string =>
  text.replaceAll(/&#?\w+;/g, '').replaceAll(/[^\p{L}\p{N}]+/gu, '')
