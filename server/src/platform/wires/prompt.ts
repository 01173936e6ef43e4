// The prompt of a conversation for token counts: its text, and an allowance for images and files, whose tokens cannot be derived
// from their bytes.
import type { Block, Conversation, MediaSource } from './conversation.ts'

/** The approximate tokens of an image. */
const IMAGE_TOKENS = 1_600
/** Other files contain text or speech: their allowance grows with their length. */
const CHARACTERS_PER_TOKEN = 4

export type Prompt = {
  /** All text, without the structure of the format. */
  readonly text: string
  /** The allowance of images and files. */
  readonly mediaTokens: number
  /** The characters of images and files in the request. */
  readonly mediaCharacters: number
  /** Whether a file is part of the prompt. A short file can have many pages, so its tokens are known only to the provider. */
  readonly hasFiles: boolean
  readonly messages: number
}

export function promptOf(conversation: Conversation): Prompt {
  const texts: string[] = conversation.system.map(({ text }) => text)
  const media: Media = { tokens: 0, characters: 0, hasFiles: false }
  for (const { name, blocks } of conversation.messages) {
    if (name !== undefined) texts.push(name)
    for (const block of blocks) addBlock(block, texts, media)
  }
  if (conversation.tools.length > 0) texts.push(JSON.stringify(conversation.tools))
  const { format } = conversation.options
  if (format?.kind === 'schema') texts.push(JSON.stringify(format.schema))
  return {
    text: texts.join('\n'),
    mediaTokens: media.tokens,
    mediaCharacters: media.characters,
    hasFiles: media.hasFiles,
    messages: conversation.messages.length + Math.min(1, conversation.system.length),
  }
}

type Media = { tokens: number; characters: number; hasFiles: boolean }

function addBlock(block: Block, texts: string[], media: Media): void {
  switch (block.kind) {
    case 'text':
    case 'refusal':
      texts.push(block.text)
      return
    case 'thinking':
      texts.push(block.text)
      // Encrypted reasoning is read by the model; the signature of a readable text is not.
      if (block.text === '') addMedia(media, block.redacted?.length ?? block.signature?.length ?? 0, 0)
      return
    case 'tool_call':
      texts.push(block.name, block.arguments)
      return
    case 'tool_result':
      for (const each of block.content) addBlock(each, texts, media)
      return
    case 'image':
      media.characters += lengthOf(block.source)
      media.tokens += IMAGE_TOKENS
      return
    case 'file':
      if (block.name !== undefined) texts.push(block.name)
      addMedia(media, lengthOf(block.source), IMAGE_TOKENS)
      media.hasFiles = true
      return
    case 'audio':
      addMedia(media, block.data.length, IMAGE_TOKENS)
      media.hasFiles = true
  }
}

const lengthOf = (source: MediaSource): number =>
  source.kind === 'data' ? source.data.length : source.url.length

function addMedia(media: Media, characters: number, minimum: number): void {
  media.characters += characters
  media.tokens += Math.max(minimum, Math.ceil(characters / CHARACTERS_PER_TOKEN))
}
