// Request and reply schemas of SAML.
import { z } from 'zod'
import { text } from '../../platform/http/shapes.ts'

const RESPONSE_CHARACTERS_MAX = 256 * 1024
// Form encoding writes some base64 characters as three bytes.
export const ACS_BODY_BYTES = 288 * 1024

export const AcsForm = z.object({
  SAMLResponse: text(RESPONSE_CHARACTERS_MAX).meta({ description: 'The response in base64.' }),
  RelayState: text(200, 0).optional().meta({ description: 'Ignored.' }),
})

export const FinishQuery = z.object({ ticket: text(100) })
