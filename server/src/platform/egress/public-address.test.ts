// Public and private addresses, including internal addresses of clouds in public ranges.
import { expect, test } from 'vitest'
import { isPublic } from './public-address.ts'

test.for([
  ['Azure: host agent', '168.63.129.16'],
  ['Azure: host agent mapped to IPv6', '::ffff:168.63.129.16'],
  ['Azure, translated', '64:ff9b::a83f:8110'],
  ['Azure, tunnelled', '2002:a83f:8110::1'],
  ['IBM: platform services', '161.26.0.10'],
  ['IBM: last platform service', '161.26.255.255'],
  ['IBM: service endpoints', '166.8.0.1'],
  ['IBM: last service endpoint', '166.11.255.255'],
  ['Oracle: old metadata address', '192.0.0.192'],
  ['Oracle: metadata in IPv6', 'fd00:c1::a9fe:a9fe'],
  ['Alibaba: metadata', '100.100.100.200'],
  ['Alibaba: names', '100.100.2.136'],
  ['Huawei: names', '100.125.1.250'],
  ['most clouds: metadata', '169.254.169.254'],
  ['AWS: names', '169.254.169.253'],
  ['AWS: container credentials', '169.254.170.2'],
  ['AWS: pod credentials', '169.254.170.23'],
  ['AWS: metadata in IPv6', 'fd00:ec2::254'],
  ['AWS: DNS in IPv6', 'fd00:ec2::253'],
  ['AWS: pod credentials in IPv6', 'fd00:ec2::23'],
  ['AWS: WorkSpaces network', '198.19.0.1'],
  ['Google: metadata in IPv6', 'fd20:ce::254'],
  ['Tencent: metadata', '169.254.0.23'],
  ['Scaleway: metadata', '169.254.42.42'],
  ['Scaleway: metadata in IPv6', 'fd00:42::42'],
  ['Linode: metadata in IPv6', 'fd00:a9fe:a9fe::1'],
  ['OpenStack: metadata in IPv6', 'fe80::a9fe:a9fe'],
  ['Fly: names', 'fdaa::3'],
  ['Rancher: metadata', '169.254.169.250'],
])('%s, %s, is private', ([, ip = '']) => {
  expect(isPublic(ip)).toBe(false)
})

test.for([
  '8.8.8.8',
  '168.63.129.15',
  '168.63.129.17',
  '161.25.255.255',
  '161.27.0.0',
  '166.7.255.255',
  '166.12.0.0',
  '2606:4700::1111',
])('%s is public', (ip) => {
  expect(isPublic(ip)).toBe(true)
})
