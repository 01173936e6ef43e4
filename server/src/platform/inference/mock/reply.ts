// Decides what kind of answer a prompt wants.
import type { Message } from '../question.ts'
import { conversationReply } from './chat/conversation.ts'
import { jsonReply, wantsJson } from './chat/json.ts'
import { titleOf, wantsTitle } from './chat/title.ts'
import { answerTask } from './coding/answer.ts'
import { readCodingPrompt } from './coding/prompt.ts'
import { verdictsReply, wantsVerdicts } from './judge.ts'
import { researchReply } from './research.ts'

export function replyTo(messages: readonly Message[]): string {
  const coding = readCodingPrompt(messages)
  if (coding !== null) return answerTask(coding)
  if (wantsVerdicts(messages)) return verdictsReply(messages)
  const research = researchReply(messages)
  if (research !== null) return research
  if (wantsJson(messages)) return jsonReply(messages)
  if (wantsTitle(messages)) return titleOf(messages)
  return conversationReply(messages)
}
