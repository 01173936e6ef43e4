// Answers of the fake upstream: an edit of one word or a few words of text, sent in pieces with pauses, so that kills happen
// in the middle. Sometimes it refuses, cuts the connection, hangs or returns text without an edit.

import type { FakeAnswer, FakeRequest, StreamPiece } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import { mark } from '../../src/agent/prompt/markers.ts'

/** A prompt with this word takes more than a minute: longer than it takes for a running key to become stale. */
export const SLOWLY = 'unhurriedly'
const SLOW_MS = 70_000
const PAUSE_MS = 90

type Random = () => number

export const createAnswers =
  (random: Random) =>
  (request: FakeRequest): FakeAnswer => {
    const prompt = JSON.stringify(request.body.messages)
    const pieces = answerText(prompt, random).match(/(?:\s*\S+){1,2}\s*/g) ?? []
    const isSlow = prompt.includes(SLOWLY)
    const slowMs = SLOW_MS / pieces.length
    const pause = () => sleep(isSlow ? slowMs : random() * PAUSE_MS)
    const fault = isSlow ? {} : faultOf(random(), pieces.length, random)
    return { pieces: pieces.flatMap((piece): StreamPiece[] => [pause, piece]), ...fault }
  }

function faultOf(chance: number, pieces: number, random: Random): FakeAnswer {
  const somewhere = Math.floor(random() * pieces)
  if (chance < 0.03) return { status: 500, body: { error: { message: 'out of order' } } }
  if (chance < 0.05) return { status: 429, body: { error: { message: 'too much' } } }
  if (chance < 0.1) return { cutAfter: somewhere }
  if (chance < 0.12) return { hangAfter: somewhere }
  return {}
}

/** A prompt with section markers gets an answer in that format. */
function answerText(prompt: string, random: Random): string {
  const nonce = /\[\[([0-9a-f]{8}) PLAN\]\]/.exec(prompt)?.[1]
  if (nonce === undefined || random() < 0.04) return plainText(random)
  const m = (words: string) => mark(nonce, words)
  const now = /\\nword is (\w+)/.exec(prompt)?.[1] ?? 'bad'
  // Some edits do not apply and need a repair turn. Some apply and do not make the test pass.
  const find = random() < 0.25 ? 'word is nowhere to be found' : `word is ${now}`
  const next = random() < 0.5 ? 'good' : `worse${Math.floor(random() * 1_000)}`
  const change = [m('FILE update word.txt'), 'why: it was asked for', m('FIND'), find]
  return [
    ...[m('PLAN'), '1. Look at the word.', '2. Write another one.', ...change, m('WITH'), `word is ${next}`],
    ...[m('END'), m('SUMMARY'), 'The word is another one now.', ''],
  ].join('\n')
}

const plainText = (random: Random): string =>
  Array.from({ length: 10 + Math.floor(random() * 50) }, (_, i) => `word${i}`).join(' ')

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
