// Builds the extraction prompt on a worker thread, because long pages take time.
import type { Nonce } from '../../agent/agent.ts'
import type { Message } from '../../platform/inference/inference.ts'
import { extractMessages } from './extract-prompt.ts'

export type ExtractPromptTaskInput = {
  readonly nonce: Nonce
  readonly input: Parameters<typeof extractMessages>[1]
}

export const run = ({ nonce, input }: ExtractPromptTaskInput): Message[] => extractMessages(nonce, input)
