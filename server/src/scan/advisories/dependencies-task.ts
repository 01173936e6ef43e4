// Worker task: finds the dependencies in lock files and manifests.
import { type DependencyReport, findDependencies } from '@cowrie/analysis/advisories/dependencies.ts'
import type { ScannedFile } from '@cowrie/analysis/report/finding.ts'

export const run = ({ files }: { readonly files: readonly ScannedFile[] }): DependencyReport =>
  findDependencies(files)
