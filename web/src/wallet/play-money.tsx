/** Nobody may take a rehearsal for a payment. */
export const PlayMoney = () => (
  <p class="play-money">
    <strong>Play money.</strong> Nothing is charged.
  </p>
)
