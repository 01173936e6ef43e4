// Rules that report secrets in any text.

import type { Hit, Rule, TextEvent } from '../rule.ts'
import { type FoundSecret, findSecrets, SECRET_PATTERNS } from '../secret-formats/secrets.ts'
import { SECRET_RULES, type SecretRule } from './rules.ts'

export const secretRules: readonly Rule[] = SECRET_RULES.map((rule) => ({
  id: rule.id,
  title: rule.title,
  cwe: 798,
  severity: rule.severity,
  confidence: rule.confidence,
  languages: 'any text' as const,
  message: `Anyone who can read this file, its history or a build of it can use ${rule.grantsAccessTo}.`,
  fix: 'Revoke it at the provider, create a new one, read it from the environment or a secret store, and remove it from the repository’s history.',
  ...(rule.isLive && { isForTests: true as const }),
  on: { text: (event) => hitsOf(rule, event) },
}))

const REPORTED = SECRET_PATTERNS.filter(({ rule }) => rule !== undefined)
/** More matches in one text are a list of secrets and add no information. */
const REPORTED_MAX = 100

/**
 * All patterns search a text together, so that each secret is reported once. The first rule does the work
 * and the others use its result.
 */
const lastScan: { event: TextEvent | null; found: readonly FoundSecret[] } = { event: null, found: [] }

function hitsOf({ id }: SecretRule, event: TextEvent): Hit[] {
  if (lastScan.event !== event)
    Object.assign(lastScan, { event, found: findSecrets(event.text, REPORTED).slice(0, REPORTED_MAX) })
  return lastScan.found
    .filter(({ pattern }) => pattern.rule === id)
    .map(({ start, end }) => {
      const line = lineAt(event.text, start)
      return { at: { start, end, line, endLine: lineAt(event.text, end) } }
    })
}

function lineAt(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1
  return line
}

/** Masks the secrets in a text. The number and length of lines stay the same. */
export function maskSecrets(text: string): string {
  let masked = ''
  let done = 0
  for (const { start, end } of findSecrets(text)) {
    masked += text.slice(done, start) + text.slice(start, end).replace(/\S/g, '•')
    done = end
  }
  return masked + text.slice(done)
}
