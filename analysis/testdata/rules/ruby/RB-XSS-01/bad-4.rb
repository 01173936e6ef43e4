module ItemsHelper
  def badge
    label = params[:label]
    raw("<i>#{label}</i>") # ← here
  end
end
