import { carelessAnswers, carelessBase, NONCE } from '@cowrie/testkit/agent/careless-answers.ts'
import { expect, test } from 'vitest'
import { parseAnswer } from '../run/answer.ts'

const REFUSED: Readonly<Record<string, string>> = {
  'dots for lines in both parts': 'find_missing',
  'a comment for lines that were left out': 'elision',
  'a piece of a file in a fence below a heading': 'fragment',
  'an update with a piece of the file as if it were all': 'fragment',
  'cut off within WITH': 'cut_off',
  'FIND that occurs twice': 'find_ambiguous',
  'a delete with prose below it': 'damaged',
}

test.for(carelessAnswers)(
  'an answer is read correctly or rejected: %s',
  async ([name, text, changes, finish]) => {
    const context = { included: [...carelessBase.keys()], omitted: [] }
    const read = await parseAnswer(carelessBase, context, NONCE, { text, finish: finish ?? 'stop' })
    const edits = read.edits.map(({ path, action, content }) => [path, action === 'delete' ? null : content])
    expect(Object.fromEntries(edits)).toEqual(changes)
    expect(read.failures.map(({ reason }) => reason)).toEqual(REFUSED[name] ? [REFUSED[name]] : [])
  },
)
