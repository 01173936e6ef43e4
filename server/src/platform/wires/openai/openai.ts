// OpenAI's two APIs as wire formats: chat completions and Responses.
import type { Wire } from '../wire.ts'
import * as chat from './chat-fields.ts'
import { createReader as createChatReader } from './chat-reader.ts'
import { readReply as readChatReply, writeReply as writeChatReply } from './chat-reply.ts'
import { createWriter as createChatWriter } from './chat-writer.ts'
import { readRequest as readChatRequest } from './read-chat-request.ts'
import { readRequest as readResponsesRequest } from './read-responses-request.ts'
import * as responses from './responses-fields.ts'
import { createReader as createResponsesReader } from './responses-reader.ts'
import { readReply as readResponsesReply, writeReply as writeResponsesReply } from './responses-reply.ts'
import { createWriter as createResponsesWriter } from './responses-writer.ts'
import { writeRequest as writeChatRequest } from './write-chat-request.ts'
import { writeRequest as writeResponsesRequest } from './write-responses-request.ts'

export const openaiChat: Wire = {
  name: 'openai-chat',
  fieldOf: chat.fieldOf,
  readRequest: readChatRequest,
  writeRequest: writeChatRequest,
  readReply: readChatReply,
  writeReply: writeChatReply,
  createReader: createChatReader,
  createWriter: createChatWriter,
}

export const openaiResponses: Wire = {
  name: 'openai-responses',
  fieldOf: responses.fieldOf,
  readRequest: readResponsesRequest,
  writeRequest: writeResponsesRequest,
  readReply: readResponsesReply,
  writeReply: writeResponsesReply,
  createReader: createResponsesReader,
  createWriter: createResponsesWriter,
}
