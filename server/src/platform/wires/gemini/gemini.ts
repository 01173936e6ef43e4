// The Gemini API as a wire format.
import type { Wire } from '../wire.ts'
import { fieldOf, readRequest } from './read-request.ts'
import { readReply, writeReply } from './reply.ts'
import { createReader } from './stream-reader.ts'
import { createWriter } from './stream-writer.ts'
import { writeRequest } from './write-request.ts'

export const gemini: Wire = {
  name: 'gemini',
  fieldOf,
  readRequest,
  writeRequest,
  readReply,
  writeReply,
  createReader,
  createWriter,
}
