// The fake model upstream as a separate process. It outlives the replicas, answers slowly and sometimes fails.
import { startFakeUpstream } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import { seeded } from '@cowrie/testkit/harness/seeded.ts'
import { createAnswers } from './upstream-answers.ts'

const upstream = await startFakeUpstream()
upstream.fallback(createAnswers(seeded(Number(process.env.SEED))))
process.once('disconnect', () => process.exit(0))
process.send?.({ address: upstream.url })
