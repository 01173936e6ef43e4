// All kinds of malformed requests.
import type { Kind } from './attempt.ts'
import { BODY_KINDS } from './bodies.ts'
import { FIELD_KINDS } from './fields.ts'
import { HEADER_KINDS } from './headers.ts'
import { PATH_KINDS } from './paths.ts'
import { TRANSPORT_KINDS } from './transport.ts'

export const KINDS: readonly Kind[] = [
  ...BODY_KINDS,
  ...FIELD_KINDS,
  ...PATH_KINDS,
  ...HEADER_KINDS,
  ...TRANSPORT_KINDS,
]
