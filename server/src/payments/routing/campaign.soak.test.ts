// The campaign of campaign.test.ts with more top-ups.
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import { runCampaign } from '@cowrie/testkit/payments/routing-campaign.ts'
import { startRoutingWorld } from '@cowrie/testkit/payments/routing-world.ts'
import { expect } from 'vitest'

soakTest('300 top-ups by card, M-Pesa and MTN: none is lost, and none is credited twice', async () => {
  const world = await startRoutingWorld()
  try {
    const { losses, ...counts } = await runCampaign(world, 300)
    expect(losses).toEqual([])
    expect(counts.failedOver).toBeGreaterThan(20)
    expect(counts.paidTwice).toBeGreaterThan(5)
  } finally {
    await world.close()
  }
})
