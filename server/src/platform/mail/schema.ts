// Schemas of GET /dev/outbox.
import { z } from 'zod'
import { email, timestamp } from '../http/shapes.ts'

export type OutboxMail = z.infer<typeof OutboxMail>
export const OutboxMail = z.object({
  id: z.string(),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  createdAt: timestamp,
})

export const OutboxQuery = z.object({ to: email })
export const Outbox = z.object({ mails: z.array(OutboxMail) })
