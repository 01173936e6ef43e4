// Clients of a model: `streams` at once, each sending the next request after its answer ended. Records the time to the first token.
import { connect } from 'node:net'
import { answer } from '../processes.ts'

export type ReadOrder = {
  port: number
  requests: string[]
  streams: number
  answersEach: number
  /** The end of a stream. Default: that of chat completions. */
  end?: string
}
export type ReadResult = {
  answers: number
  tokens: number
  seconds: number
  /** From the request to the first token, in milliseconds, sorted. */
  firstMs: number[]
  refused: string | null
}

const WORD = '" token"'
const ANSWER_TIMEOUT_MS = 120_000

answer((order: ReadOrder) => readAll(order))

async function readAll({
  port,
  requests,
  streams,
  answersEach,
  end = '[DONE]',
}: ReadOrder): Promise<ReadResult> {
  const result: ReadResult = { answers: 0, tokens: 0, seconds: 0, firstMs: [], refused: null }
  const begun = performance.now()
  await Promise.all(
    Array.from({ length: streams }, async (_, i) => {
      for (let n = 0; n < answersEach && result.refused === null; n++)
        await once(port, requests[i % requests.length] ?? '', end, result)
    }),
  )
  result.seconds = (performance.now() - begun) / 1000
  result.firstMs.sort((a, b) => a - b)
  return result
}

function once(port: number, request: string, end: string, result: ReadResult): Promise<void> {
  return new Promise((resolve, reject) => {
    let tail = ''
    let isFirst = true
    let askedMs = 0
    let isLast = false
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => {
      askedMs = performance.now()
      socket.write(request)
    })
    socket.setTimeout(ANSWER_TIMEOUT_MS, () => socket.destroy(new Error('an answer took too long')))
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      const text = tail + chunk
      const words = text.split(WORD).length - 1
      if (tail === '' && isFirst && !text.startsWith('HTTP/1.1 200')) {
        result.refused ??= text.slice(0, 1_000)
        socket.destroy()
        return
      }
      if (words > 0 && isFirst) {
        isFirst = false
        result.firstMs.push(performance.now() - askedMs)
      }
      result.tokens += words
      tail = text.slice(-Math.max(WORD.length - 1, end.length - 1))
      isLast ||= text.includes(end)
      if (isLast) {
        result.answers++
        socket.destroy()
      }
    })
    socket.on('error', reject)
    socket.on('close', () => resolve())
  })
}
