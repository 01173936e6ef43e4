// All repository tasks.

import { GO_COLLECTIONS_TASKS } from './go/collections.ts'
import { GO_COMPARE_TASKS } from './go/compare.ts'
import { GO_LIMITS_TASKS } from './go/limits.ts'
import { GO_TEXT_TASKS } from './go/text.ts'

import { JAVA_BUSINESS_TASKS } from './java/business.ts'
import { JAVA_QUEUES_TASKS } from './java/queues.ts'
import { JAVA_RANGES_TASKS } from './java/ranges.ts'
import { JAVA_TEXT_TASKS } from './java/text.ts'
import { JAVASCRIPT_EVENTS_TASKS } from './javascript/events.ts'
import { JAVASCRIPT_SERVICES_TASKS } from './javascript/services.ts'
import { JAVASCRIPT_SHOP_TASKS } from './javascript/shop.ts'
import { JAVASCRIPT_TEXT_TASKS } from './javascript/text.ts'
import { PYTHON_ACCOUNTS_TASKS } from './python/accounts.ts'
import { PYTHON_SCHEDULES_TASKS } from './python/schedules.ts'
import { PYTHON_TEXT_TASKS } from './python/text.ts'
import { PYTHON_TOOLS_TASKS } from './python/tools.ts'
import type { CorpusTask } from './task.ts'
import { TYPESCRIPT_ACCESS_TASKS } from './typescript/access.ts'
import { TYPESCRIPT_MONEY_TASKS } from './typescript/money.ts'
import { TYPESCRIPT_STRUCTURES_TASKS } from './typescript/structures.ts'

export const CORPUS: readonly CorpusTask[] = [
  ...JAVASCRIPT_SHOP_TASKS,
  ...JAVASCRIPT_SERVICES_TASKS,
  ...JAVASCRIPT_EVENTS_TASKS,
  ...JAVASCRIPT_TEXT_TASKS,
  ...TYPESCRIPT_MONEY_TASKS,
  ...TYPESCRIPT_ACCESS_TASKS,
  ...TYPESCRIPT_STRUCTURES_TASKS,
  ...PYTHON_ACCOUNTS_TASKS,
  ...PYTHON_SCHEDULES_TASKS,
  ...PYTHON_TOOLS_TASKS,
  ...PYTHON_TEXT_TASKS,
  ...JAVA_BUSINESS_TASKS,
  ...JAVA_RANGES_TASKS,
  ...JAVA_QUEUES_TASKS,
  ...JAVA_TEXT_TASKS,
  ...GO_COLLECTIONS_TASKS,
  ...GO_LIMITS_TASKS,
  ...GO_TEXT_TASKS,
  ...GO_COMPARE_TASKS,
]
