// Chooses on a thread what a model is shown of pages: long ones take a while.
import type { Nonce } from '../../agent/agent.ts'
import type { Message } from '../../platform/inference/inference.ts'
import { extractMessages } from '../asking/asking.ts'

export type PromptInput = { readonly nonce: Nonce; readonly asked: Parameters<typeof extractMessages>[1] }

export const run = ({ nonce, asked }: PromptInput): Message[] => extractMessages(nonce, asked)
