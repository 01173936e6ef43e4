// A preview of a model's answer while it arrives: its plan, its summary and the names of its files.
import { cleanPath } from '@cowrie/workspace/paths/protected-paths.ts'
import { createEnvelopeReader } from '../edits/reader/envelope-reader.ts'
import { mark, type Nonce } from '../prompt/markers.ts'

// Longer lines are not a heading.
const HEADING_CHARACTERS = 400

/** Takes the next piece of an answer. Returns the text that can be shown. */
export function createLivePreview(nonce: Nonce): (text: string) => string {
  const reader = createEnvelopeReader(nonce)
  let line = ''
  return (text) => {
    let shown = ''
    for (const piece of text.split(/(?<=\n)/)) {
      shown += reader.push(piece)
      if (line.length <= HEADING_CHARACTERS) line += piece
      if (!piece.endsWith('\n')) continue
      shown += toFileHeading(nonce, line)
      line = ''
    }
    return shown
  }
}

function toFileHeading(nonce: Nonce, line: string): string {
  const start = mark(nonce, 'FILE ').slice(0, -2)
  const text = line.trim()
  if (!text.startsWith(start) || !text.endsWith(']]')) return ''
  const [, action, path = ''] = /^(create|update|delete) (.+)$/.exec(text.slice(start.length, -2)) ?? []
  return action !== undefined && 'path' in cleanPath(path) ? `${action} ${path}\n` : ''
}
