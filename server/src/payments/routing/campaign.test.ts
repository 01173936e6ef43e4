// Top-ups while one provider after the other fails: every payment at a provider is credited exactly once.
import { runCampaign } from '@cowrie/testkit/payments/routing-campaign.ts'
import { startRoutingWorld } from '@cowrie/testkit/payments/routing-world.ts'
import { expect, test } from 'vitest'

test('48 top-ups by card, M-Pesa and MTN: none is lost, and none is credited twice', async () => {
  const world = await startRoutingWorld()
  try {
    const { losses, ...counts } = await runCampaign(world, 48)
    expect(losses).toEqual([])
    expect(counts.started).toBe(48)
    // The campaign reaches the cases that it is about.
    expect(counts.failedOver).toBeGreaterThan(3)
    expect(counts.paidTwice).toBeGreaterThan(0)
  } finally {
    await world.close()
  }
})
