// Clients of event streams: opens many, reports when all have started, and counts frames until all have ended.
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
  await Promise.all(readers.map((reader) => reader.started))
}

function read(port: number, request: string): { started: Promise<void>; ended: Promise<StreamResult> } {
  const started = Promise.withResolvers<void>()
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
    started.resolve()
    // A chunk can end inside a frame, so the search overlaps with the previous chunk.
    const text = tail + chunk
    frames += text.split('data: ').length - 1
    tail = text.slice(-5)
    if (text.includes('\r\n0\r\n')) socket.end()
  })
  socket.on('error', (error) => {
    started.reject(error)
    over.reject(error)
  })
  socket.on('close', () => {
    started.resolve()
    over.resolve({ frames, refused })
  })
  return { started: started.promise, ended: over.promise }
}
