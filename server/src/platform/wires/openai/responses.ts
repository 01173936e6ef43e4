// OpenAI's Responses API as a wire format.
import type { Wire } from '../wire.ts'
import { readRequest } from './read-responses-request.ts'
import { fieldOf } from './responses-fields.ts'
import { createReader } from './responses-reader.ts'
import { readReply, writeReply } from './responses-reply.ts'
import { createWriter } from './responses-writer.ts'
import { writeRequest } from './write-responses-request.ts'

export const openaiResponses: Wire = {
  name: 'openai-responses',
  fieldOf,
  readRequest,
  writeRequest,
  readReply,
  writeReply,
  createReader,
  createWriter,
}
