// Request and reply schemas of two-step sign-in.
import { z } from 'zod'
import { ok, text, timestamp } from '../../platform/http/shapes.ts'
import { PasskeyAnswer } from '../passkey/schema.ts'

const code = text(40).meta({ examples: ['123456'] })

export const ChallengeAnswer = z.object({ challenge: text(100), code })
export const CodeBody = z.object({ code })

/** A code, or the answer of a passkey to the options of the step-up. */
export const StepUpBody = z.union([CodeBody, PasskeyAnswer])
export const SteppedUp = ok.extend({ until: timestamp })

export const MfaStatus = z
  .object({ enabled: z.boolean(), recoveryCodesLeft: z.int(), passkeys: z.int() })
  .meta({ id: 'MfaStatus' })

export const Enrolment = z
  .object({ secret: z.string(), otpauthUrl: z.string(), qrSvg: z.string() })
  .meta({ id: 'MfaEnrolment' })

export const RecoveryCodes = z.object({ ok: z.literal(true), recoveryCodes: z.array(z.string()) })
