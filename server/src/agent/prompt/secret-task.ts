// Finds secrets in texts, on a thread: a request may bring more text than the event loop should wait for.
import { type SecretSpan, secretSpans } from '@cowrie/analysis/secret-formats/secrets.ts'

export const run = (texts: readonly string[]): SecretSpan[][] => texts.map(secretSpans)
