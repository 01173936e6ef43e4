// The files that a run leaves behind: the report to read, the report to look at, and its sources for a program.
import type { Finding } from '../terms.ts'
import { documentOf, type Report } from './document.ts'
import { markdownOf } from './markdown.ts'
import { pageOf } from './page.ts'

export type ReportText = { readonly name: string; readonly contentType: string; readonly text: string }

/** The same report gives the same bytes. The first file is the one to read. */
export function composeReport(report: Report): ReportText[] {
  const document = documentOf(report)
  return [
    { name: 'report.md', contentType: 'text/markdown; charset=utf-8', text: markdownOf(document) },
    { name: 'report.html', contentType: 'text/html; charset=utf-8', text: pageOf(document) },
    { name: 'sources.json', contentType: 'application/json', text: sourcesJson(report, document.cited) },
  ]
}

function sourcesJson(report: Report, cited: readonly Finding[]): string {
  const { question, askedOn, depth, stopReason, findings, sources, verified } = report
  const isCited = new Set(cited.map(({ id }) => id))
  const listed = sources
    .toSorted((one, other) => one.n - other.n)
    .map(({ fetchedAt, ...source }) => ({
      ...source,
      fetchedAt: fetchedAt?.toISOString() ?? null,
      quotes: findings
        .filter((finding) => finding.sources.includes(source.n))
        .map(({ id, claim, quote }) => ({ finding: id, claim, quote, isCited: isCited.has(id) })),
    }))
  const droppedClaims = verified?.unsupported ?? []
  return `${JSON.stringify({ question, askedOn, depth, stopReason, sources: listed, droppedClaims }, null, 2)}\n`
}
