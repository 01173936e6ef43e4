// The upstream behind the replicas, as a process of its own: it outlives them all, and answers slowly and not always well.
import { startFakeUpstream } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import { seeded } from '@cowrie/testkit/harness/seeded.ts'
import { createAnswers } from './upstream-answers.ts'

const upstream = await startFakeUpstream()
upstream.fallback(createAnswers(seeded(Number(process.env.SEED))))
process.once('disconnect', () => process.exit(0))
process.send?.({ address: upstream.url })
