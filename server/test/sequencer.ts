import { matchesGlob } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { EARLY } from './alone.ts'

/** Runs projects in alphabetical order, and the slow files of each project first. */
export class EarlyFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification) =>
      EARLY.some((pattern) => matchesGlob(moduleId, `${project.config.root}/${pattern}`)) ? 0 : 1
    return (await super.sort(files)).sort((one, other) =>
      one.project.name === other.project.name ? rank(one) - rank(other) : 0,
    )
  }
}
