// Measures tasks: turns, tools, and repositories.
import { benchRepository, type RepositoryRow } from './repository.ts'
import { benchTools, type ToolRow } from './tools.ts'
import { benchTurns, type TurnFigures } from './turns.ts'

export type TasksReport = {
  readonly turns: TurnFigures
  readonly tools: readonly ToolRow[]
  readonly repositories: readonly RepositoryRow[]
}

export async function measureTasks(isQuick: boolean): Promise<TasksReport> {
  return {
    turns: await benchTurns(isQuick),
    tools: await benchTools(isQuick ? 10 : 40),
    repositories: await benchRepository(),
  }
}

export function tasksText(
  { turns, tools, repositories }: TasksReport,
  table: (rows: string[][]) => string,
): string {
  const { steps, perStepMs, bareStepMs, clientTurns, uploadedPerTurnBytes, wholePerTurnBytes } = turns
  const ms = (value: number) => value.toFixed(value < 10 ? 2 : 0)
  return [
    `turns of ${steps} model calls: ${ms(perStepMs)} ms per call with tools, storage and money; the fake model alone ${ms(bareStepMs)} ms`,
    `client workspace, ${clientTurns} turns: ${uploadedPerTurnBytes} bytes uploaded per turn; ${wholePerTurnBytes} if each call sent the conversation (${(wholePerTurnBytes / uploadedPerTurnBytes).toFixed(1)} times)`,
    table([
      ['tool on 5,000 files', 'p50 ms', 'p95 ms'],
      ...tools.map(({ name, p50Ms, p95Ms }) => [name, ms(p50Ms), ms(p95Ms)]),
    ]),
    table([['repository', 'ms'], ...repositories.map(({ name, ms: took }) => [name, ms(took)])]),
  ].join('\n\n')
}
