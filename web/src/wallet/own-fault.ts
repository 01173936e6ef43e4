// A refusal of our own, said at its field like those of the service, but as a whole sentence in the reader's language.
import { type ApiFailure, problem } from '../api.ts'
import { faultOf } from '../app/field.tsx'

const CODE = 'own_fault'

export const faulty = (path: string, sentence: string): ApiFailure => problem(sentence, { code: CODE, path })

/** What is wrong at a field, whoever says so. */
export function faultAt(refused: ApiFailure | null, ...names: string[]): string | null {
  if (refused?.code === CODE) return refused.fields.find(({ path }) => names.includes(path))?.message ?? null
  return names.map((name) => faultOf(refused, name)).find((fault) => fault !== null) ?? null
}
