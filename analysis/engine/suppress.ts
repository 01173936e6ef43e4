// Comments that silence a rule on their line or the next: `cowrie-ignore RULE-ID: reason`. Without a reason they do not count.
import { masked } from './mask.ts'

export type Suppression = { readonly ruleId: string; readonly line: number; readonly reason: string }

const REASON_LENGTH_MAX = 200
const COMMENT =
  /(?:\/\/|\/\*|#|<!--|--|\*)[^\n]{0,200}?\bcowrie-ignore[ \t]+([A-Z][A-Z0-9-]{2,40})[ \t]*:[ \t]*([^\n]*)/

export function suppressionsIn(text: string): Suppression[] {
  if (!text.includes('cowrie-ignore')) return []
  return text.split('\n').flatMap((written, index) => {
    const [, ruleId, rest] = COMMENT.exec(written) ?? []
    const reason = rest
      ?.replace(/(?:\*\/|-->)\s*$/, '')
      .trim()
      .slice(0, REASON_LENGTH_MAX)
    return ruleId && reason ? [{ ruleId, line: index + 1, reason: masked(reason) }] : []
  })
}
