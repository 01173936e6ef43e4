// Schemas of renewals and of paying open invoices.
import { z } from 'zod'

export const EmptyBody = z.object({})

const count = z.number().int().min(0)

export const RunResult = z.object({
  charged: count.meta({ description: 'Paid and renewed.' }),
  declined: count.meta({ description: 'No card paid; retried on the next scheduled day.' }),
  skipped: count.meta({
    description: 'Still due, counted up to 1000: they may not be charged, or the next run continues.',
  }),
  challenged: count.meta({ description: 'The bank requires a confirmation by the customer.' }),
  pending: count.meta({ description: 'The card provider has not confirmed the payment yet.' }),
  ended: count.meta({ description: 'Cancelled for this date, or declined for the last time.' }),
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
