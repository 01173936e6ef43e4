// The files of a report: Markdown, HTML, and the sources as JSON.
import type { ResearchFinding } from '../types.ts'
import { renderHtml } from './render-html.ts'
import { renderMarkdown } from './render-markdown.ts'
import { buildDocument, type ReportContent } from './report-document.ts'

export type ReportFileText = { readonly name: string; readonly contentType: string; readonly text: string }

/** Deterministic. The first file is the main one. */
export function composeReport(report: ReportContent): ReportFileText[] {
  const document = buildDocument(report)
  return [
    { name: 'report.md', contentType: 'text/markdown; charset=utf-8', text: renderMarkdown(document) },
    { name: 'report.html', contentType: 'text/html; charset=utf-8', text: renderHtml(document) },
    {
      name: 'sources.json',
      contentType: 'application/json',
      text: formatSourcesJson(report, document.cited),
    },
  ]
}

function formatSourcesJson(report: ReportContent, cited: readonly ResearchFinding[]): string {
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
