// The manifests are consistent, and match the image and the service.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { modules } from '../server/src/modules.ts'
import { readConfig } from '../server/src/platform/config.ts'
import { exampleVariables } from './test/example.ts'
import { at, listAt, manifestFiles, type Node, readYaml, recordAt } from './test/manifests.ts'

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const manifests = manifestFiles().flatMap((name) => readYaml(`deploy/kubernetes/${name}`))
const one = (kind: string): Node => {
  const found = manifests.filter((manifest) => at(manifest, 'kind') === kind)
  expect(found, kind).toHaveLength(1)
  return found[0]
}
const deployment = one('Deployment')
const pod = at(deployment, 'spec.template.spec')
const container = listAt(pod, 'containers')[0]
const DRAIN_SECONDS = Number(/DRAIN_MS = (\d+)_000/.exec(read('server/src/main.ts'))?.[1])

describe('the replicas', () => {
  test('are replaced one by one, each after its successor is ready', () => {
    expect(recordAt(deployment, 'spec.strategy.rollingUpdate')).toEqual({ maxUnavailable: 0, maxSurge: 1 })
    expect(at(one('PodDisruptionBudget'), 'spec.maxUnavailable')).toBe(1)
  })

  test('have enough time to shut down after the endpoints are removed', () => {
    expect(DRAIN_SECONDS).toBeGreaterThan(0)
    const hook = Number(at(container, 'lifecycle.preStop.sleep.seconds'))
    expect(hook).toBeGreaterThanOrEqual(5)
    expect(Number(at(pod, 'terminationGracePeriodSeconds'))).toBeGreaterThan(hook + DRAIN_SECONDS)
  })

  test('have probes at existing addresses; only readiness depends on the database', () => {
    const probes = ['startupProbe', 'readinessProbe', 'livenessProbe'].map((name) =>
      at(container, `${name}.httpGet.path`),
    )
    expect(probes).toEqual(['/health', '/readyz', '/health'])
  })

  test('have only the rights of the restricted profile', () => {
    expect(recordAt(pod, 'securityContext')).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    })
    expect(recordAt(container, 'securityContext')).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(at(pod, 'automountServiceAccountToken')).toBe(false)
    expect(at(one('ServiceAccount'), 'automountServiceAccountToken')).toBe(false)
    expect(recordAt(one('Namespace'), 'metadata.labels')).toMatchObject({
      'pod-security.kubernetes.io/enforce': 'restricted',
    })
  })

  test('can write only where the service writes', () => {
    const mounts = listAt(container, 'volumeMounts').map((mount) => at(mount, 'mountPath'))
    expect(mounts).toEqual([/SERVICE_DATA_DIR=(\S+)/.exec(read('Dockerfile'))?.[1], '/tmp'])
    const volumes = listAt(pod, 'volumes')
    expect(volumes.map((volume) => at(volume, 'name'))).toEqual(['data', 'temporary'])
    for (const volume of volumes) expect(at(volume, 'emptyDir.sizeLimit')).toBeDefined()
  })

  test('have resource requests and a memory limit', () => {
    expect(at(container, 'resources.requests.cpu')).toBeDefined()
    expect(at(container, 'resources.requests.memory')).toBeDefined()
    expect(at(container, 'resources.limits.memory')).toBeDefined()
  })
})

test('references between manifests exist', () => {
  const labels = recordAt(deployment, 'spec.template.metadata.labels')
  const selectors: [Node, string][] = [
    [deployment, 'spec.selector.matchLabels'],
    [one('Service'), 'spec.selector'],
    [one('PodDisruptionBudget'), 'spec.selector.matchLabels'],
    [one('NetworkPolicy'), 'spec.podSelector.matchLabels'],
  ]
  for (const [manifest, path] of selectors) expect(recordAt(manifest, path)).toEqual(labels)
  expect(recordAt(one('Service'), 'metadata.labels')).toMatchObject(
    recordAt(one('ServiceMonitor'), 'spec.selector.matchLabels'),
  )
  expect(at(one('HorizontalPodAutoscaler'), 'spec.scaleTargetRef.name')).toBe(at(deployment, 'metadata.name'))
  expect(at(one('HorizontalPodAutoscaler'), 'spec.minReplicas')).toBe(at(deployment, 'spec.replicas'))
  expect(at(pod, 'serviceAccountName')).toBe(at(one('ServiceAccount'), 'metadata.name'))
  expect(at(one('Ingress'), 'spec.rules.0.http.paths.0.backend.service.name')).toBe(
    at(one('Service'), 'metadata.name'),
  )
  expect(at(container, 'ports.0.containerPort')).toBe(Number(/^EXPOSE (\d+)/m.exec(read('Dockerfile'))?.[1]))
  const listed = listAt(one('Kustomization'), 'resources')
  expect(manifestFiles().filter((name) => !listed.includes(name))).toEqual([
    'kustomization.yaml',
    'monitor.yaml',
  ])
})

test('the image has the version of the service', () => {
  const { version } = JSON.parse(read('package.json'))
  expect(at(one('Kustomization'), 'images.0.newTag')).toBe(version)
})

test('the configuration with the secrets is a valid production configuration', () => {
  const data = recordAt(one('ConfigMap'), 'data')
  const variables = Object.fromEntries(Object.entries(data).map(([name, value]) => [name, String(value)]))
  const { DATABASE_URL, SERVICE_SECRET, SERVICE_SMTP_URL } = exampleVariables()
  const config = readConfig({ ...variables, DATABASE_URL, SERVICE_SECRET, SERVICE_SMTP_URL }, '0.4.0')
  expect(config.warnings).toEqual([])
  expect(Object.keys(variables).filter((name) => /SECRET|TOKEN|PASSWORD|DATABASE_URL$/.test(name))).toEqual(
    [],
  )
})

test('the instructions create the namespace, then the Secret, then the replicas', () => {
  const commands = [...read('deploy/README.md').matchAll(/^kubectl (.*)$/gm)].map(
    ([, command = '']) => command,
  )
  const namespace = String(at(one('Namespace'), 'metadata.name'))
  expect(commands).toEqual([
    'apply -f deploy/kubernetes/namespace.yaml',
    `-n ${namespace} create secret generic cowrie --from-env-file=deploy/production.env`,
    'apply -k deploy/kubernetes',
  ])
  expect(at(readYaml('deploy/kubernetes/namespace.yaml')[0], 'kind')).toBe('Namespace')
  expect(listAt(container, 'envFrom').map((from) => at(from, 'secretRef.name'))).toContain('cowrie')
  expect(at(one('Kustomization'), 'namespace')).toBe(namespace)
  // No manifest gives another order.
  for (const name of manifestFiles()) expect(read(`deploy/kubernetes/${name}`)).not.toContain('create secret')
})

describe('the ingress', () => {
  const annotation = (name: string) =>
    recordAt(one('Ingress'), 'metadata.annotations')[`nginx.ingress.kubernetes.io/${name}`]

  test('does not buffer streams and never repeats a sent request', () => {
    expect(annotation('proxy-buffering')).toBe('off')
    expect(annotation('proxy-next-upstream')).toBe('error')
    expect(Number(annotation('proxy-read-timeout'))).toBeGreaterThan(600)
  })

  test('accepts the largest body of any route', () => {
    const largest = Math.max(
      ...modules.flatMap(({ routes = [] }) => routes.map((route) => route.bodyLimitBytes)),
    )
    const megabytes = Number(/^(\d+)m$/.exec(String(annotation('proxy-body-size')))?.[1])
    expect(megabytes * 2 ** 20).toBeGreaterThanOrEqual(largest)
  })
})
