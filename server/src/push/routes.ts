// Routes of push notifications.
import { route } from '../platform/http/route.ts'
import { ok } from '../platform/http/shapes.ts'
import { NewSubscription, SubscriptionList, SubscriptionParams, SubscriptionReply } from './schema.ts'
import { listSubscriptions, removeSubscription, saveSubscription } from './subscriptions.ts'

export const pushRoutes = [
  route('push.subscriptions.list', 'GET /me/push-subscriptions', {
    summary: 'List the browsers that receive your notifications, and the key to subscribe with.',
    access: 'session',
    rate: 'global',
    reply: { 200: SubscriptionList },
    handle: ({ app, actor }) => listSubscriptions(app, actor),
  }),

  route('push.subscriptions.save', 'POST /me/push-subscriptions', {
    summary: 'Send notifications to a browser, or change their kinds and language.',
    detail:
      'Takes what `PushManager.subscribe` returns. An endpoint that is already stored is replaced. Kinds: `paid`, `task_finished`, `needs_approval`; only your own payments and tasks. Messages are encrypted for the browser (RFC 8291) and expire after 24 hours. A failed message is sent again up to five times; a reply 404 or 410 removes the browser. The browser is also removed when its session ends. Limits: 10 browsers per person, the oldest is replaced; 60 messages and 60 changes per hour.',
    access: 'session',
    rate: 'global',
    body: NewSubscription,
    reply: { 201: SubscriptionReply },
    errors: ['not_found', 'too_many_attempts'],
    handle: ({ app, actor, body }) => saveSubscription(app, actor, body),
  }),

  route('push.subscriptions.remove', 'DELETE /me/push-subscriptions/{id}', {
    summary: 'Stop the notifications to a browser.',
    access: 'session',
    rate: 'global',
    params: SubscriptionParams,
    reply: { 200: ok },
    errors: ['too_many_attempts'],
    handle: ({ app, actor, params }) => removeSubscription(app, actor, params.id),
  }),
]
