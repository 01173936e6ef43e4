import { expect, test } from 'vitest'
import { createMetrics } from './metrics.ts'

const quiet = () => createMetrics({ processDefaults: false })

test('requests are counted by route, method and status, and timed by route', async () => {
  const metrics = quiet()
  metrics.request('wallet.read', 'GET', 200, 0.004)
  metrics.request('wallet.read', 'GET', 200, 0.2)
  metrics.request('wallet.read', 'GET', 404, 0.001)
  const text = await metrics.exposition()
  expect(text).toContain('cowrie_http_requests_total{route="wallet.read",method="GET",status="200"} 2\n')
  expect(text).toContain('cowrie_http_requests_total{route="wallet.read",method="GET",status="404"} 1\n')
  expect(text).toContain(
    'cowrie_http_request_seconds_bucket{le="0.005",route="wallet.read",method="GET"} 2\n',
  )
  expect(text).toContain('cowrie_http_request_seconds_count{route="wallet.read",method="GET"} 3\n')
  expect(metrics.contentType).toMatch(/^text\/plain; version=0\.0\.4/)
})

test('a duration counts in every bucket whose bound it does not exceed', async () => {
  const metrics = quiet()
  for (const seconds of [0.005, 0.0051, 30, 31]) metrics.request('a.b', 'GET', 200, seconds)
  const counts = [
    ...(await metrics.exposition()).matchAll(/_bucket\{le="([^"]+)",route="a.b",method="GET"\} (\d+)/g),
  ]
  const at = (bound: string) => Number(counts.find(([, le]) => le === bound)?.[2])
  expect(['0.005', '0.01', '10', '30', '+Inf'].map(at)).toEqual([1, 2, 2, 3, 4])
  expect(await metrics.exposition()).toContain(
    'cowrie_http_request_seconds_sum{route="a.b",method="GET"} 61.0101\n',
  )
})

test('jobs, model calls, mails, rate-limited requests and lost log rows are counted', async () => {
  const metrics = quiet()
  metrics.job('mail.send', 'done', 0.3)
  metrics.modelCall('open', 'small', 'ok', 2, 1_500)
  metrics.modelCall('open', 'small', 'failed', 2, 0)
  metrics.mail('sent')
  metrics.rateLimited('auth')
  metrics.requestLogLost('overflow', 12)
  const text = await metrics.exposition()
  expect(text).toContain('cowrie_job_seconds_count{job="mail.send",outcome="done"} 1\n')
  expect(text).toContain('cowrie_model_call_seconds_count{lane="open",model="small",outcome="failed"} 1\n')
  expect(text).toContain('cowrie_model_tokens_total{lane="open",model="small"} 1500\n')
  expect(text).toContain('cowrie_mails_total{outcome="sent"} 1\n')
  expect(text).toContain('cowrie_rate_limited_total{bucket="auth"} 1\n')
  expect(text).toContain('cowrie_request_log_lost_rows_total{reason="overflow"} 12\n')
})

test('the 51st and later models are counted as other', async () => {
  const metrics = quiet()
  for (let at = 0; at < 200; at++) metrics.modelCall('open', `model-${at}`, 'ok', 1, 10)
  const text = await metrics.exposition()
  expect(text.match(/^cowrie_model_tokens_total\{/gm)).toHaveLength(51)
  expect(text).toContain('cowrie_model_tokens_total{lane="open",model="other"} 1500\n')
})

test('an unknown method and too many route names cannot grow the series', async () => {
  const metrics = quiet()
  for (let at = 0; at < 600; at++) metrics.request(`route-${at}`, `METHOD${at}`, 200, 0.01)
  const text = await metrics.exposition()
  expect(text.match(/^cowrie_http_requests_total\{/gm)).toHaveLength(501)
  expect(text).toContain('cowrie_http_requests_total{route="other",method="other",status="200"} 100\n')
})

test('a gauge is read at collection time, by its last reader', async () => {
  const metrics = quiet()
  metrics.watch('pool_waiting', () => 99)
  let waiting = 3
  metrics.watch('pool_waiting', () => waiting)
  expect(await metrics.exposition()).toContain('cowrie_pool_waiting 3\n')
  waiting = 4
  expect(await metrics.exposition()).toContain('cowrie_pool_waiting 4\n')
})

test('the process and its event loop lag are measured', async () => {
  const text = await createMetrics().exposition()
  expect(text).toMatch(/^process_resident_memory_bytes \d+/m)
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \S+/m)
})

test('two apps in one process have separate counts', async () => {
  const [one, other] = [quiet(), quiet()]
  one.mail('sent')
  expect(await other.exposition()).not.toContain('cowrie_mails_total{')
})
