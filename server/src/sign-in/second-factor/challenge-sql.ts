// SQL of second-factor challenges.
import type { UserId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db/tx.ts'

export type FirstFactor = 'password' | 'magic_link' | 'github'
export type MfaChallenge = { tokenHash: Uint8Array; userId: UserId; first: FirstFactor; wrongCodes: number }

export type NewMfaChallenge = Omit<MfaChallenge, 'wrongCodes'> & { expiresAt: Date }

// Each new challenge deletes several expired ones, so that they do not pile up.
const SWEPT_AT_ONCE = 10

export async function insertChallenge(tx: Tx, challenge: NewMfaChallenge): Promise<void> {
  await tx.rows`
    insert into mfa_challenges (token_hash, user_id, first_factor, created_at, expires_at)
    values (${challenge.tokenHash}, ${challenge.userId}, ${challenge.first}, ${tx.now}, ${challenge.expiresAt})`
}

/** Finds a challenge that can still be answered. */
export function findChallenge(tx: Tx, tokenHash: Uint8Array, wrongCodesMax: number) {
  return tx.maybe<MfaChallenge>`
    select token_hash as "tokenHash", user_id as "userId", first_factor as first, wrong_codes as "wrongCodes"
    from mfa_challenges
    where token_hash = ${tokenHash} and expires_at > ${tx.now} and wrong_codes < ${wrongCodesMax}`
}

export async function countWrongCode(tx: Tx, tokenHash: Uint8Array): Promise<void> {
  await tx.rows`update mfa_challenges set wrong_codes = wrong_codes + 1 where token_hash = ${tokenHash}`
}

export async function deleteChallenge(tx: Tx, tokenHash: Uint8Array): Promise<void> {
  await tx.rows`delete from mfa_challenges where token_hash = ${tokenHash}`
}

export async function deleteChallengesOf(tx: Tx, user: UserId): Promise<void> {
  await tx.rows`delete from mfa_challenges where user_id = ${user}`
}

export async function sweepChallenges(tx: Tx): Promise<void> {
  await tx.rows`
    delete from mfa_challenges where token_hash in (
      select token_hash from mfa_challenges where expires_at < ${tx.now}
      limit ${SWEPT_AT_ONCE} for update skip locked)`
}
