// A short name for a conversation.
import type { Message } from '../../question.ts'

const TITLE_CHARACTERS_MAX = 60

/** Only the one who runs the conversation asks for its title; a person who writes the word means something else. */
export const wantsTitle = (messages: readonly Message[]): boolean =>
  messages.some(
    ({ role, content }) =>
      role === 'system' &&
      /\b(short|brief|concise|generate|write|give|reply with|suggest)\b[^.\n]{0,60}\btitle\b/i.test(
        content.slice(0, 4_000),
      ),
  )

/** The first words of what was asked first. */
export function titleOf(messages: readonly Message[]): string {
  const asked = messages.find(({ role }) => role === 'user')?.content.slice(0, 4_000) ?? ''
  const plain = asked
    .replaceAll(/```[\s\S]*?(```|$)/g, ' ')
    .replaceAll(/[#*_`>[\]]/g, '')
    .replace(/^\s*(please|can you|could you|i want to|help me)\s+/i, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  const sentence = (/^.*?[^.!?](?=[.!?](\s|$)|$)/.exec(plain)?.[0] ?? plain).trim()
  const cut =
    sentence.length > TITLE_CHARACTERS_MAX
      ? sentence.slice(0, TITLE_CHARACTERS_MAX - 1).replace(/\s+\S*$/, '…')
      : sentence
  return cut === '' ? 'New conversation' : cut.charAt(0).toUpperCase() + cut.slice(1)
}
