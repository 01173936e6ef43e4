// Reads what a comment asks the review bot to do.
import { textAfterMention } from '../webhook/mention.ts'

export type ReplyCommand =
  | { readonly kind: 'explain' }
  | { readonly kind: 'dismiss'; readonly reason: string }
  | { readonly kind: 'recheck' }
  | { readonly kind: 'summary' }

const REASON_MAX = 1_000
const POLITE = `(?:,? please)?[.!]?$`
const PULL = `(?:(?: of)? (?:this|the) (?:pull request|merge request|pr|mr|changes?))?`
const SUMMARY = new RegExp(`^(?:(?:a|the) )?summar(?:y|ise|ize)${PULL}${POLITE}`, 'i')
const RECHECK = new RegExp(`^(?:re-?check|re-?review|check again|review again)${PULL}${POLITE}`, 'i')
const EXPLAIN = /^(?:explain|why)\b/i
const DISMISS = /^(?:dismiss(?: this)?|false[ -]positive)\b[\s:,.–—-]*(?:because\b\s*)?(.*)$/is

/**
 * Null for everything else. A conversation has no finding, so only a summary or a new review can be asked for there, with no
 * further words: longer requests are for the agent.
 */
export function parseReplyCommand(comment: string, isInThread: boolean): ReplyCommand | null {
  const text = textAfterMention(comment)?.replaceAll(/[^\S\n]+/g, ' ') ?? ''
  if (SUMMARY.test(text)) return { kind: 'summary' }
  if (RECHECK.test(text)) return { kind: 'recheck' }
  if (!isInThread) return null
  if (EXPLAIN.test(text)) return { kind: 'explain' }
  const dismissed = DISMISS.exec(text)
  return dismissed ? { kind: 'dismiss', reason: cleanReason(dismissed[1] ?? '') } : null
}

const cleanReason = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, REASON_MAX)
