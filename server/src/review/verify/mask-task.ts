// Strikes secrets out of texts that a model will see. On a thread: what strangers write can make looking for them slow.
import { maskSecrets } from '@cowrie/analysis/secrets/secrets.ts'

export const run = (texts: readonly string[]): string[] => texts.map(maskSecrets)
