// What renewals and open invoices say over the wire.
import { z } from 'zod'

export const EmptyBody = z.object({})

const count = z.number().int().min(0)

export const RunResult = z.object({
  charged: count.meta({ description: 'Paid, and renewed.' }),
  declined: count.meta({ description: 'No card paid; it is tried again on its day.' }),
  skipped: count.meta({
    description:
      'Due and left as they are, counted up to 1000: they may not be charged, or the next run goes on.',
  }),
  challenged: count.meta({ description: 'A bank wants to hear from its customer first.' }),
  pending: count.meta({ description: 'The card provider has not said yet whether they are paid.' }),
  ended: count.meta({ description: 'Canceled for now, or declined for the last time.' }),
  renewed: count.meta({ description: 'Renewed at no charge.' }),
})

export const InvoiceParams = z.object({ id: z.string().max(100) })

export const PayRequest = z.object({
  hosted: z
    .boolean()
    .default(false)
    .meta({ description: "Pay on the card provider's page instead of with a stored card." }),
})

export const PayResult = z.union([
  z.object({ paid: z.literal(true), invoiceId: z.string() }),
  z.object({ authorizationUrl: z.string(), reference: z.string() }),
])
