// Writes the golden files: `node testkit/gateway/golden/build/build.ts`. Each line is an answer of a provider in its documented
// shape, with the answer that the server must read from it.
import { mkdirSync, writeFileSync } from 'node:fs'
import * as anthropic from './anthropic.ts'
import { CASES, type Case } from './cases.ts'
import { type Abilities, expectedOf } from './expected.ts'
import * as gemini from './gemini.ts'
import * as openaiChat from './openai-chat.ts'
import * as openaiResponses from './openai-responses.ts'

type Format = {
  readonly abilities: Abilities
  whole(item: Case): unknown
  stream(item: Case): readonly unknown[]
}
const FORMATS: Readonly<Record<string, Format>> = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  anthropic,
  gemini,
}

const resultOf = (item: Case, abilities: Abilities): object =>
  item.error ? { error: item.error } : { reply: expectedOf(item, abilities) }

/** A blocked prompt has no text. */
const shownAs = (name: string, item: Case): Case =>
  name === 'gemini' && gemini.isBlocked(item)
    ? { ...item, answers: [{ ...item.answers[0], text: '' }] }
    : item

const folder = new URL('../', import.meta.url)
mkdirSync(folder, { recursive: true })
for (const [name, { abilities, whole, stream }] of Object.entries(FORMATS)) {
  const lines = CASES.flatMap((item) => {
    const result = resultOf(shownAs(name, item), abilities)
    return [
      { name: item.name, body: whole(item), ...result },
      // The stream says the same.
      { name: item.name, events: stream(item) },
    ]
  })
  writeFileSync(new URL(`${name}.jsonl`, folder), `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)
}
