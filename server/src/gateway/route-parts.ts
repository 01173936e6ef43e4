// Parts that the routes of all client formats share: limits, errors and texts.
import { IMAGE_BYTES_MAX, IMAGE_SECONDS_MAX } from '../platform/web/image.ts'
import { DEFAULT_OUTPUT, OUTPUT_MAX } from './gateway.ts'
import { ALL_IMAGES_BYTES_MAX, IMAGES_MAX } from './upstream/fetch-images.ts'
import { PICTURE_TOKENS } from './upstream/media.ts'

const MIB = 1024 * 1024
export const BODY_BYTES = 8 * MIB

/** The errors of choosing a model. */
export const MODEL_ERRORS = [
  'model_not_found',
  'model_not_allowed',
  'residency_blocked',
  'inference_not_configured',
] as const

export const PAID_ERRORS = [
  ...MODEL_ERRORS,
  'prompt_too_long',
  'insufficient_funds',
  'member_cap_reached',
  'key_budget_exceeded',
  'key_rate_limited',
  'too_many_streams',
  'upstream_failed',
  'upstream_unavailable',
  'upstream_refused',
] as const

export const COST = `The header \`x-cowrie-cost-minor\` contains the cost, \`x-cowrie-balance-minor\` the remaining balance, and \`x-cowrie-lane\` the lane.`
export const CEILING = `The output is limited to the requested tokens (default ${DEFAULT_OUTPUT}), to ${OUTPUT_MAX}, to the limit of the model, and to the rest of its context window. A higher value is lowered, not rejected.`
export const IMAGE = `counts as ${PICTURE_TOKENS} tokens until the model service reports its usage; another file counts as one token per four characters, and at least as much as an image`
export const IMAGE_URLS = `Images are sent inline or as https URLs. At most ${IMAGES_MAX} URLs are fetched, with at most ${IMAGE_BYTES_MAX / MIB} MiB and ${IMAGE_SECONDS_MAX} seconds each and ${ALL_IMAGES_BYTES_MAX / MIB} MiB together: PNG, JPEG, WebP or GIF on the public internet. The provider gets the image, never its URL.`
export const IGNORED = `The header \`x-cowrie-ignored\` names fields without effect, at most 20.`
export const CONCURRENT_CALLS = `A caller may have at most 20 calls in progress.`
export const KEY = `With an \`Idempotency-Key\`, a retry gets the same reply, streams included, and is charged once. The work continues after a disconnect, and the retry waits for it. A stream under a key ends at 16 MiB with \`length\`. A failure of the provider or of the service costs nothing and frees the key.`
export const ANY_PROVIDER = `Every model of \`GET /v1/models\` can be used, whatever the format of its provider. A field that the provider cannot express is rejected with 400; the header \`x-cowrie-adapted\` names fields that were expressed in another way, and \`x-cowrie-ignored\` those without effect, at most 20.`
