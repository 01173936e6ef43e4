// The repair prompt: rewrites sentences that their citations do not support, or drops them.

import type { Nonce } from '../../agent/agent.ts'
import type { Message } from '../../platform/inference/inference.ts'
import type { ResearchFinding } from '../types.ts'
import { bm25Scores, termsOf } from './bm25.ts'
import { fenceMaterial, materialRule, toMessages } from './material.ts'
import { parseItems, parseWholeNumber, readField } from './parse-answer.ts'
import { findingLine } from './report-prompt.ts'
import { cutAtWord, oneLine, toLine } from './text-lines.ts'

type RepairPromptInput = {
  readonly sentences: readonly { readonly text: string; readonly reason: string }[]
  readonly findings: readonly ResearchFinding[]
}

const SENTENCES_MAX = 30
const SENTENCE_MAX = 500
/** Findings that a sentence may mean, besides those that it cites. */
const NEAREST = 3

/** Shows the first sentences, and only findings related to them. */
export function repairMessages(nonce: Nonce, { sentences, findings }: RepairPromptInput): Message[] {
  const shown = sentences.slice(0, SENTENCES_MAX)
  const system = `You correct sentences of a report that its findings do not support as written.
${materialRule(nonce)}

Rewrite each sentence so that it says only what findings say, with their ids before the full stop, such as [F3]. Figures, units, dates and names are those of the findings. No URLs, links or HTML. Leave out a sentence that no finding supports.

Answer with one JSON object and nothing else; "s" is the number of the sentence:
{"repairs": [{"s": 1, "text": "… [F3]."}]}`
  const lines = shown.map(
    ({ text, reason }, at) => `${at + 1}. (${oneLine(reason)}) ${oneLine(cutAtWord(text, SENTENCE_MAX))}`,
  )
  const near = findNearest(
    shown.map(({ text }) => text),
    findings,
  )
  return toMessages(system, [
    fenceMaterial(nonce, 'sentences', lines.join('\n')),
    fenceMaterial(nonce, 'findings', near.map((finding) => findingLine(finding, 'quotes')).join('\n')),
  ])
}

function findNearest(sentences: readonly string[], findings: readonly ResearchFinding[]): ResearchFinding[] {
  const scores = bm25Scores(
    findings.map(({ claim, quote }) => `${claim} ${quote}`),
    sentences.map((sentence) => termsOf(sentence)),
  )
  const near = new Set<number>()
  sentences.forEach((sentence, at) => {
    const cited = new Set(sentence.match(/F\d{1,5}/g) ?? [])
    const scoreOf = (finding: number) => scores[at]?.[finding] ?? 0
    const matching = findings.map((_, finding) => finding).filter((finding) => scoreOf(finding) > 0)
    const best = matching.sort((one, other) => scoreOf(other) - scoreOf(one) || one - other).slice(0, NEAREST)
    for (const finding of best) near.add(finding)
    findings.forEach(({ id }, finding) => {
      if (cited.has(id)) near.add(finding)
    })
  })
  return findings.filter((_, finding) => near.has(finding))
}

/**
 * Repairs by the index of the sentence. Missing sentences, and those without a citation, are dropped. Null if nothing
 * can be parsed.
 */
export function parseRepairs(text: string): Map<number, string> | null {
  const parsed = parseItems(text, ['repairs', 'sentences'], (value) => {
    const number = parseWholeNumber(readField(value, ['s', 'sentence', 'number', 'id']))
    const repaired = readField(value, ['text', 'repair', 'repaired', 'new'])
    if (number === null || number < 1 || number > SENTENCES_MAX) return null
    return typeof repaired === 'string' || repaired === null
      ? { number, text: toLine(repaired, SENTENCE_MAX) }
      : null
  })
  if (!parsed) return null
  const citing = parsed.filter((repair) => /\[F\d{1,5}\b/.test(repair.text))
  return new Map(citing.map((repair) => [repair.number - 1, repair.text]))
}
