import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { onStopSignals } from './stop-signals.ts'

function setUp() {
  const source = new EventEmitter()
  const calls: string[] = []
  const time = { ms: 0 }
  onStopSignals(
    { onStop: (signal) => calls.push(`stop ${signal}`), onForce: (signal) => calls.push(`force ${signal}`) },
    source,
    () => time.ms,
  )
  return { source, calls, time }
}

test('one action that arrives as several signals stops once', () => {
  const { source, calls, time } = setUp()
  for (const signal of ['SIGINT', 'SIGINT', 'SIGTERM', 'SIGHUP', 'SIGINT']) {
    source.emit(signal)
    time.ms += 500
  }
  expect(calls).toEqual(['stop SIGINT'])
})

test('a later second action forces the exit', () => {
  const { source, calls, time } = setUp()
  source.emit('SIGINT')
  time.ms += 3_001
  source.emit('SIGINT')
  expect(calls).toEqual(['stop SIGINT', 'force SIGINT'])
})
