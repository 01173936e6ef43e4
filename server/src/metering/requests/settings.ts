// Settings of the request log.
import { complianceHeading } from '../../platform/settings/platform-settings.ts'
import { count, settings } from '../../platform/settings/setting.ts'

export const requestLogSettings = settings('compliance', complianceHeading, {
  usage_log_days: {
    label: 'Days of the request log',
    description:
      'Rows about model calls are not shown after this many days. Below 31 they are deleted within an hour, otherwise by whole months, at most 31 days later. The ledger and the usage figures are not affected.',
    type: count({ min: 1, max: 400 }),
    default: 90,
  },
})
