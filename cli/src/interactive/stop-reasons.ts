// Why a turn ended early, in words. A completed turn has no entry.
export const STOP_REASONS: Readonly<Record<string, string>> = {
  stopped: 'Stopped. The work so far is kept.',
  stopping: 'Stopped. The last step is still finishing.',
  budget_reached:
    'The rest of the budget does not cover the next step. The work so far is kept; a higher budget continues it.',
  step_limit: 'The turn reached the limit of model calls. Send "continue" to resume.',
  no_progress: 'The model repeated itself, so the turn ended. Say more precisely what you need.',
  declined: 'The provider withheld the answer.',
  too_long: 'The conversation does not fit the model. Start another with /clear.',
  abandoned: 'The turn waited too long for this computer and ended.',
  workspace_unavailable: 'The files could not be read.',
  upstream_failed: 'The model provider failed. This is free, unless files were changed.',
  policy: 'The policy of your organisation does not allow this.',
  failed: 'The service failed. The cost of the turn is refunded.',
}
