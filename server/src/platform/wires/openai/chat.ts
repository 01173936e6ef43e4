// OpenAI's chat completions as a wire format.
import type { Wire } from '../wire.ts'
import { createReader, createWriter, readReply, writeReply } from './chat-reply.ts'
import { fieldOf, readRequest } from './read-chat-request.ts'
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
