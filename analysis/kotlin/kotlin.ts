// The rule catalogue for Kotlin.
import { model } from './model/model.ts'
import { exposureRules } from './rules/exposure.ts'
import { injectionRules } from './rules/injection.ts'

export const kotlin = { model, rules: [...injectionRules, ...exposureRules] }
