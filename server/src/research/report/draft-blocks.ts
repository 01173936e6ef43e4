// Converts the verified draft to blocks of the report: only supported sentences, with source numbers.
import type { ResearchFinding } from '../types.ts'
import type { ListedSource } from './source-format.ts'
import { type DraftSentence, isOpenPoint, type VerifiedBlock, type VerifiedReport } from './verify-draft.ts'

/** A text and the numbers of the sources it cites. */
export type CitedText = { readonly text: string; readonly cites: readonly number[] }

export type ReportBlock =
  | { readonly kind: 'heading'; readonly level: 2 | 3 | 4; readonly text: string }
  | { readonly kind: 'paragraph'; readonly lines: readonly CitedText[] }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly (readonly CitedText[])[] }
  | { readonly kind: 'table'; readonly head: readonly string[]; readonly rows: readonly CitedRow[] }
  | { readonly kind: 'quote'; readonly text: string }
  | { readonly kind: 'references'; readonly sources: readonly ListedSource[] }
  | { readonly kind: 'sources'; readonly sources: readonly ListedSource[] }
export type CitedRow = { readonly cells: readonly string[]; readonly cites: readonly number[] }

/** Returns the blocks and the ids of the cited findings; empty if no cited sentence is left. */
export function toReportBlocks(
  { blocks }: VerifiedReport,
  findings: readonly ResearchFinding[],
  answerTitle: string,
): { readonly parts: readonly ReportBlock[]; readonly ids: readonly string[] } {
  const byId = new Map(findings.map((finding) => [finding.id, finding]))
  const used = new Set<string>()
  const citesOf = (ids: readonly string[]): number[] => {
    const known = ids.flatMap((id) => byId.get(id) ?? [])
    for (const { id } of known) used.add(id)
    return Array.from(new Set(known.flatMap(({ sources }) => sources)))
  }
  const linesOf = (sentences: readonly DraftSentence[]): CitedText[] =>
    sentences.flatMap((sentence) => {
      if ('unsupported' in sentence) return []
      const cites = citesOf(sentence.ids)
      // The sources of its findings are no longer listed.
      return sentence.ids.length > 0 && cites.length === 0 ? [] : [{ text: sentence.text, cites }]
    })
  const top = Math.min(...blocks.map((block) => (block.kind === 'heading' ? block.level : 6)))
  const parts = blocks.flatMap((block) => toReportBlock(block, top, linesOf, citesOf))
  const pruned = withoutEmptySections(
    parts.filter((part, at) => !isDanglingIntroduction(part, parts[at + 1])),
  )
  if (used.size === 0) return { parts: [], ids: [] }
  const isHeaded = pruned[0]?.kind === 'heading'
  const answer: ReportBlock = { kind: 'heading', level: 2, text: answerTitle }
  return { parts: isHeaded ? pruned : [answer, ...pruned], ids: Array.from(used) }
}

function toReportBlock(
  block: VerifiedBlock,
  top: number,
  linesOf: (sentences: readonly DraftSentence[]) => CitedText[],
  citesOf: (ids: readonly string[]) => number[],
): ReportBlock[] {
  if (block.kind === 'heading') return [{ ...block, level: toHeadingLevel(block.level - top) }]
  if (block.kind === 'paragraph') {
    const lines = linesOf(block.sentences)
    return lines.length > 0 ? [{ kind: 'paragraph', lines }] : []
  }
  if (block.kind === 'list') {
    const items = block.items.map(linesOf).filter((lines) => lines.length > 0)
    return items.length > 0 ? [{ ...block, items }] : []
  }
  const rows = block.rows
    .map(({ cells, ids }) => ({ cells, cites: citesOf(ids) }))
    .filter(({ cites }) => cites.length > 0)
  return rows.length > 0 ? [{ kind: 'table', head: block.head, rows }] : []
}

const toHeadingLevel = (depth: number): 2 | 3 | 4 => {
  if (depth <= 0) return 2
  return depth === 1 ? 3 : 4
}

const isDanglingIntroduction = (part: ReportBlock, next: ReportBlock | undefined): boolean => {
  const isIntroduction =
    part.kind === 'paragraph' && part.lines.length === 1 && part.lines[0]?.text.endsWith(':')
  return isIntroduction === true && next?.kind !== 'list' && next?.kind !== 'table'
}

/** A heading stays if its section has content before the next heading of the same level. */
function withoutEmptySections(parts: readonly ReportBlock[]): ReportBlock[] {
  // Iterates from the end. Contains the levels with content since their next heading.
  const isSaidBelow = new Set<number>()
  const kept = parts.toReversed().filter((part) => {
    if (part.kind === 'heading') {
      const stays = isSaidBelow.has(part.level)
      for (const level of LEVELS) if (level >= part.level) isSaidBelow.delete(level)
      return stays
    }
    if (hasContent(part)) for (const level of LEVELS) isSaidBelow.add(level)
    return true
  })
  return kept.reverse()
}

const LEVELS = [2, 3, 4] as const

function hasContent(part: ReportBlock): boolean {
  const isSaid = ({ text, cites }: CitedText) => cites.length > 0 || isOpenPoint(text)
  if (part.kind === 'paragraph') return part.lines.some(isSaid)
  if (part.kind === 'list') return part.items.flat().some(isSaid)
  return part.kind === 'table'
}
