// The one step that some payers have to take here: the code that their network sent them.
import { z } from 'zod'
import { route } from '../platform/http/route.ts'
import { submitOtp } from './initiate/otp.ts'
import { TopupResult } from './schema.ts'

const Params = z.object({ reference: z.string().regex(/^[a-z0-9]{8,32}$/) })
const Otp = z.object({
  otp: z
    .string()
    .regex(/^[A-Za-z0-9]{3,12}$/, 'must be 3 to 12 letters and digits')
    .meta({ description: 'As the network sent it to the payer.' }),
})

export const otpRoutes = [
  route('wallet.topupOtp', 'POST /wallet/topups/{reference}/otp', {
    summary: 'Hand in the code that the network sent to the payer, when a top-up says otpRequired.',
    detail:
      'A code that is refused leaves the payment as it was: send another, at most 5 in 15 minutes. Whether it is paid is learned as for every top-up.',
    access: 'any',
    rate: 'money',
    params: Params,
    body: Otp,
    reply: { 200: TopupResult },
    errors: [
      'payment_code_refused',
      'payment_refused',
      'code_not_expected',
      'too_many_attempts',
      'rail_unavailable',
    ],
    handle: ({ app, actor, params, body }) => submitOtp(app, actor, params.reference, body.otp),
  }),
]
