// A fake name server with a few TXT records.
import { createSocket } from 'node:dgram'

export type FakeDns = {
  /** In the format of SERVICE_DNS_SERVER. */
  readonly server: string
  /** TXT records by name. Other names do not exist; null simulates a server failure. */
  readonly texts: Map<string, string[] | null>
  readonly queries: string[]
  /** Replies wait for this promise. */
  gate: Promise<void>
  close(): void
}

const HEADER_BYTES = 12
const TYPE_TXT = 16
const SERVER_FAILURE = 2
const NO_SUCH_NAME = 3

export async function startDns(): Promise<FakeDns> {
  const texts: FakeDns['texts'] = new Map()
  const queries: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', async (question, from) => {
    const name = nameIn(question)
    queries.push(name)
    await fake.gate
    socket.send(answer(question, texts.get(name.toLowerCase())), from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  const fake: FakeDns = {
    server: `127.0.0.1:${socket.address().port}`,
    texts,
    queries: queries,
    gate: Promise.resolve(),
    close: () => void socket.close(),
  }
  return fake
}

function nameIn(question: Buffer): string {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return labels.join('.')
}

function answer(question: Buffer, texts: string[] | null | undefined): Buffer {
  const questionEnd = question.indexOf(0, HEADER_BYTES) + 5
  const code = texts === undefined ? NO_SUCH_NAME : texts === null ? SERVER_FAILURE : 0
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt16BE(question.readUInt16BE(0), 0)
  header.writeUInt16BE(0x8180 | code, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(texts?.length ?? 0, 6)
  return Buffer.concat([header, question.subarray(HEADER_BYTES, questionEnd), ...(texts ?? []).map(record)])
}

/** TXT records are split into chunks of 255 bytes. */
function record(text: string): Buffer {
  const bytes = Buffer.from(text)
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; at += 255) {
    const piece = bytes.subarray(at, at + 255)
    pieces.push(Buffer.from([piece.length]), piece)
  }
  const data = Buffer.concat(pieces)
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(TYPE_TXT, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(60, 6)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}
