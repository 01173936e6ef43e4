// The service about itself, as the first module.
import { ApiError } from './kernel/errors.ts'
import { route } from './platform/http/route.ts'
import { systemRoutes } from './platform/http/system-routes.ts'
import { outbox } from './platform/mail/mail.ts'
import { Outbox, OutboxQuery } from './platform/mail/schema.ts'
import type { Module } from './platform/module.ts'

/** `document` is the printed OpenAPI, made once. */
export const system = (document: () => string): Module => ({
  name: 'system',
  routes: [
    ...systemRoutes(document),

    route('dev.outbox', 'GET /dev/outbox', {
      summary: 'Read the mails that were not sent because no mail server is configured. Never in production.',
      access: 'none',
      rate: 'global',
      hidden: true,
      query: OutboxQuery,
      carriesSecret: true,
      reply: { 200: Outbox },
      errors: ['not_found'],
      handle: async ({ app, query }) => {
        if (app.config.environment === 'production') throw new ApiError('not_found')
        return { mails: await outbox(app.db, query.to) }
      },
    }),
  ],
})
