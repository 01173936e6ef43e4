// Names of the sources of wallet entries.
import { msg } from '../../i18n/t.ts'

export const SOURCES: Readonly<Record<string, string>> = {
  topup: msg('Top-up'),
  agent: msg('Task'),
  chat: msg('Chat'),
  index: msg('Code index'),
  research: msg('Research'),
  review: msg('Code review'),
  gateway: msg('API'),
  refund: msg('Refund'),
  adjustment: msg('Adjustment'),
  subscription: msg('Subscription'),
  trial: msg('Trial credit'),
}
