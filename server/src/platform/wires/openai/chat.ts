// OpenAI's chat completions as a wire format.
import type { Wire } from '../wire.ts'
import { fieldOf } from './chat-fields.ts'
import { createReader } from './chat-reader.ts'
import { readReply, writeReply } from './chat-reply.ts'
import { createWriter } from './chat-writer.ts'
import { readRequest } from './read-chat-request.ts'
import { writeRequest } from './write-chat-request.ts'

export const openaiChat: Wire = {
  name: 'openai-chat',
  fieldOf,
  readRequest,
  writeRequest,
  readReply,
  writeReply,
  createReader,
  createWriter,
}
