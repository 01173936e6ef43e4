/** A feature of the deployment and its state. */
export type Feature = {
  readonly key: string
  readonly label: string
  /** Names of the environment variables that control it. */
  readonly env: string
  /** Whether it works for customers of this deployment. */
  readonly live: boolean
  readonly detail: string
}
