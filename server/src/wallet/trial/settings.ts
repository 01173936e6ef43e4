// The operator settings of trial credit.
import { count, minorUnits, settings, text } from '../../platform/settings/setting.ts'

export const trialSettings = settings(
  'trial',
  {
    label: 'Trial credit',
    blurb: 'A small credit for the first task of each new person, and the limits against its abuse.',
  },
  {
    trial_credit_minor: {
      label: 'Trial credit',
      description:
        'The credit that a person gets once, after confirming the email address. 0 grants none. In kobo; the rate card converts it to other currencies.',
      type: minorUnits({ min: 0, max: 100_000_000 }),
      default: 0,
      restricted: true,
    },
    trial_credit_days: {
      label: 'Days until it expires',
      description: 'Days after which unused trial credit expires. A change applies to new grants.',
      type: count({ min: 1, max: 365 }),
      default: 14,
      restricted: true,
    },
    trial_credits_per_day: {
      label: 'Grants per day',
      description: 'The most grants of all persons in 24 hours. Later persons get none.',
      type: count({ min: 0, max: 1_000_000 }),
      default: 500,
      restricted: true,
    },
    trial_credits_per_network: {
      label: 'Grants per network and day',
      description:
        'The most grants in 24 hours to one network: an IPv4 /24 or an IPv6 /48. Mobile networks share addresses, so 1 is too low.',
      type: count({ min: 0, max: 100_000 }),
      default: 20,
      restricted: true,
    },
    trial_credits_per_domain: {
      label: 'Grants per email domain and day',
      description:
        'The most grants in 24 hours to one email domain with its subdomains. Large public mail providers have no limit.',
      type: count({ min: 0, max: 100_000 }),
      default: 20,
      restricted: true,
    },
    trial_refused_domains: {
      label: 'Email domains without trial credit',
      description:
        'Email domains, separated by commas, whose addresses get none, with their subdomains. Empty: a built-in list of disposable domains. A hyphen: none.',
      type: text(),
      default: '',
      restricted: true,
    },
  },
)

export const {
  trial_credit_minor: trialCreditMinor,
  trial_credit_days: trialCreditDays,
  trial_credits_per_day: trialCreditsPerDay,
  trial_credits_per_network: trialCreditsPerNetwork,
  trial_credits_per_domain: trialCreditsPerDomain,
  trial_refused_domains: trialRefusedDomains,
} = trialSettings.settings
