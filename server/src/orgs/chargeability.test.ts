import { expect, test } from 'vitest'
import { type ChargedOrg, chargeability } from './chargeability.ts'

const PERSON: ChargedOrg & { currency: string } = {
  type: 'individual',
  tier: 'individual',
  suspended: false,
  closed: false,
  kycStatus: 'unsubmitted',
  currency: 'NGN',
}
const TEAM = { ...PERSON, type: 'team', tier: 'team' }
const OPEN = { isMaintenance: false, isKycRequired: false }
const KYC = { isMaintenance: false, isKycRequired: true }
const MAINTENANCE = { isMaintenance: true, isKycRequired: false }

test.for([
  ['a personal organisation', PERSON, OPEN],
  ['a team', TEAM, OPEN],
  ['a caller, whose organisation is open', { ...TEAM, closed: undefined }, OPEN],
  ['a currency other than NGN', { ...PERSON, currency: 'XOF' }, KYC],
  ['a personal organisation, with KYC required', PERSON, KYC],
  ['a rejected personal organisation, with KYC required', { ...PERSON, kycStatus: 'rejected' }, KYC],
  ['a verified team, with KYC required', { ...TEAM, kycStatus: 'verified' }, KYC],
  ['a rejected team, with KYC not required', { ...TEAM, kycStatus: 'rejected' }, OPEN],
] as const)('%s is chargeable', ([, org, rules]) => {
  expect(chargeability(org, rules)).toEqual({ chargeable: true, org })
})

test.for([
  ['an unknown organisation', undefined, OPEN, 'org_suspended'],
  ['a closed organisation', { ...PERSON, closed: true }, OPEN, 'org_suspended'],
  ['a suspended organisation', { ...PERSON, suspended: true }, OPEN, 'org_suspended'],
  ['a suspended team without KYC', { ...TEAM, suspended: true }, KYC, 'org_suspended'],
  ['a closed and verified team', { ...TEAM, closed: true, kycStatus: 'verified' }, KYC, 'org_suspended'],
  ['an unsubmitted team', TEAM, KYC, 'kyc_required'],
  ['a pending team', { ...TEAM, kycStatus: 'pending' }, KYC, 'kyc_required'],
  ['a rejected team', { ...TEAM, kycStatus: 'rejected' }, KYC, 'kyc_required'],
  ['a team on the individual tier', { ...TEAM, tier: 'individual' }, KYC, 'kyc_required'],
  ['a personal organisation on the team tier', { ...PERSON, tier: 'team' }, KYC, 'kyc_required'],
  ['a personal organisation on the enterprise tier', { ...PERSON, tier: 'enterprise' }, KYC, 'kyc_required'],
  ['every organisation during maintenance', PERSON, MAINTENANCE, 'maintenance'],
  ['a suspended organisation during maintenance', { ...PERSON, suspended: true }, MAINTENANCE, 'maintenance'],
  ['an unknown organisation during maintenance', undefined, MAINTENANCE, 'maintenance'],
  ['an unverified team during maintenance', TEAM, { ...KYC, isMaintenance: true }, 'maintenance'],
] as const)('%s is refused', ([, org, rules, refusal]) => {
  expect(chargeability(org, rules)).toEqual({ chargeable: false, refusal })
})
