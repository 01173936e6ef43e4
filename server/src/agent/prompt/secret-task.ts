// Worker thread task that finds secrets: a request may bring more text than the event loop can search in time.
import { type SecretSpan, secretSpans } from '@cowrie/analysis/secret-formats/secrets.ts'

export const run = (texts: readonly string[]): SecretSpan[][] => texts.map(secretSpans)
