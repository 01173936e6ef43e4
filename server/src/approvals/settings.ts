// The limit above which a second member of staff must approve.
import { minorUnits, settings } from '../platform/settings/setting.ts'
import { pricingHeading } from '../wallet/wallet.ts'

export const approvalSettings = settings('pricing', pricingHeading, {
  staff_approval_limit_minor: {
    label: 'Approval of staff credits',
    description:
      'A member of staff may credit, refund and give away this much in 24 hours. More waits for the approval of another one. In kobo; the rate card converts other currencies. Zero: no approval.',
    type: minorUnits({ min: 0, max: 100_000_000_000_000 }),
    default: 0,
    restricted: true,
  },
})

export const { staff_approval_limit_minor: approvalLimit } = approvalSettings.settings
