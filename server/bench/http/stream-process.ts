// Readers of event streams: opens many, says when all have begun, and counts frames until all have ended.
import { connect } from 'node:net'
import { answer } from '../processes.ts'

export type StreamOrder = { port: number; requests: string[]; streams: number }
export type StreamResult = { frames: number; refused: string | null }

let ended: Promise<StreamResult> | null = null

answer((question: { open: StreamOrder } | 'finish') => (question === 'finish' ? ended : open(question.open)))

/** Resolves when every stream has sent its headers. */
async function open({ port, requests, streams }: StreamOrder): Promise<void> {
  const readers = Array.from({ length: streams }, (_, i) => read(port, requests[i % requests.length] ?? ''))
  ended = Promise.all(readers.map((reader) => reader.ended)).then((all) => ({
    frames: all.reduce((sum, { frames }) => sum + frames, 0),
    refused: all.find(({ refused }) => refused !== null)?.refused ?? null,
  }))
  await Promise.all(readers.map((reader) => reader.begun))
}

function read(port: number, request: string): { begun: Promise<void>; ended: Promise<StreamResult> } {
  const begun = Promise.withResolvers<void>()
  const over = Promise.withResolvers<StreamResult>()
  let frames = 0
  let refused: string | null = null
  let tail = ''
  const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(request))
  socket.setEncoding('latin1')
  socket.on('data', (chunk) => {
    if (tail === '' && !String(chunk).startsWith('HTTP/1.1 200')) {
      refused = String(chunk).slice(0, 1_000)
      socket.destroy()
    }
    begun.resolve()
    // A frame may be cut anywhere, so its mark is looked for across the seam.
    const text = tail + chunk
    frames += text.split('data: ').length - 1
    tail = text.slice(-5)
    if (text.includes('\r\n0\r\n')) socket.end()
  })
  socket.on('error', (error) => {
    begun.reject(error)
    over.reject(error)
  })
  socket.on('close', () => {
    begun.resolve()
    over.resolve({ frames, refused })
  })
  return { begun: begun.promise, ended: over.promise }
}
