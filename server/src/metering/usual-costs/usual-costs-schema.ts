// The usual cost in the reply of a quote.
import { z } from 'zod'
import { minorOut } from '../../platform/http/shapes.ts'

export const usuallyMinor = z
  .object({
    low: minorOut.meta({ description: 'Half of comparable work cost at most this much.' }),
    high: minorOut.meta({ description: 'Nine of ten cost at most this much.' }),
  })
  .meta({ id: 'UsualCost' })
  .nullable()
  .meta({
    description:
      'The usual cost: work of the last 30 days on the same model with a prompt of similar size. Null where too little is comparable.',
  })
