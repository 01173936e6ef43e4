// Options that a provider's format lacks, as instructions to the model.
import type { TextBlock } from './conversation.ts'

const VERBOSITIES: ReadonlyMap<string, string> = new Map([
  ['low', 'Keep your answers short.'],
  ['high', 'Answer in detail.'],
])

/** The system prompt with the options in words. `medium` is what models do without them. */
export function withInstructions(
  system: readonly TextBlock[],
  verbosity: string | undefined,
  parallelTools: boolean | undefined,
  adapted: string[],
): readonly TextBlock[] {
  const texts: string[] = []
  const wanted = VERBOSITIES.get(verbosity ?? '')
  if (wanted !== undefined) {
    adapted.push('options.verbosity')
    texts.push(wanted)
  }
  if (parallelTools === false) {
    adapted.push('options.parallelTools')
    texts.push('Call at most one tool at a time, and wait for its result.')
  }
  return texts.length === 0 ? system : [...system, { kind: 'text', text: texts.join(' ') }]
}
