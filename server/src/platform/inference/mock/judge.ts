// Findings of a static analyser, which a real model would judge. What needs no key can read code but not judge it, and says so.
import type { Message } from '../question.ts'

const FINDING = /<<finding [0-9a-f]+ id="(?<id>[\w-]{1,40})">>/g

export const wantsVerdicts = (messages: readonly Message[]): boolean =>
  messages.some(({ role, content }) => role === 'system' && content.includes('{"verdicts": [{"id":'))

export function verdictsReply(messages: readonly Message[]): string {
  const asked = messages.filter(({ role }) => role === 'user').map(({ content }) => content)
  const ids = [...asked.join('\n').matchAll(FINDING)].map(({ groups }) => groups?.id ?? '')
  const reason = 'No model is configured here that could judge it.'
  return JSON.stringify({
    verdicts: ids.map((id) => ({ id, verdict: 'unproven', evidence: [], reason })),
  })
}
