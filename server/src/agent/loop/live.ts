// What of an answer is shown while it is written: the prose of plan and summary, and which file is being worked on.
import { cleanPath, createEnvelopeReader } from '../edits/edits.ts'
import { mark, type Nonce } from '../prompt/markers.ts'

// A longer line is no heading, and not worth keeping.
const HEADING_CHARACTERS = 400

/** Takes the next piece of an answer and returns what may be shown of it. */
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
