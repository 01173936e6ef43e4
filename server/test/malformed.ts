// Requests that nobody should send, for every route there is. What each must lead to is said beside it.
import type { Kind } from './malformed/attempt.ts'
import { BODY_KINDS } from './malformed/bodies.ts'
import { FIELD_KINDS } from './malformed/fields.ts'
import { HEADER_KINDS } from './malformed/headers.ts'
import { PATH_KINDS } from './malformed/paths.ts'
import { TRANSPORT_KINDS } from './malformed/transport.ts'

export {
  type Attempt,
  compose,
  type Header,
  type Target,
  type Try,
  triesOf,
} from './malformed/attempt.ts'

export const KINDS: readonly Kind[] = [
  ...BODY_KINDS,
  ...FIELD_KINDS,
  ...PATH_KINDS,
  ...HEADER_KINDS,
  ...TRANSPORT_KINDS,
]
