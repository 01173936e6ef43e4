// Worker task: masks secrets in the subjects of commits.
import { maskText } from '../filter/mask-secrets.ts'

export const run = (subjects: readonly string[]): string[] =>
  subjects.map((subject) => maskText(subject.toWellFormed(), true).text)
