// The module of the service itself: health, API document and development outbox.
import { ApiError } from './kernel/errors.ts'
import { route } from './platform/http/route.ts'
import { systemRoutes } from './platform/http/system-routes.ts'
import { listMails } from './platform/mail/mail.ts'
import { Outbox, OutboxQuery } from './platform/mail/schema.ts'
import type { Module } from './platform/module.ts'
import { sealedSettings } from './platform/settings/stored-value.ts'

/** `document` returns the printed OpenAPI document. */
export const system = (document: () => string): Module => ({
  name: 'system',
  sealed: [sealedSettings],
  routes: [
    ...systemRoutes(document),

    route('dev.outbox', 'GET /dev/outbox', {
      summary: 'Read the captured mails. Only in development without a mail server.',
      access: 'none',
      rate: 'global',
      hidden: true,
      query: OutboxQuery,
      carriesSecret: true,
      reply: { 200: Outbox },
      errors: ['not_found'],
      handle: async ({ app, query }) => {
        if (app.config.environment === 'production') throw new ApiError('not_found')
        return { mails: await listMails(app.db.direct, query.to) }
      },
    }),
  ],
})
