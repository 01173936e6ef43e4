// Answers a person: about Cowrie, about code, a sum, a well-known function; otherwise plainly what it is.
import type { Message } from '../../question.ts'
import { aboutCowrie } from './about-cowrie.ts'
import { explainCode } from './explain.ts'
import { showFunction } from './show.ts'
import { workOut } from './sums.ts'

/** A prompt is read so far. */
const PROMPT_CHARACTERS_MAX = 20_000

const NOTE =
  '_You are talking to the stand-in model of the mock lane: it needs no key and only knows simple things._'

export function conversationReply(messages: readonly Message[]): string {
  const asked = (messages.findLast(({ role }) => role === 'user')?.content ?? '').slice(
    0,
    PROMPT_CHARACTERS_MAX,
  )
  const answer =
    workOut(asked) ??
    explainCode(asked) ??
    showFunction(asked) ??
    aboutCowrie(asked) ??
    greeting(asked) ??
    otherwise(asked)
  return `${answer}\n\n${NOTE}`
}

const greeting = (asked: string): string | undefined =>
  /^\s*(hi|hello|hey|good (morning|afternoon|evening)|bawo|sannu|jambo|habari|thanks?|thank you)\b/i.test(
    asked,
  )
    ? 'Hello! Ask me for a small function, paste code to have it outlined, or ask how Cowrie charges.'
    : undefined

function otherwise(asked: string): string {
  const words = asked.replaceAll(/\s+/g, ' ').trim()
  const said = words === '' ? 'nothing' : `“${words.length > 200 ? `${words.slice(0, 200)}…` : words}”`
  return [
    `I understood that you asked: ${said}`,
    '',
    'I have no real answer to that. What I can do: show a well-known function (“show me slugify in Python”), outline code that you paste, work out a sum, and say how Cowrie charges.',
  ].join('\n')
}
