// Embeds on a thread, to compare with what the main thread makes of the same text.
import { embedText } from './embedding.ts'

export const run = ({ text }: { text: string }): Int8Array => embedText(text)
