// Secrets in any text, as rules.
import type { Hit, Rule, TextEvent } from '../rule.ts'
import { findSecrets } from './find.ts'
import { SECRET_SHAPES, type SecretShape } from './shapes.ts'

export { maskSecrets } from './find.ts'

export const secretRules: readonly Rule[] = SECRET_SHAPES.map((shape) => ({
  id: shape.id,
  title: shape.title,
  cwe: 798,
  severity: shape.severity,
  confidence: shape.confidence,
  languages: 'any text' as const,
  message: `Whoever reads this file, its history or a build of it can use ${shape.whose}.`,
  fix: 'Take it back at the provider and make a new one, read it from the environment or a secret store, and keep it out of the repository’s history.',
  ...(shape.isLive && { isForTests: true as const }),
  on: { text: (event) => hitsOf(shape, event) },
}))

/** All shapes look at a text together, so that one secret is told of once; the first rule that asks does the work. */
const last: { event: TextEvent | null; found: ReturnType<typeof findSecrets> } = { event: null, found: [] }

function hitsOf(shape: SecretShape, event: TextEvent): Hit[] {
  if (last.event !== event) Object.assign(last, { event, found: findSecrets(event.text) })
  return last.found
    .filter((each) => each.shape === shape)
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
