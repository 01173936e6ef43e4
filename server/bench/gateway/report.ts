// Prints the gateway figures with their targets.
import type { Flow, GatewayReport, GatewayRoute } from './measure.ts'

type Table = (rows: string[][]) => string

export function gatewayText(report: GatewayReport, table: Table): string {
  const { flows, whole, wholeRatio, wires, openRssBytes } = report
  return [
    table([
      ['streamed answers', 'at once', 'first token p50 ms', 'p99', 'tokens/s', 'CPU ms per 1 000'],
      ...flows.map(({ way, streams, paced, ...figures }) => [
        `${NAMES[way]}${paced ? '' : ', as fast as possible'}`,
        String(streams),
        figures.firstP50Ms.toFixed(1),
        figures.firstP99Ms.toFixed(1),
        figures.tokensPerSecond.toFixed(0),
        figures.cpuMsPer1000Tokens.toFixed(1),
      ]),
    ]),
    table([
      ['whole answers', 'per second', 'p50 ms', 'CPU µs'],
      ...whole.map(({ way, perSecond, p50Ms, cpuMicros }) => [
        NAMES[way],
        perSecond.toFixed(0),
        p50Ms.toFixed(1),
        cpuMicros.toFixed(0),
      ]),
    ]),
    table([
      [
        'client formats through ours',
        'first token p50 ms',
        'CPU ms per 1 000 tokens',
        'whole answer, CPU µs',
        'against chat',
      ],
      ...wires.map(({ wire, firstP50Ms, cpuMsPer1000Tokens, cpuMicros }) => [
        wire,
        firstP50Ms.toFixed(1),
        cpuMsPer1000Tokens.toFixed(1),
        cpuMicros.toFixed(0),
        (cpuMicros / (wires[0]?.cpuMicros ?? Number.NaN)).toFixed(2),
      ]),
    ]),
    targets(flows, wholeRatio, openRssBytes),
  ].join('\n\n')
}

const NAMES: Record<GatewayRoute, string> = {
  direct: 'the model itself',
  ours: 'through ours',
  peer: 'through the peer',
}

function targets(flows: Flow[], wholeRatio: number | null, openRssBytes: number): string {
  const of = (way: GatewayRoute, streams: number, paced = true) =>
    flows.find((flow) => flow.way === way && flow.streams === streams && flow.paced === paced)
  const addedMs = (of('ours', 1)?.firstP50Ms ?? Number.NaN) - (of('direct', 1)?.firstP50Ms ?? Number.NaN)
  const cpuMs = of('ours', 50, false)?.cpuMsPer1000Tokens ?? Number.NaN
  const openMegabytes = openRssBytes / 1024 / 1024
  return [
    line(addedMs <= 3, `added to the first token, one at a time: ${addedMs.toFixed(1)} ms, target 3`),
    line(
      cpuMs <= 6,
      `CPU for 1 000 tokens as fast as possible, 50 at once: ${cpuMs.toFixed(1)} ms, target 6`,
    ),
    wholeRatio === null
      ? 'the peer could not be installed: whole answers are not compared'
      : line(wholeRatio >= 2, `whole answers against the peer: ${wholeRatio.toFixed(2)}, target 2`),
    line(openMegabytes <= 500, `memory with 1 000 open streams: ${openMegabytes.toFixed(0)} MB, target 500`),
  ].join('\n')
}

const line = (isMet: boolean, text: string): string => `${isMet ? 'ok   ' : 'miss '}  ${text}`
