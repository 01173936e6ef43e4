// The secret formats of the service, for worker tasks.
import { isSecretFile, secretSpans } from '@cowrie/analysis/secret-formats/secrets.ts'
import type { SecretFormats } from '@cowrie/workspace/secrets/secret-span.ts'

export const SECRET_FORMATS: SecretFormats = { isSecretFile, secretSpans }
