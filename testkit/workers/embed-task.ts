// Embeds on a worker thread, to compare with the main thread.
import { embedText } from '@cowrie/models/embedding/embedding.ts'

export const run = ({ text }: { text: string }): Int8Array => embedText(text)
