// The endpoints that only ask for a mailed link: they differ in its kind and in their words.
import { type Route, route } from '../../platform/http/route.ts'
import { ok } from '../../platform/http/shapes.ts'
import { Address } from '../schema.ts'
import { type MailedLinkKind, requestLink } from './mailed-links.ts'

export const linkRequestRoute = (
  name: string,
  address: `POST /${string}`,
  kind: MailedLinkKind,
  more: { summary: string; detail: string; duringMaintenance?: string },
): Route =>
  route(name, address, {
    ...more,
    access: 'none',
    rate: 'auth',
    body: Address,
    reply: { 200: ok },
    errors: ['too_many_attempts'],
    handle: async ({ app, request, body }) => {
      await requestLink(app, request, kind, body.email)
      return { ok: true as const }
    },
  })
