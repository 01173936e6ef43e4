/** As tall as the form that follows, so that nothing moves when it appears. */
export const FormPlaceholder = () => (
  <div class="form-placeholder" aria-hidden="true">
    <span class="blank line" />
    <span class="blank control" />
    <span class="blank line" />
    <span class="blank control" />
    <span class="blank control" />
    <span class="blank control" />
  </div>
)
