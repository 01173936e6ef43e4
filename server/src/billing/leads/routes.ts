// Routes of contact requests.
import { z } from 'zod'
import { route } from '../../platform/http/route.ts'
import { email, line, pageQuery, timestamp, words } from '../../platform/http/shapes.ts'
import { INTERESTS, listLeads, recordLead } from './leads.ts'

const interest = z.enum(INTERESTS)
const LeadBody = z.object({
  name: line(200),
  email,
  message: words(5000),
  company: line(200, 0).optional(),
  interest: interest.default('general'),
  website: z.string().max(500).optional().meta({
    description: 'Omit this field. It detects programs that fill in every field.',
  }),
})
const Lead = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  company: z.string().nullable(),
  interest,
  message: z.string(),
  createdAt: timestamp,
})

export const leadRoutes = [
  route('contact.lead', 'POST /contact/lead', {
    summary: 'Ask us to contact you.',
    detail: 'At most five requests an hour per network address, and three per email address.',
    access: 'none',
    rate: 'auth',
    body: LeadBody,
    reply: { 200: z.object({ ok: z.literal(true), id: z.string() }) },
    errors: ['too_many_attempts'],
    handle: ({ app, body, request }) => recordLead(app, body, request.address),
  }),

  route('admin.leads.list', 'GET /admin/leads', {
    summary: 'List contact requests, newest first.',
    detail: 'Requests are deleted after two years.',
    access: { staff: 'any' },
    rate: 'global',
    query: z.object(pageQuery()),
    reply: { 200: z.object({ leads: z.array(Lead), nextCursor: z.string().nullable() }) },
    handle: ({ app, query }) => listLeads(app, query),
  }),
]
