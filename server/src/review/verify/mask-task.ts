// Worker task: masks secrets in texts for a model. Crafted text can make the search slow, so it runs on a thread.
import { maskSecrets } from '@cowrie/analysis/secrets/secrets.ts'

export const run = (texts: readonly string[]): string[] => texts.map(maskSecrets)
